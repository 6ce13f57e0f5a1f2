import { isExact, SEPARATOR } from '../compile/expression.ts'
import { ELEMENT_CODE, ELEMENT_STARTS, type PatternTable } from '../compiled.ts'
import { foldedOf, isEcho, isStretch, jamoOf, Kind, kindOf, stretchOf } from '../unicode/characters.ts'
import { kindBefore, skipSeparators, unitBefore } from '../unicode/text.ts'

const MAX_FILLERS = 2
const MISMATCH = -2
/** Hangul has no sign between its syllables that would be looked for. */
const SEPARATOR_NONE = 0

/**
 * Looks for the syllables of a pattern in a text where they may be written as such or as their letters. A syllable of the
 * text must begin where one of the pattern does: `씹` does not stand in `씨발`, though its letters do.
 */
export class HangulVerifier {
  /** Where the last match begins. */
  start = 0
  readonly #flags: Uint8Array
  readonly #first: Int32Array
  readonly #elements: Uint32Array

  constructor({ flags, first, elements }: PatternTable) {
    this.#flags = flags
    this.#first = first
    this.#elements = elements
  }

  verify(text: string, pattern: number, end: number): boolean {
    const first = this.#first[pattern] ?? 0
    const isExactly = isExact(this.#flags[pattern] ?? 0)
    const last = (this.#first[pattern + 1] ?? 0) - 1
    let place = last
    let at = end
    let fillers = 0
    while (place >= first) {
      if (at === 0) return false
      const code = foldedOf(text.charCodeAt(at - 1))
      const kind = kindOf(code)
      at--
      if (kind === Kind.ignorable) continue
      if (((this.#elements[place] ?? 0) & ELEMENT_CODE) === SEPARATOR) {
        const before = skipSeparators(text, at + 1, SEPARATOR_NONE)
        if (before === at + 1) return false
        at = before
        place--
        continue
      }
      if (kind !== Kind.syllable && kind !== Kind.jamo) return false
      if (kind === Kind.jamo && (isExactly || (place < last && this.#isFiller(text, at, place, first)))) {
        if (isExactly || ++fillers > MAX_FILLERS) return false
        continue
      }
      const before = this.#takeJamo(jamoOf(code), place, first)
      if (before === MISMATCH && !isExactly && isStretch(code, unitBefore(text, at))) {
        place = this.#takeJamo(stretchOf(code), place, first)
        if (place === MISMATCH) return false
        continue
      }
      place = before
      if (place === MISMATCH) return false
      if (kind === Kind.syllable && ((this.#elements[place + 1] ?? 0) & ELEMENT_STARTS) === 0) return false
    }
    this.start = at
    const before = kindBefore(text, at)
    if (before === Kind.digit) return false
    const isRepeated = unitBefore(text, at) === text.charCodeAt(at)
    return before !== Kind.syllable || isRepeated || this.#countSyllables(pattern) > 1
  }

  #countSyllables(pattern: number): number {
    let syllables = 0
    for (let place = this.#first[pattern] ?? 0; place < (this.#first[pattern + 1] ?? 0); place++)
      if (((this.#elements[place] ?? 0) & ELEMENT_STARTS) !== 0) syllables++
    return syllables
  }

  /** Takes the letters of one character off the end; gives back the place before them, or `MISMATCH`. */
  #takeJamo(jamo: string, from: number, first: number): number {
    let place = from
    for (let i = jamo.length - 1; i >= 0; i--, place--)
      if (place < first || ((this.#elements[place] ?? 0) & ELEMENT_CODE) !== jamo.charCodeAt(i))
        return MISMATCH
    return place
  }

  /** Whether a letter by itself is only put in: it repeats what stands before it, or what comes next. */
  #isFiller(text: string, at: number, place: number, first: number): boolean {
    const code = text.charCodeAt(at)
    const before = unitBefore(text, at)
    const isDoubled = this.#codeAt(place) === this.#codeAt(place - 1)
    if (place > first && code === before && !isDoubled) return true
    const isBetween = ((this.#elements[place + 1] ?? 0) & ELEMENT_STARTS) !== 0
    if (!isBetween || kindBefore(text, at) !== Kind.syllable) return false
    const isEarly = this.#codeAt(place) !== foldedOf(code) && this.#codeAt(place + 1) === foldedOf(code)
    return isEarly || isEcho(code, before)
  }

  #codeAt(place: number): number {
    return (this.#elements[place] ?? 0) & ELEMENT_CODE
  }
}

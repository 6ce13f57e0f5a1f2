import { ELEMENT_CODE, ELEMENT_STARTS_SYLLABLE, isExact, type PatternTable } from '../compiled.ts'
import { foldedOf, Kind, kindOf, SEPARATOR } from '../unicode/characters.ts'
import { finalOf, jamoOf, prolongsVowel, repeatsFinal } from '../unicode/hangul.ts'
import { kindBefore, skipSeparators, visibleUnitBefore } from '../unicode/text.ts'

const MAX_FILLERS = 2
const MISMATCH = -2
/** Hangul patterns contain no punctuation to stop at. */
const NO_PUNCTUATION = 0

/**
 * Matches the syllables of a pattern, written as syllables or as standalone jamo. A syllable of the text must start
 * where one of the pattern does: `씨발` does not contain `씹`, although it contains its jamo.
 */
export class HangulVerifier {
  /** The start of the last match. */
  start = 0
  readonly #flags: Uint8Array
  readonly #firstElement: Int32Array
  readonly #elements: Uint32Array

  constructor({ flags, firstElement, elements }: PatternTable) {
    this.#flags = flags
    this.#firstElement = firstElement
    this.#elements = elements
  }

  verify(text: string, pattern: number, end: number): boolean {
    const first = this.#firstElement[pattern] ?? 0
    const isExactly = isExact(this.#flags[pattern] ?? 0)
    const last = (this.#firstElement[pattern + 1] ?? 0) - 1
    let position = last
    let at = end
    let fillers = 0
    while (position >= first) {
      if (at === 0) return false
      const code = foldedOf(text.charCodeAt(at - 1))
      const kind = kindOf(code)
      at--
      if (kind === Kind.ignorable) continue
      if (((this.#elements[position] ?? 0) & ELEMENT_CODE) === SEPARATOR) {
        const before = skipSeparators(text, at + 1, NO_PUNCTUATION)
        if (before === at + 1) return false
        at = before
        position--
        continue
      }
      if (kind !== Kind.syllable && kind !== Kind.jamo) return false
      if (
        kind === Kind.jamo &&
        (isExactly || (position < last && this.#isFiller(text, at, position, first)))
      ) {
        if (isExactly || ++fillers > MAX_FILLERS) return false
        continue
      }
      const before = this.#matchJamo(jamoOf(code), position, first)
      if (before === MISMATCH && !isExactly && prolongsVowel(code, visibleUnitBefore(text, at))) {
        position = this.#matchJamo(finalOf(code), position, first)
        if (position === MISMATCH) return false
        continue
      }
      position = before
      if (position === MISMATCH) return false
      if (kind === Kind.syllable && ((this.#elements[position + 1] ?? 0) & ELEMENT_STARTS_SYLLABLE) === 0)
        return false
    }
    this.start = at
    const before = kindBefore(text, at)
    if (before === Kind.digit) return false
    const isRepeated = visibleUnitBefore(text, at) === text.charCodeAt(at)
    return before !== Kind.syllable || isRepeated || this.#countSyllables(pattern) > 1
  }

  #countSyllables(pattern: number): number {
    let syllables = 0
    for (
      let position = this.#firstElement[pattern] ?? 0;
      position < (this.#firstElement[pattern + 1] ?? 0);
      position++
    )
      if (((this.#elements[position] ?? 0) & ELEMENT_STARTS_SYLLABLE) !== 0) syllables++
    return syllables
  }

  /** Matches the jamo of one character backwards. Returns the position before them, or `MISMATCH`. */
  #matchJamo(jamo: string, from: number, first: number): number {
    let position = from
    for (let i = jamo.length - 1; i >= 0; i--, position--)
      if (position < first || ((this.#elements[position] ?? 0) & ELEMENT_CODE) !== jamo.charCodeAt(i))
        return MISMATCH
    return position
  }

  /** Whether a standalone jamo is only filler: it repeats the letter before or after it. */
  #isFiller(text: string, at: number, position: number, first: number): boolean {
    const code = text.charCodeAt(at)
    const before = visibleUnitBefore(text, at)
    const isDoubled = this.#codeAt(position) === this.#codeAt(position - 1)
    if (position > first && code === before && !isDoubled) return true
    const isBetween = ((this.#elements[position + 1] ?? 0) & ELEMENT_STARTS_SYLLABLE) !== 0
    if (!isBetween || kindBefore(text, at) !== Kind.syllable) return false
    const isEarly = this.#codeAt(position) !== foldedOf(code) && this.#codeAt(position + 1) === foldedOf(code)
    return isEarly || repeatsFinal(code, before)
  }

  #codeAt(position: number): number {
    return (this.#elements[position] ?? 0) & ELEMENT_CODE
  }
}

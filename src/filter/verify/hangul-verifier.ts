import { Flag, LETTER_CODE, type PatternTable, STARTS_SYLLABLE } from '../compiled.ts'
import { Kind, kindOf, SEPARATOR } from '../unicode/characters.ts'
import { finalOf, jamoOf, prolongsVowel, repeatsFinal } from '../unicode/hangul.ts'
import { kindBefore, skipSeparators } from '../unicode/text.ts'
import { VULGAR_SYLLABLES } from '../words/korean.ts'

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
  /** Whether the last match is written as it is listed. */
  isPlain = false
  readonly #flags: Uint32Array
  readonly #firstLetter: Int32Array
  readonly #letters: Uint32Array

  constructor({ flags, firstLetter, letters }: PatternTable) {
    this.#flags = flags
    this.#firstLetter = firstLetter
    this.#letters = letters
  }

  verify(text: string, pattern: number, end: number): boolean {
    const first = this.#firstLetter[pattern] ?? 0
    const isExactly = ((this.#flags[pattern] ?? 0) & Flag.exact) !== 0
    const last = (this.#firstLetter[pattern + 1] ?? 0) - 1
    let position = last
    let at = end
    let fillers = 0
    let separators = 0
    while (position >= first) {
      if (at === 0) return false
      const code = text.charCodeAt(at - 1)
      const kind = kindOf(code)
      at--
      if (((this.#letters[position] ?? 0) & LETTER_CODE) === SEPARATOR) {
        const before = skipSeparators(text, at + 1, NO_PUNCTUATION)
        if (before === at + 1) return false
        separators += at + 1 - before
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
      if (before === MISMATCH && !isExactly && prolongsVowel(code, unitBefore(text, at))) {
        position = this.#matchJamo(finalOf(code), position, first)
        if (position === MISMATCH) return false
        continue
      }
      position = before
      if (position === MISMATCH) return false
      if (kind === Kind.syllable && ((this.#letters[position + 1] ?? 0) & STARTS_SYLLABLE) === 0) return false
    }
    this.start = at
    const before = kindBefore(text, at)
    if (before === Kind.digit) return false
    const syllables = this.#countSyllables(pattern)
    this.isPlain = end - at === syllables + separators
    const isRepeated = unitBefore(text, at) === text.charCodeAt(at)
    const isVulgar = VULGAR_SYLLABLES.has(text.charAt(at))
    return before !== Kind.syllable || isRepeated || isVulgar || syllables > 1
  }

  #countSyllables(pattern: number): number {
    let syllables = 0
    for (
      let position = this.#firstLetter[pattern] ?? 0;
      position < (this.#firstLetter[pattern + 1] ?? 0);
      position++
    )
      if (((this.#letters[position] ?? 0) & STARTS_SYLLABLE) !== 0) syllables++
    return syllables
  }

  /** Matches the jamo of one character backwards. Returns the position before them, or `MISMATCH`. */
  #matchJamo(jamo: string, from: number, first: number): number {
    let position = from
    for (let i = jamo.length - 1; i >= 0; i--, position--)
      if (position < first || ((this.#letters[position] ?? 0) & LETTER_CODE) !== jamo.charCodeAt(i))
        return MISMATCH
    return position
  }

  /** Whether a standalone jamo is only filler: it repeats the letter before or after it. */
  #isFiller(text: string, at: number, position: number, first: number): boolean {
    const code = text.charCodeAt(at)
    const before = unitBefore(text, at)
    const isDoubled = this.#codeAt(position) === this.#codeAt(position - 1)
    if (position > first && code === before && !isDoubled) return true
    const isBetween = ((this.#letters[position + 1] ?? 0) & STARTS_SYLLABLE) !== 0
    if (!isBetween || kindBefore(text, at) !== Kind.syllable) return false
    const isEarly = this.#codeAt(position) !== code && this.#codeAt(position + 1) === code
    return isEarly || repeatsFinal(code, before)
  }

  #codeAt(position: number): number {
    return (this.#letters[position] ?? 0) & LETTER_CODE
  }
}

const unitBefore = (text: string, at: number) => (at > 0 ? text.charCodeAt(at - 1) : 0)

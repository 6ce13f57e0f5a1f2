import { countOf, ELEMENT_CODE, Flag, isExact, type PatternTable } from '../compiled.ts'
import {
  composedOf,
  equalsFolded,
  isLetterIgnoringAccents,
  isVoicingMark,
  Kind,
  kindOf,
  SEPARATOR,
  standsFor,
} from '../unicode/characters.ts'
import { codeBefore, isIgnorable, skipSeparators, widthOf } from '../unicode/text.ts'

const MISMATCH = -1
/** A letter repeated this often is stretched on purpose. */
const MIN_STRETCH = 3
/** Patterns of which every letter may be repeated. */
export const STRETCHABLE = Flag.inflects | Flag.jamo
/** Minimum length of a word made entirely of homoglyphs to be read as a Latin word. */
const MIN_FOREIGN = 4

/** Matches the letters of a pattern backwards from a position of a text, seeing through obfuscation. */
export class LetterMatcher {
  /** Letters of the last match that were doubled, and whether the last letter was. */
  doubles = 0
  isLastDoubled = false
  readonly #flags: Uint8Array
  readonly #firstElement: Int32Array
  readonly #elements: Uint32Array
  /** Characters of the current match: all, genuine letters, homoglyphs and digits. */
  #letters = 0
  #genuine = 0
  #foreign = 0
  #digits = 0

  constructor({ flags, firstElement, elements }: PatternTable) {
    this.#flags = flags
    this.#firstElement = firstElement
    this.#elements = elements
  }

  /** The start of the match that ends here, or -1. */
  matchBack(text: string, pattern: number, end: number, limit = 0): number {
    const first = this.#firstElement[pattern] ?? 0
    const last = (this.#firstElement[pattern + 1] ?? 0) - 1
    this.doubles = 0
    this.isLastDoubled = false
    this.#letters = 0
    this.#genuine = 0
    this.#foreign = 0
    this.#digits = 0
    let at = end
    for (let position = last; position >= first; position--) {
      at = this.#matchElement(text, pattern, position, at, limit)
      if (at === MISMATCH) return MISMATCH
      if (position === last) this.isLastDoubled = this.doubles > 0
    }
    return this.#isPlausible() ? at : MISMATCH
  }

  /** Whether enough of the match is genuine. */
  #isPlausible(): boolean {
    if (this.#letters < MIN_FOREIGN && this.#digits > this.#genuine) return false
    return this.#genuine > 0 || (this.#foreign === this.#letters && this.#letters >= MIN_FOREIGN)
  }

  /** The start of the element that ends here, or `MISMATCH`. */
  #matchElement(text: string, pattern: number, position: number, end: number, limit: number): number {
    const element = this.#elements[position] ?? 0
    if ((element & ELEMENT_CODE) !== SEPARATOR) return this.#matchRun(text, pattern, position, end, limit)
    const before = skipSeparators(text, end, this.#previousLetter(pattern, position))
    return before === end ? MISMATCH : before
  }

  /** The same for a run of one letter. */
  #matchRun(text: string, pattern: number, position: number, end: number, limit: number): number {
    const flags = this.#flags[pattern] ?? 0
    const element = this.#elements[position] ?? 0
    const letter = element & ELEMENT_CODE
    const required = countOf(element)
    const previous = this.#previousLetter(pattern, position)
    let at = end
    let reach = end
    let taken = 0
    let nonLetters = 0
    let mark = 0
    let markEnd = 0
    while (reach > limit) {
      const code = codeBefore(text, reach)
      const before = reach - widthOf(code)
      if (isIgnorable(code)) {
        if (mark === 0) markEnd = reach
        mark = code
        reach = before
        continue
      }
      const isVoiced = isVoicingMark(mark)
      const isGenuine = isVoiced
        ? composedOf(text.slice(before, markEnd)) === letter
        : code === letter || isLetterIgnoringAccents(code, letter)
      const isMatch = isGenuine
        ? isVoiced || !isExact(flags) || equalsFolded(code, letter)
        : !isVoiced && mayBeLetter(text, before, mark === 0 ? before : markEnd, letter, flags)
      if (!isMatch) break
      if (taken >= required && !this.#mayTakeMore(code, pattern, position)) break
      if (taken >= required && previous !== 0 && matchesLetter(code, previous, flags)) break
      mark = 0
      taken++
      if (kindOf(code) !== Kind.letter) nonLetters++
      this.#recordCharacter(code, isGenuine)
      reach = before
      at = before
    }
    if (taken < required || (taken > required && !mayStretch(taken, flags, nonLetters))) return MISMATCH
    if (taken > required && taken < MIN_STRETCH) this.doubles++
    return at
  }

  #previousLetter(pattern: number, position: number): number {
    return position > (this.#firstElement[pattern] ?? 0)
      ? (this.#elements[position - 1] ?? 0) & ELEMENT_CODE
      : 0
  }

  #mayTakeMore(code: number, pattern: number, position: number): boolean {
    const flags = this.#flags[pattern] ?? 0
    const first = this.#firstElement[pattern] ?? 0
    const isOnly = first + 1 === this.#firstElement[pattern + 1]
    return (
      !isExact(flags) &&
      mayStretchBy(code, isOnly ? flags & STRETCHABLE : flags & ~Flag.openAfter, position === first)
    )
  }

  #recordCharacter(code: number, isGenuine: boolean): void {
    this.#letters++
    if (isGenuine) this.#genuine++
    else if (kindOf(code) === Kind.letter) this.#foreign++
    else if (kindOf(code) === Kind.digit) this.#digits++
  }
}

/** Whether a look-alike can stand for the letter, or a character composes to it with the accents up to `end`. */
function mayBeLetter(text: string, at: number, end: number, letter: number, flags: number): boolean {
  if (!isExact(flags) && standsFor(text.codePointAt(at) ?? 0, letter)) return true
  return letter > 0x7f && end > at && composedOf(text.slice(at, end)) === letter
}

export const matchesLetter = (code: number, letter: number, flags: number) =>
  isExact(flags) ? equalsFolded(code, letter) : standsFor(code, letter)

const mayStretch = (taken: number, flags: number, nonLetters: number) =>
  (flags & STRETCHABLE) !== 0 || (taken >= MIN_STRETCH && nonLetters === 0)

/** A short word is not stretched by punctuation or digits, and on an open side not at all. */
export const mayStretchBy = (code: number, flags: number, isOpenEnd: boolean) =>
  (flags & STRETCHABLE) !== 0 ||
  (kindOf(code) === Kind.letter && !(isOpenEnd && (flags & (Flag.openBefore | Flag.openAfter)) !== 0))

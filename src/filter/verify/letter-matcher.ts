import { Flag, isExact, SEPARATOR } from '../compile/expression.ts'
import { countOf, ELEMENT_CODE, type PatternTable } from '../compiled.ts'
import { composedOf, isLetter, isSame, isVoicing, Kind, kindOf, standsFor } from '../unicode/characters.ts'
import { codeBefore, isIgnorable, skipSeparators, widthOf } from '../unicode/text.ts'

const MISMATCH = -1
/** A letter that stands so often in a row is stretched on purpose. */
const STRETCHED = 3
/** Patterns whose letters may each stand there more often. */
export const STRETCHES = Flag.bends | Flag.looseJamo
/** A word that is all letters of another script must be so long to be taken for a Latin one. */
const MIN_FOREIGN = 4

/** Finds the letters of a pattern before a place of a text, whatever disguises them. */
export class LetterMatcher {
  /** Letters of the last match that stand once more than they should, and whether the last one does. */
  doubles = 0
  isLastDoubled = false
  readonly #flags: Uint8Array
  readonly #first: Int32Array
  readonly #elements: Uint32Array
  /** Of the match under way: how many characters it took, and how many of them are the letters themselves, others, or digits. */
  #letters = 0
  #honest = 0
  #foreign = 0
  #digits = 0

  constructor({ flags, first, elements }: PatternTable) {
    this.#flags = flags
    this.#first = first
    this.#elements = elements
  }

  /** Where the match that ends here begins, or -1. */
  matchBack(text: string, pattern: number, end: number, limit = 0): number {
    const first = this.#first[pattern] ?? 0
    const last = (this.#first[pattern + 1] ?? 0) - 1
    this.doubles = 0
    this.isLastDoubled = false
    this.#letters = 0
    this.#honest = 0
    this.#foreign = 0
    this.#digits = 0
    let at = end
    for (let place = last; place >= first; place--) {
      at = this.#takeElement(text, pattern, place, at, limit)
      if (at === MISMATCH) return MISMATCH
      if (place === last) this.isLastDoubled = this.doubles > 0
    }
    return this.#isHonest() ? at : MISMATCH
  }

  /** Whether enough of it is what it says. */
  #isHonest(): boolean {
    if (this.#letters < MIN_FOREIGN && this.#digits > this.#honest) return false
    return this.#honest > 0 || (this.#foreign === this.#letters && this.#letters >= MIN_FOREIGN)
  }

  /** Where an element that ends here begins, or `MISMATCH`. */
  #takeElement(text: string, pattern: number, place: number, end: number, limit: number): number {
    const element = this.#elements[place] ?? 0
    if ((element & ELEMENT_CODE) !== SEPARATOR) return this.#takeRun(text, pattern, place, end, limit)
    const before = skipSeparators(text, end, this.#formerOf(pattern, place))
    return before === end ? MISMATCH : before
  }

  /** The same of a letter that stands there several times. */
  #takeRun(text: string, pattern: number, place: number, end: number, limit: number): number {
    const flags = this.#flags[pattern] ?? 0
    const element = this.#elements[place] ?? 0
    const letter = element & ELEMENT_CODE
    const wanted = countOf(element)
    const former = this.#formerOf(pattern, place)
    let at = end
    let reach = end
    let taken = 0
    let signs = 0
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
      const isVoiced = isVoicing(mark)
      const isTrue = isVoiced
        ? composedOf(text.slice(before, markEnd)) === letter
        : code === letter || isLetter(code, letter)
      const isOne = isTrue
        ? isVoiced || !isExact(flags) || isSame(code, letter)
        : !isVoiced && mayStand(text, before, mark === 0 ? before : markEnd, letter, flags)
      if (!isOne) break
      if (taken >= wanted && !this.#mayTakeMore(code, pattern, place)) break
      if (taken >= wanted && former !== 0 && matches(code, former, flags)) break
      mark = 0
      taken++
      if (kindOf(code) !== Kind.letter) signs++
      this.#note(code, isTrue)
      reach = before
      at = before
    }
    if (taken < wanted || (taken > wanted && !mayStretch(taken, flags, signs))) return MISMATCH
    if (taken > wanted && taken < STRETCHED) this.doubles++
    return at
  }

  #formerOf(pattern: number, place: number): number {
    return place > (this.#first[pattern] ?? 0) ? (this.#elements[place - 1] ?? 0) & ELEMENT_CODE : 0
  }

  #mayTakeMore(code: number, pattern: number, place: number): boolean {
    const flags = this.#flags[pattern] ?? 0
    const first = this.#first[pattern] ?? 0
    const isOnly = first + 1 === this.#first[pattern + 1]
    return (
      !isExact(flags) &&
      mayStretchBy(code, isOnly ? flags & STRETCHES : flags & ~Flag.openAfter, place === first)
    )
  }

  #note(code: number, isTrue: boolean): void {
    this.#letters++
    if (isTrue) this.#honest++
    else if (kindOf(code) === Kind.letter) this.#foreign++
    else if (kindOf(code) === Kind.digit) this.#digits++
  }
}

/** Whether a character that is not the letter may be meant for it, or is it with the accents up to `end`. */
function mayStand(text: string, at: number, end: number, letter: number, flags: number): boolean {
  if (!isExact(flags) && standsFor(text.codePointAt(at) ?? 0, letter)) return true
  return letter > 0x7f && end > at && composedOf(text.slice(at, end)) === letter
}

export const matches = (code: number, letter: number, flags: number) =>
  isExact(flags) ? isSame(code, letter) : standsFor(code, letter)

const mayStretch = (taken: number, flags: number, signs: number) =>
  (flags & STRETCHES) !== 0 || (taken >= STRETCHED && signs === 0)

/** A short word takes no sign or digit more than it asks for, and where it is open nothing more at all. */
export const mayStretchBy = (code: number, flags: number, isOpenEnd: boolean) =>
  (flags & STRETCHES) !== 0 ||
  (kindOf(code) === Kind.letter && !(isOpenEnd && (flags & (Flag.openBefore | Flag.openAfter)) !== 0))

import { Flag, isExact, SEPARATOR } from '../compile/expression.ts'
import { countOf, ELEMENT_CODE, type PatternTable } from '../compiled.ts'
import { disguiseOf, Kind, kindOf } from '../unicode/characters.ts'
import { unitAt } from '../unicode/text.ts'

export const Verdict = { no: 0, yes: 1, unsure: 2 } as const

const ASCII = 0x80
const TO_LOWER = 0x20
const STAR = 0x2a
const LETTER_U = 0x75
const LETTER_V = 0x76

const MISMATCH = -1
const TRICKY = -2

const Sort = { other: 0, letter: 1, space: 2 } as const

/** What a unit is as long as nobody plays tricks: a letter, something between words that stands for no letter, or neither. */
const sorts = Uint8Array.from({ length: ASCII }, (_, unit) =>
  isAsciiLetter(unit | TO_LOWER) && unit > 0x40
    ? Sort.letter
    : unit !== STAR && kindOf(unit) === Kind.separator && disguiseOf(unit) === 0
      ? Sort.space
      : Sort.other,
)

function isAsciiLetter(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a
}

/** Looks at plain ASCII, which nearly all is that comes to a verifier, and leaves the rest to the others. */
export class PlainVerifier {
  /** Where the last match begins and ends. */
  start = 0
  end = 0
  readonly #flags: Uint8Array
  readonly #first: Int32Array
  readonly #elements: Uint32Array

  constructor({ flags, first, elements }: PatternTable) {
    this.#flags = flags
    this.#first = first
    this.#elements = elements
  }

  /** `at` is where the unit ends that completed the classes. */
  verify(text: string, pattern: number, at: number): number {
    const flags = this.#flags[pattern] ?? 0
    const last = (this.#first[pattern + 1] ?? 0) - 1
    const element = this.#elements[last] ?? 0
    if (!isAsciiLetter(element & ELEMENT_CODE)) return Verdict.unsure
    // The classes were complete with the first letter of the last run.
    const end = at - 1 + countOf(element)
    if (end > text.length) return Verdict.no
    const start = this.#matchBack(text, pattern, at, end)
    if (start < 0) return start === MISMATCH ? Verdict.no : Verdict.unsure
    if (sortAt(text, start - 1) !== Sort.space) return Verdict.unsure
    const next = sortAt(text, end)
    if (next === Sort.space) {
      // The whole word is a pattern of its own.
      if ((flags & Flag.within) !== 0) return Verdict.no
      this.start = start
      this.end = end
      return Verdict.yes
    }
    return next === Sort.letter && isExact(flags) && (flags & Flag.openAfter) === 0
      ? Verdict.no
      : Verdict.unsure
  }

  /** Where the match that ends here begins, or `MISMATCH`, or `TRICKY`. */
  #matchBack(text: string, pattern: number, at: number, end: number): number {
    const elements = this.#elements
    const first = this.#first[pattern] ?? 0
    let index = end
    for (let place = (this.#first[pattern + 1] ?? 0) - 1; place >= first; place--) {
      const element = elements[place] ?? 0
      const letter = element & ELEMENT_CODE
      if (!isAsciiLetter(letter)) {
        const isSpace = letter === SEPARATOR && isAsciiLetter((elements[place - 1] ?? 0) & ELEMENT_CODE)
        if (!isSpace) return this.#isOther(text, pattern, place, index, at, end) ? MISMATCH : TRICKY
        index = skipSpaces(text, index)
        if (index === TRICKY) return TRICKY
        continue
      }
      for (let n = countOf(element); n > 0; n--, index--) {
        if (index === 0) return MISMATCH
        if ((text.charCodeAt(index - 1) | TO_LOWER) === letter) continue
        return this.#isOther(text, pattern, place, index, at, end) ? MISMATCH : TRICKY
      }
    }
    return index
  }

  /** Whether what stands before an index is surely not what the pattern has there. */
  #isOther(text: string, pattern: number, place: number, index: number, at: number, end: number): boolean {
    const letter = (this.#elements[place] ?? 0) & ELEMENT_CODE
    const unit = unitAt(text, index - 1) | TO_LOWER
    const isStrict = isExact(this.#flags[pattern] ?? 0)
    if (letter >= ASCII || letter === SEPARATOR || (index === at && !isOver(text, end, letter, isStrict)))
      return false
    if (isStrict) return unit < ASCII && unit !== (letter | TO_LOWER)
    const sort = sortAt(text, index - 1)
    const isLast = place + 1 === this.#first[pattern + 1]
    const later = isLast ? letter : (this.#elements[place + 1] ?? 0) & ELEMENT_CODE
    return sort === Sort.space || (sort === Sort.letter && !isMeant(unit, letter) && !isMeant(unit, later))
  }
}

/** Whether nothing further of the run that ends here may be the letter that is looked for. */
function isOver(text: string, end: number, letter: number, isStrict: boolean): boolean {
  const unit = unitAt(text, end) | TO_LOWER
  return unit < ASCII && unit !== (letter | TO_LOWER) && (isStrict || sortAt(text, end) !== Sort.other)
}

/** Where the spaces before an index begin, or `TRICKY` when there is none, or more than spaces. */
function skipSpaces(text: string, index: number): number {
  let at = index
  while (at > 0 && sortAt(text, at - 1) === Sort.space) at--
  return at === index || sortAt(text, at - 1) !== Sort.letter ? TRICKY : at
}

/** A `v` is carved for a `u`. */
const isMeant = (unit: number, letter: number) =>
  unit === letter || (unit === LETTER_V && letter === LETTER_U)

function sortAt(text: string, index: number): number {
  const unit = unitAt(text, index)
  return unit < ASCII ? (sorts[unit] ?? 0) : Sort.other
}

import { Flag, type PatternTable } from '../compiled.ts'
import { classOf, Kind, kindOf, SEPARATOR } from '../unicode/characters.ts'
import { unitAt } from '../unicode/text.ts'

/** Results other than the start of a match. */
export const Plain = { mismatch: -1, unsure: -2 } as const

const LOWER_CASE_BIT = 0x20
const LETTER_I = 0x69
/** A letter repeated this often is stretched on purpose. */
const MIN_STRETCH = 3
const SPACE = 0x20

/** ASCII letters in lower case, and digits; 0 for all other units. */
const LETTERS = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  /[a-z]/i.test(String.fromCharCode(unit))
    ? unit | LOWER_CASE_BIT
    : /\d/.test(String.fromCharCode(unit))
      ? unit
      : 0,
)
const letterOf = (unit: number) => (unit < 0x80 ? (LETTERS[unit] ?? 0) : 0)

const CLASSES = Uint8Array.from({ length: 0x80 }, (_, unit) => classOf(unit))
const classOfUnit = (unit: number) => (unit < 0x80 ? (CLASSES[unit] ?? 0) : classOf(unit))

/**
 * Decides about words in plain ASCII letters, run by run, which is nearly all that reaches verification. Leaves the rest
 * undecided.
 */
export class PlainMatcher {
  /** The end of the last match. */
  end = 0
  readonly #flags: Uint32Array
  readonly #firstLetter: Int32Array
  readonly #letters: Uint32Array

  constructor({ flags, firstLetter, letters }: PatternTable) {
    this.#flags = flags
    this.#firstLetter = firstLetter
    this.#letters = letters
  }

  /** The start of the pattern whose last run of letters an index is in, or one of `Plain`. */
  match(text: string, at: number, pattern: number): number {
    const first = this.#firstLetter[pattern] ?? 0
    const lastUnit = letterOf(unitAt(text, at - 1))
    if (lastUnit === 0) return Plain.unsure
    let index = at
    while (letterOf(unitAt(text, index)) === lastUnit) index++
    if (classOfUnit(unitAt(text, index)) === classOfUnit(lastUnit)) return Plain.unsure
    this.end = index
    for (let position = (this.#firstLetter[pattern + 1] ?? 0) - 1; position >= first; ) {
      const expected = this.#letters[position] ?? 0
      if (expected === SEPARATOR) {
        const before = skipSpaces(text, index)
        if (before === index) return Plain.unsure
        index = before
        position--
        continue
      }
      if (letterOf(unitAt(text, index - 1)) !== expected) return Plain.unsure
      let required = 1
      while (position - required >= first && this.#letters[position - required] === expected) required++
      let found = 1
      while (letterOf(unitAt(text, index - found - 1)) === expected) found++
      // The run may go on with look-alikes.
      if (classOfUnit(unitAt(text, index - found - 1)) === classOfUnit(expected)) return Plain.unsure
      // A capital I may be another letter.
      if (found !== required)
        return expected === LETTER_I ? Plain.unsure : this.#judgeRun(found, required, pattern)
      index -= found
      position -= required
    }
    return index
  }

  /** Too few letters are a mismatch, and too many if the pattern cannot be stretched. */
  #judgeRun(found: number, required: number, pattern: number): number {
    if (found < required) return Plain.mismatch
    return ((this.#flags[pattern] ?? 0) & Flag.stretchable) === 0 && found < MIN_STRETCH
      ? Plain.mismatch
      : Plain.unsure
  }
}

/** The start of the spaces before an index, the same index if there is anything else. */
function skipSpaces(text: string, index: number): number {
  let at = index
  while (at > 0 && text.charCodeAt(at - 1) === SPACE) at--
  return at > 0 && kindOf(text.charCodeAt(at - 1)) === Kind.letter ? at : index
}

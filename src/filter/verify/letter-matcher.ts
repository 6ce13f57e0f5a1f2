import { Flag, LETTER_CODE, type PatternTable } from '../compiled.ts'
import { baseOf, equalsFolded, foldedOf, Kind, kindOf, SEPARATOR, standsFor } from '../unicode/characters.ts'
import { readClassOf, widthOf } from '../unicode/text.ts'

/** A mask does not separate words, otherwise masking a word could join the words around it into a phrase. */
const STAR = 0x2a
const LOWER_CASE_BIT = 0x20
const [CAPITAL_I, DOTLESS_I] = [0x49, 0x131]
/** Ends of the same match that are considered. */
const MAX_ENDS = 16
const MAX_LETTERS = 129

/**
 * Matches the letters of a pattern from a position of a text on. Simulates an automaton with a state for each number of
 * letters matched: a character can be the next letter or, if letters may be repeated, the last one again.
 */
export class LetterMatcher {
  /** Where the last match can end, in ascending order. */
  readonly ends = new Int32Array(MAX_ENDS)
  endCount = 0
  readonly #flags: Uint32Array
  readonly #firstLetter: Int32Array
  readonly #letters: Uint32Array
  readonly #ownLetters: ReadonlySet<number>
  #live = new Uint8Array(MAX_LETTERS + 1)
  #next = new Uint8Array(MAX_LETTERS + 1)

  constructor({ flags, firstLetter, letters }: PatternTable, ownLetters: string) {
    this.#flags = flags
    this.#firstLetter = firstLetter
    this.#letters = letters
    this.#ownLetters = new Set(
      Array.from(ownLetters + capitalsOf(ownLetters), (each) => each.codePointAt(0) ?? 0),
    )
  }

  /** Sets `ends`. */
  match(text: string, from: number, pattern: number): void {
    const first = this.#firstLetter[pattern] ?? 0
    const count = Math.min((this.#firstLetter[pattern + 1] ?? 0) - first, MAX_LETTERS)
    const flags = this.#flags[pattern] ?? 0
    this.endCount = 0
    this.#live[0] = 0
    let live = 1
    for (let at = from; at < text.length && live > 0; ) {
      const unit = text.charCodeAt(at)
      const code = unit >= 0xd800 && unit <= 0xdbff ? (text.codePointAt(at) ?? unit) : unit
      live = this.#step(code, first, count, flags, live)
      at += widthOf(code)
      if (live === 0 || this.#live[live - 1] !== count) continue
      // Of many, the last counts: a word that is stretched further is matched to its end.
      if (this.endCount < MAX_ENDS) this.endCount++
      this.ends[this.endCount - 1] = at
    }
  }

  /** Reads a character. Returns the number of live states, which are in ascending order. */
  #step(code: number, first: number, count: number, flags: number, live: number): number {
    const [states, next] = [this.#live, this.#next]
    let kept = 0
    for (let index = 0; index < live; index++) {
      const matched = states[index] ?? 0
      const isRepeated = matched > 0 && this.#repeats(code, this.#letterAt(first + matched - 1), flags)
      if (isRepeated && (kept === 0 || next[kept - 1] !== matched)) next[kept++] = matched
      if (matched < count && this.accepts(code, this.#letterAt(first + matched), flags))
        next[kept++] = matched + 1
    }
    this.#live = next
    this.#next = states
    return kept
  }

  #letterAt(index: number): number {
    return (this.#letters[index] ?? 0) & LETTER_CODE
  }

  #repeats(code: number, letter: number, flags: number): boolean {
    if (letter === SEPARATOR) return this.accepts(code, letter, flags)
    return (
      (flags & Flag.exact) === 0 && kindOf(letter) !== Kind.separator && this.accepts(code, letter, flags)
    )
  }

  /** Whether a character of a text can be a letter of an expression. */
  accepts(code: number, letter: number, flags: number): boolean {
    if (code === letter) return code !== STAR || letter === STAR
    if (letter === SEPARATOR) return kindOf(code) === Kind.separator && code !== STAR
    if ((code | LOWER_CASE_BIT) === letter && letter >= 0x61 && letter <= 0x7a) return true
    if (isSameLetter(code, letter)) return true
    if (kindOf(code) === Kind.separator) return false
    if ((flags & Flag.unaccented) !== 0 && baseOf(letter) === baseOf(code) && !this.#ownLetters.has(code))
      return true
    if ((flags & Flag.unaccented) !== 0 && baseOf(letter) === foldedOf(code)) return true
    return (flags & Flag.exact) === 0 && !this.#ownLetters.has(code) && standsFor(code, letter)
  }

  /** Whether a text is the pattern as it is written, but for case. */
  isPlain(text: string, start: number, end: number, pattern: number): boolean {
    let letter = this.#firstLetter[pattern] ?? 0
    const last = this.#firstLetter[pattern + 1] ?? 0
    for (let at = start; at < end; letter++) {
      const code = text.codePointAt(at) ?? 0
      const expected = this.#letterAt(letter)
      if (letter >= last || (expected !== SEPARATOR && !isSameLetter(code, expected))) return false
      at += widthOf(code)
      if (expected === SEPARATOR) while (at < end && kindOf(text.charCodeAt(at)) === Kind.separator) at++
    }
    return letter === last
  }

  lengthOf(pattern: number): number {
    return (this.#firstLetter[pattern + 1] ?? 0) - (this.#firstLetter[pattern] ?? 0)
  }

  firstOf(pattern: number): number {
    return this.#letterAt(this.#firstLetter[pattern] ?? 0)
  }

  /** The number of letters of the first run of one class. */
  firstRunOf(pattern: number): number {
    const own = readClassOf(this.firstOf(pattern))
    const length = this.lengthOf(pattern)
    let run = 1
    while (run < length && readClassOf(this.#letterAt((this.#firstLetter[pattern] ?? 0) + run)) === own) run++
    return run
  }

  lastOf(pattern: number): number {
    return this.#letterAt((this.#firstLetter[pattern + 1] ?? 0) - 1)
  }
}

/** The capital `I` belongs to both i and ı. */
const capitalsOf = (letters: string) => letters.toUpperCase().replaceAll('I', '')

/** Whether a character is a letter in any case. The capital `I` belongs to both i and ı. */
const isSameLetter = (code: number, letter: number) =>
  equalsFolded(code, letter) || (code === CAPITAL_I && letter === DOTLESS_I)

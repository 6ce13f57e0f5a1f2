import { type CompiledList, censoredBucket, Flag, LETTER_CODE } from '../compiled.ts'
import { baseOf } from '../unicode/characters.ts'
import type { Verifier } from '../verify/verifier.ts'
import { Rule } from './match.ts'
import type { Scanner } from './scanner.ts'
import type { Token } from './tokens.ts'

/** Signs that join words: `pen's`, `and/or`. */
const SEPARATING: ReadonlySet<number> = new Set(Array.from('\'’`´/,:;"', (each) => each.charCodeAt(0)))
const STARS: ReadonlySet<number> = new Set([0x2a, 0x23])
const MAX_WORD = 24
const LAST_ASCII = 0x7f
const NO_GROUP = { start: 0, end: 0, sign: 0 }
const MIN_LETTERS = 4
const LONGEST_ENDING = 5

/** Finds words with a sign in place of a letter: `f*ck`, `b🔥tch`. */
export class CensoredWords {
  readonly #compiled: CompiledList
  readonly #verifier: Verifier
  readonly #scanner: Scanner

  constructor(compiled: CompiledList, verifier: Verifier, scanner: Scanner) {
    this.#compiled = compiled
    this.#verifier = verifier
    this.#scanner = scanner
  }

  find(text: string, tokens: readonly Token[]): void {
    for (const { groups } of tokens)
      for (let index = 0; index < groups.length; index++) {
        const { start, end, sign } = groups[index] ?? NO_GROUP
        const signs = (end - start) / (sign > 0xffff ? 2 : 1)
        // An emoji can be a sequence of several.
        let last = end
        for (
          let next = groups[index + 1];
          sign > LAST_ASCII && next?.start === last;
          next = groups[++index + 1]
        )
          last = next.end
        if (SEPARATING.has(sign)) continue
        if (last > end) this.#findAround(text, start, last, 1, false)
        else if (signs === 1 || STARS.has(sign)) this.#findAround(text, start, end, signs, STARS.has(sign))
      }
  }

  /** Looks up the word around a sign, with each of its endings. */
  #findAround(text: string, start: number, end: number, signs: number, isStarred: boolean): void {
    const { word } = this.#verifier
    word.locate(text, start, start)
    const first = word.start
    word.locate(text, end, end)
    const last = word.end
    if (first === start || last === end || start - first + last - end > MAX_WORD) return
    for (let stop = last; stop > end && stop >= last - LONGEST_ENDING; stop--) {
      const ending = stop === last ? 0 : word.endingAfter(text, stop)
      if (stop < last && ending === 0) continue
      this.#lookUp(text, { first, start, end, stop, last, signs, isStarred, ending })
    }
  }

  #lookUp(text: string, around: Around): void {
    const { censored, patterns } = this.#compiled
    const { first, start, end, stop, last, signs, ending } = around
    const length = start - first + signs + stop - end
    if (signs * 2 > length) return
    const bucket = censoredBucket(text.charCodeAt(first), text.charCodeAt(stop - 1), length)
    for (let at = censored.firstPattern[bucket] ?? 0; at < (censored.firstPattern[bucket + 1] ?? 0); at++) {
      const pattern = censored.patterns[at] ?? 0
      if (ending !== 0 && ((patterns.endings[pattern] ?? 0) & ending) === 0) continue
      if (ending === 0 && ((patterns.flags[pattern] ?? 0) & Flag.needsEnding) !== 0) continue
      if (this.#matches(text, around, pattern, length))
        this.#scanner.matches.push({ start: first, end: last, pattern, rule: Rule.disguise })
    }
  }

  /** In a short word only a star stands for a letter, and only for a vowel: `T_T` is a face. */
  #matches(
    text: string,
    { first, start, end, stop, signs, isStarred }: Around,
    pattern: number,
    length: number,
  ): boolean {
    const { firstLetter, letters, flags } = this.#compiled.patterns
    const from = firstLetter[pattern] ?? 0
    if ((firstLetter[pattern + 1] ?? 0) - from !== length) return false
    const flag = flags[pattern] ?? 0
    const letterAt = (index: number) => (letters[from + index] ?? 0) & LETTER_CODE
    const before = start - first
    for (let at = first; at < start; at++)
      if (!this.#verifier.letters.accepts(text.charCodeAt(at), letterAt(at - first), flag)) return false
    for (let at = end; at < stop; at++)
      if (!this.#verifier.letters.accepts(text.charCodeAt(at), letterAt(before + signs + at - end), flag))
        return false
    return length >= MIN_LETTERS || (isStarred && signs === 1 && VOWELS.has(baseOf(letterAt(before))))
  }
}

interface Around {
  /** The word: letters from `first`, signs from `start` to `end`, letters to `stop`, an ending to `last`. */
  readonly first: number
  readonly start: number
  readonly end: number
  readonly stop: number
  readonly last: number
  readonly signs: number
  readonly isStarred: boolean
  readonly ending: number
}

const VOWELS = new Set(Array.from('aeiouy', (letter) => letter.charCodeAt(0)))

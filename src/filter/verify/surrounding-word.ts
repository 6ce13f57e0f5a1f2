import type { KnownWords } from '../compiled.ts'
import { baseOf, foldedOf, Kind, kindOf } from '../unicode/characters.ts'
import { unitAt } from '../unicode/text.ts'
import { Dictionary, hashLetter, hashWord, START_HASH } from '../words/dictionary.ts'

/** Longest word considered, to bound the search for its ends. */
const MAX_WORD = 40
const LONGEST_ENDING = 6
/** Parts of compounds. */
const MIN_PART = 3

const isWordUnit = (unit: number) => {
  const kind = kindOf(unit)
  return kind === Kind.letter || kind === Kind.digit
}

/** The word around a match, and what the language of the list says about it. */
export class SurroundingWord {
  /** Its span, without digits at its edges. */
  start = 0
  end = 0
  readonly #innocent: Dictionary
  readonly #vulgar: Dictionary
  /** The bits of endings by the hash of their letters. */
  readonly #endings: ReadonlyMap<number, number>
  readonly #inflections: number

  constructor({ innocent, vulgar, endings, inflections }: KnownWords) {
    this.#inflections = inflections
    this.#innocent = new Dictionary(innocent)
    this.#vulgar = new Dictionary(vulgar)
    this.#endings = new Map(
      endings === '' ? [] : endings.split(' ').map((ending, index) => [hashWord(ending), 1 << index]),
    )
  }

  /** Finds the word around a span. */
  locate(text: string, from: number, to: number): void {
    let start = from
    while (start > 0 && from - start < MAX_WORD && isWordUnit(text.charCodeAt(start - 1))) start--
    let end = to
    while (end < text.length && end - to < MAX_WORD && isWordUnit(text.charCodeAt(end))) end++
    while (start < from && kindOf(text.charCodeAt(start)) === Kind.digit) start++
    while (end > to && kindOf(text.charCodeAt(end - 1)) === Kind.digit) end--
    this.start = start
    this.end = end
  }

  /** Whether it is an innocent word, as it is written. */
  isInnocent(text: string): boolean {
    return this.#innocent.has(hashOf(text, this.start, this.end))
  }

  /** The bit of the ending between a match and the end of the word, or 0. */
  endingAfter(text: string, at: number): number {
    return this.end - at > LONGEST_ENDING ? 0 : (this.#endings.get(hashBases(text, at, this.end)) ?? 0)
  }

  /** Whether the rest of the word before a match is empty or a word. */
  isPartBefore(text: string, at: number): boolean {
    return at === this.start || this.isWord(text, this.start, at)
  }

  /** Whether the rest of the word after a match is empty, an ending or a word. */
  isPartAfter(text: string, at: number): boolean {
    if (at === this.end || this.isWord(text, at, this.end)) return true
    if ((this.endingAfter(text, at) & this.#inflections) !== 0) return true
    for (let end = this.end - 1; end > this.end - LONGEST_ENDING && end >= at + MIN_PART; end--)
      if (this.endingAfter(text, end) !== 0 && this.isWord(text, at, end)) return true
    return false
  }

  /** Whether a part of a text is a word of the language, innocent or not. */
  isWord(text: string, start: number, end: number): boolean {
    if (end - start < MIN_PART) return false
    const hash = hashOf(text, start, end)
    return this.#innocent.has(hash) || this.#vulgar.has(hash)
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = START_HASH
  for (let at = start; at < end; at++) hash = hashLetter(hash, foldedOf(unitAt(text, at)))
  return hash
}

/** Without accents: an ending may be disguised as well. */
function hashBases(text: string, start: number, end: number): number {
  let hash = START_HASH
  for (let at = start; at < end; at++) hash = hashLetter(hash, baseOf(text.charCodeAt(at)))
  return hash
}

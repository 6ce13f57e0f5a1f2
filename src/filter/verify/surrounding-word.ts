import type { KnownWords } from '../compiled.ts'
import { baseOf, foldedOf, Kind, kindOf } from '../unicode/characters.ts'
import { unitAt } from '../unicode/text.ts'
import { Dictionary, hashLetter, hashWord, START_HASH } from '../words/dictionary.ts'

/** No dictionary has a longer word. */
const MAX_WORD = 40
const LONGEST_ENDING = 6
/** Parts of compounds. */
const MIN_PART = 3
const UNKNOWN = -1

const isWordUnit = (unit: number) => {
  const kind = kindOf(unit)
  return kind === Kind.letter || kind === Kind.digit
}

/** The word around a match, and what the language of the list says about it. */
export class SurroundingWord {
  /** Its span, without digits at its edges. */
  start = 0
  end = 0
  /** The word that was found last, digits included, and whether it is innocent. */
  #from = 0
  #to = 0
  /** The end of the first word of the span. */
  #single = 0
  #innocence = UNKNOWN
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

  /** Forgets the word that was found last. Must be called before another text is read. */
  reset(): void {
    this.#from = 0
    this.#to = 0
  }

  /** Finds the word around a span. Many matches are in the same word, which is searched only once. */
  locate(text: string, from: number, to: number): void {
    if (from < this.#from || to > this.#to || this.#to === 0) this.#find(text, from, to)
    let start = this.#from
    while (start < from && kindOf(text.charCodeAt(start)) === Kind.digit) start++
    let end = this.#to
    while (end > to && kindOf(text.charCodeAt(end - 1)) === Kind.digit) end--
    this.start = start
    this.end = end
    if (to > this.#single) this.reset()
  }

  #find(text: string, from: number, to: number): void {
    let start = from
    while (start > 0 && isWordUnit(text.charCodeAt(start - 1))) start--
    let single = from
    while (single < text.length && isWordUnit(text.charCodeAt(single))) single++
    let end = Math.max(single, to)
    while (single < to && end < text.length && isWordUnit(text.charCodeAt(end))) end++
    this.#from = start
    this.#to = end
    this.#single = single
    this.#innocence = UNKNOWN
  }

  /** Whether it is an innocent word, as it is written. */
  isInnocent(text: string): boolean {
    const { start, end } = this
    if (end - start > MAX_WORD) return false
    if (start !== this.#from || end !== this.#to) return this.#innocent.has(hashOf(text, start, end))
    if (this.#innocence === UNKNOWN) this.#innocence = this.#innocent.has(hashOf(text, start, end)) ? 1 : 0
    return this.#innocence === 1
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
    if (end - start < MIN_PART || end - start > MAX_WORD) return false
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

import { BloomDictionary, NO_SLOT } from '../words/bloom-dictionary.ts'
import { Dictionary, hashLetter, hashWord, START_HASH } from '../words/dictionary.ts'
import { SUFFIXES } from '../words/suffixes.ts'

/** The leading suffixes, which nearly every verb and noun takes. */
const COMMON_COUNT = SUFFIXES.indexOf('in') + 1

const AGENT_SUFFIX = 1 << SUFFIXES.indexOf('er')
const AGENT_PLURAL = 1 << SUFFIXES.indexOf('ers')

const ALL_SUFFIXES = (1 << SUFFIXES.length) - 1
/** The word contains, or is contained in, another word of its list. */
const RELATED = 1 << SUFFIXES.length
const COMMON_SUFFIXES = (1 << COMMON_COUNT) - 1

/** The forms of a listed word. */
export interface Inflections {
  /** Accepted suffixes, as a bit mask. */
  readonly suffixes: number
  /** The same for the word with its last letter doubled. */
  readonly doubledSuffixes: number
  /** Other spellings, which take the same suffixes. */
  readonly respellings: readonly string[]
  /** Whether several words of the list contain it. */
  readonly isStem: boolean
}

/** Shared with other characters, so a set bit only means that the letter is possible. */
const letterBit = (unit: number) => 1 << (unit & 31)

const NONE: readonly string[] = []

const MIN_PART = 3
/** A word contained in this many others of its list is a stem that players form compounds with. */
const MIN_COMPOUNDS = 3
const MAX_WORD = 24

/**
 * A stemmer in reverse: decides which suffixes inflect a listed word and which turn it into an innocent one (`butter`
 * is not a form of `butt`). A form in the dictionary counts as a word of its own unless the list shows otherwise: by
 * containing that form in another expression or, for the common suffixes, by containing the word in another expression.
 */
export class Inflector {
  readonly #dictionary: BloomDictionary
  /** Listed words, hashed together with their list. The arrays below are indexed by slot. */
  readonly #words: BloomDictionary
  /** The last list with a word of this hash, plus one. */
  readonly #lists: Int32Array
  /** A bit for each suffix found after the word, and `RELATED`. */
  readonly #evidence: Uint16Array
  readonly #compounds: Uint32Array

  constructor(dictionary: BloomDictionary, lists: readonly (readonly string[])[]) {
    this.#dictionary = dictionary
    const words = Dictionary.withCapacity(lists.reduce((sum, { length }) => sum + length, 0))
    const slots = words.hashes.length
    this.#words = new BloomDictionary(words)
    this.#lists = new Int32Array(slots)
    this.#evidence = new Uint16Array(slots)
    this.#compounds = new Uint32Array(slots)
    for (const [list, expressions] of lists.entries()) this.#indexList(list, expressions)
  }

  inflectionsOf(list: number, word: string): Inflections {
    const slot = this.#words.slotOf(hashWord(word, startHash(list)))
    const evidence = this.#evidence[slot] ?? 0
    const plain = hashWord(word)
    const isStem = (this.#compounds[slot] ?? 0) >= MIN_COMPOUNDS
    return {
      suffixes: this.#acceptedSuffixes(plain, evidence),
      doubledSuffixes: this.#acceptedSuffixes(hashLetter(plain, word.charCodeAt(word.length - 1)), evidence),
      respellings: isStem || word.endsWith('y') ? this.#respellingsOf(word, isStem, evidence !== 0) : NONE,
      isStem,
    }
  }

  #respellingsOf(word: string, isStem: boolean, hasEvidence: boolean): string[] {
    const clipped = isStem ? clippedSpellings(word).filter((each) => !this.#isKnown(each)) : []
    const plurals = pluralOf(word).filter((each) => hasEvidence || !this.#isKnown(each))
    return [...clipped, ...plurals]
  }

  #acceptedSuffixes(stem: number, evidence: number): number {
    const isKnown = (evidence & RELATED) !== 0
    const trusted =
      (evidence & ALL_SUFFIXES) |
      (isKnown ? COMMON_SUFFIXES : 0) |
      ((evidence & AGENT_SUFFIX) !== 0 ? AGENT_PLURAL : 0)
    let innocent = 0
    for (let index = 0; index < SUFFIXES.length; index++)
      if (this.#dictionary.has(hashWord(SUFFIXES[index] ?? '', stem))) innocent |= 1 << index
    return ALL_SUFFIXES & ~(innocent & ~trusted)
  }

  #isKnown(word: string): boolean {
    return this.#dictionary.has(hashWord(word))
  }

  /** Records which other expressions of the list contain each of its words. */
  #indexList(list: number, expressions: readonly string[]): void {
    for (const expression of expressions) {
      if (expression.length < MIN_PART) continue
      const slot = this.#words.add(hashWord(expression, startHash(list)))
      this.#lists[slot] = list + 1
    }
    for (const expression of expressions)
      if (expression.length <= MAX_WORD) this.#indexParts(list, expression)
  }

  #indexParts(list: number, expression: string): void {
    const whole = hashWord(expression, startHash(list))
    const isOneWord = !expression.includes(' ')
    for (let start = 0; start + MIN_PART <= expression.length; start++) {
      let hash = startHash(list)
      for (let end = start; end < expression.length; end++) {
        hash = hashLetter(hash, expression.charCodeAt(end))
        if (end - start + 1 < MIN_PART || hash === whole) continue
        const slot = this.#words.slotOf(hash)
        if (slot === NO_SLOT || this.#lists[slot] !== list + 1) continue
        this.#record(this.#words.slotOf(whole), RELATED)
        this.#record(slot, RELATED | suffixesAt(expression, end + 1))
        if (isOneWord) this.#compounds[slot] = (this.#compounds[slot] ?? 0) + 1
      }
    }
  }

  #record(slot: number, seen: number): void {
    this.#evidence[slot] = (this.#evidence[slot] ?? 0) | seen
  }
}

const FIRST_LETTERS = SUFFIXES.reduce((mask, suffix) => mask | letterBit(suffix.charCodeAt(0)), 0)

/** The suffixes found at a position of a text, as a bit mask. */
function suffixesAt(text: string, at: number): number {
  let mask = 0
  if ((letterBit(text.charCodeAt(at)) & FIRST_LETTERS) === 0) return mask
  for (let index = 0; index < SUFFIXES.length; index++)
    if (text.startsWith(SUFFIXES[index] ?? '', at)) mask |= 1 << index
  return mask
}

const VOWELS = /[aeiou]/g
const ONE_VOWEL = /^[^aeiou]+[aeiou][^aeiou]+$/

/** Shortened spellings: `fck`, `fuk`. With fewer distinct letters they would be ambiguous. */
const clippedSpellings = (word: string) =>
  [
    ...(ONE_VOWEL.test(word) ? [word.replace(VOWELS, '')] : []),
    ...(word.endsWith('ck') ? [`${word.slice(0, -2)}k`] : []),
  ].filter((spelling) => new Set(spelling).size >= MIN_PART)

const pluralOf = (word: string) =>
  word.endsWith('y') && !'aeiou'.includes(word.charAt(word.length - 2)) ? [`${word.slice(0, -1)}ies`] : []

/** Keeps equal words of different lists apart. */
const startHash = (list: number) => hashLetter(START_HASH, list + 1)

import { type Dictionary, hashLetter, hashWord, START_HASH } from './words/dictionary.ts'

/** What may follow a word without making it another one. */
export const ENDINGS = ['s', 'es', 'ed', 'd', 'ing', 'in', 'er', 'ers', 'ings', 'y', 'z'] as const

/** Those that every verb and noun takes. */
const PLAIN = ENDINGS.indexOf('in') + 1

const AGENT = 1 << ENDINGS.indexOf('er')
const AGENTS = 1 << ENDINGS.indexOf('ers')

const ALL = (1 << ENDINGS.length) - 1
/** Something else of the list is made of the word, or the word of something else. */
const KNOWN = 1 << ENDINGS.length
const PLAIN_MASK = (1 << PLAIN) - 1

/** What may be made of a listed word. */
export interface Bends {
  /** The endings that it may take, a bit each. */
  readonly single: number
  /** The same for when its last letter is doubled before them. */
  readonly doubled: number
  /** Other spellings of it that take the same endings. */
  readonly spellings: readonly string[]
  /** Whether it is one that others are made of. */
  readonly isStem: boolean
}

const MIN_PART = 3
/** A word that stands within so many others of its list is one that players make words of. */
const STEM_OF = 3
const MAX_WORD = 24

/**
 * Finds out which endings bend a listed word and which make an innocent one of it: `butter` is no form of `butt`. A form that
 * is in the dictionary is taken for its own word, unless the list itself shows that it is meant: by holding it within another
 * expression, or, for the plain endings, by holding the word within one.
 */
export class Bender {
  readonly #dictionary: Dictionary
  /** By the hash of list and word. */
  readonly #withinOthers = new Map<number, number>()
  readonly #compounds = new Map<number, number>()
  /** Words that hold another one of their list. */
  readonly #madeOfOthers = new Set<number>()

  constructor(dictionary: Dictionary, lists: readonly (readonly string[])[]) {
    this.#dictionary = dictionary
    for (const [list, expressions] of lists.entries()) this.#note(list, expressions)
  }

  bendsOf(list: number, word: string): Bends {
    const hash = hashWord(word, startHash(list))
    const isMade = this.#madeOfOthers.has(hash)
    const shown = (this.#withinOthers.get(hash) ?? 0) | (isMade ? KNOWN : 0)
    const plain = hashWord(word)
    const isStem = (this.#compounds.get(hash) ?? 0) >= STEM_OF
    const hurried = isStem ? hurriedSpellings(word).filter((each) => !this.#isKnown(each)) : []
    const plurals = pluralOf(word).filter((each) => shown !== 0 || !this.#isKnown(each))
    return {
      single: this.#accepted(plain, shown),
      doubled: this.#accepted(hashLetter(plain, word.charCodeAt(word.length - 1)), shown),
      spellings: [...hurried, ...plurals],
      isStem,
    }
  }

  /** `shown` has a bit for each ending that was seen behind the word, and one more when anything was. */
  #accepted(stem: number, shown: number): number {
    const isKnown = (shown & KNOWN) !== 0
    const trusted = (shown & ALL) | (isKnown ? PLAIN_MASK : 0) | ((shown & AGENT) !== 0 ? AGENTS : 0)
    let innocent = 0
    for (let index = 0; index < ENDINGS.length; index++)
      if (this.#dictionary.has(hashWord(ENDINGS[index] ?? '', stem))) innocent |= 1 << index
    return ALL & ~(innocent & ~trusted)
  }

  #isKnown(word: string): boolean {
    return this.#dictionary.has(hashWord(word))
  }

  /** Notes of each word of the list what other expressions make of it. */
  #note(list: number, expressions: readonly string[]): void {
    const words = new Set(
      expressions.filter(({ length }) => length >= MIN_PART).map((each) => hashWord(each, startHash(list))),
    )
    for (const expression of expressions) {
      if (expression.length > MAX_WORD) continue
      const whole = hashWord(expression, startHash(list))
      for (let start = 0; start + MIN_PART <= expression.length; start++) {
        let hash = startHash(list)
        for (let end = start; end < expression.length; end++) {
          hash = hashLetter(hash, expression.charCodeAt(end))
          if (end - start + 1 < MIN_PART || hash === whole || !words.has(hash)) continue
          this.#madeOfOthers.add(whole)
          this.#show(hash, expression, end + 1)
        }
      }
    }
  }

  #show(hash: number, expression: string, end: number): void {
    const seen = ENDINGS.reduce(
      (mask, ending, index) => (expression.startsWith(ending, end) ? mask | (1 << index) : mask),
      KNOWN,
    )
    this.#withinOthers.set(hash, (this.#withinOthers.get(hash) ?? 0) | seen)
    if (!expression.includes(' ')) this.#compounds.set(hash, (this.#compounds.get(hash) ?? 0) + 1)
  }
}

const VOWELS = /[aeiou]/g
const ONE_VOWEL = /^[^aeiou]+[aeiou][^aeiou]+$/

/** As it is written in a hurry: `fck`, `fuk`. Of fewer letters it could be anything. */
const hurriedSpellings = (word: string) =>
  [
    ...(ONE_VOWEL.test(word) ? [word.replace(VOWELS, '')] : []),
    ...(word.endsWith('ck') ? [`${word.slice(0, -2)}k`] : []),
  ].filter((spelling) => new Set(spelling).size >= MIN_PART)

const pluralOf = (word: string) => (/[^aeiou]y$/.test(word) ? [`${word.slice(0, -1)}ies`] : [])

/** Words of different lists have different hashes. */
const startHash = (list: number) => hashLetter(START_HASH, list + 1)

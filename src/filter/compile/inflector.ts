import { NO_SLOT, Sieve } from '../words/bloom-dictionary.ts'
import { Dictionary, hashLetter, hashWord, START_HASH } from '../words/dictionary.ts'

/** What may follow a word without making it another one. */
export const ENDINGS = ['s', 'es', 'ed', 'd', 'ing', 'in', 'er', 'ers', 'ings', 'y', 'z'] as const

export const LONGEST_ENDING = Math.max(...ENDINGS.map(({ length }) => length))
export const ENDING_BITS: ReadonlyMap<string, number> = new Map(
  ENDINGS.map((ending, index) => [ending, 1 << index]),
)

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

/** Letters share bits with signs, and with what is not there. */
const letterBit = (unit: number) => 1 << (unit & 31)

const NONE: readonly string[] = []

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
  readonly #dictionary: Sieve
  /** The listed words, each by the hash of its list and itself. What follows is by their slots. */
  readonly #words: Sieve
  /** The last list that has a word of this hash, plus one. */
  readonly #lists: Int32Array
  /** A bit for each ending that was seen behind the word, and `KNOWN`. */
  readonly #shown: Uint16Array
  readonly #compounds: Uint32Array

  constructor(dictionary: Sieve, lists: readonly (readonly string[])[]) {
    this.#dictionary = dictionary
    const words = Dictionary.withRoomFor(lists.reduce((sum, { length }) => sum + length, 0))
    const slots = words.hashes.length
    this.#words = new Sieve(words)
    this.#lists = new Int32Array(slots)
    this.#shown = new Uint16Array(slots)
    this.#compounds = new Uint32Array(slots)
    for (const [list, expressions] of lists.entries()) this.#note(list, expressions)
  }

  bendsOf(list: number, word: string): Bends {
    const slot = this.#words.slotOf(hashWord(word, startHash(list)))
    const shown = this.#shown[slot] ?? 0
    const plain = hashWord(word)
    const isStem = (this.#compounds[slot] ?? 0) >= STEM_OF
    return {
      single: this.#accepted(plain, shown),
      doubled: this.#accepted(hashLetter(plain, word.charCodeAt(word.length - 1)), shown),
      spellings: isStem || word.endsWith('y') ? this.#spellingsOf(word, isStem, shown !== 0) : NONE,
      isStem,
    }
  }

  #spellingsOf(word: string, isStem: boolean, isShown: boolean): string[] {
    const hurried = isStem ? hurriedSpellings(word).filter((each) => !this.#isKnown(each)) : []
    const plurals = pluralOf(word).filter((each) => isShown || !this.#isKnown(each))
    return [...hurried, ...plurals]
  }

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
    for (const expression of expressions) {
      if (expression.length < MIN_PART) continue
      const slot = this.#words.add(hashWord(expression, startHash(list)))
      this.#lists[slot] = list + 1
    }
    for (const expression of expressions) if (expression.length <= MAX_WORD) this.#noteParts(list, expression)
  }

  #noteParts(list: number, expression: string): void {
    const whole = hashWord(expression, startHash(list))
    const isOneWord = !expression.includes(' ')
    for (let start = 0; start + MIN_PART <= expression.length; start++) {
      let hash = startHash(list)
      for (let end = start; end < expression.length; end++) {
        hash = hashLetter(hash, expression.charCodeAt(end))
        if (end - start + 1 < MIN_PART || hash === whole) continue
        const slot = this.#words.slotOf(hash)
        if (slot === NO_SLOT || this.#lists[slot] !== list + 1) continue
        this.#show(this.#words.slotOf(whole), KNOWN)
        this.#show(slot, KNOWN | endingsAt(expression, end + 1))
        if (isOneWord) this.#compounds[slot] = (this.#compounds[slot] ?? 0) + 1
      }
    }
  }

  #show(slot: number, seen: number): void {
    this.#shown[slot] = (this.#shown[slot] ?? 0) | seen
  }
}

/** The letters that endings begin with. */
const FIRST_LETTERS = ENDINGS.reduce((mask, ending) => mask | letterBit(ending.charCodeAt(0)), 0)

/** Those that stand at a place of a text, a bit each. */
function endingsAt(text: string, at: number): number {
  let mask = 0
  if ((letterBit(text.charCodeAt(at)) & FIRST_LETTERS) === 0) return mask
  for (let index = 0; index < ENDINGS.length; index++)
    if (text.startsWith(ENDINGS[index] ?? '', at)) mask |= 1 << index
  return mask
}

const VOWELS = /[aeiou]/g
const ONE_VOWEL = /^[^aeiou]+[aeiou][^aeiou]+$/

/** As it is written in a hurry: `fck`, `fuk`. Of fewer letters it could be anything. */
const hurriedSpellings = (word: string) =>
  [
    ...(ONE_VOWEL.test(word) ? [word.replace(VOWELS, '')] : []),
    ...(word.endsWith('ck') ? [`${word.slice(0, -2)}k`] : []),
  ].filter((spelling) => new Set(spelling).size >= MIN_PART)

const pluralOf = (word: string) =>
  word.endsWith('y') && !'aeiou'.includes(word.charAt(word.length - 2)) ? [`${word.slice(0, -1)}ies`] : []

/** Words of different lists have different hashes. */
const startHash = (list: number) => hashLetter(START_HASH, list + 1)

import { hashLetter, hashWord, START_HASH } from '../words/dictionary.ts'
import { endingsByStrip, isInnocentWord, type KnownLanguage } from '../words/known-language.ts'
import type { Ending } from '../words/languages.ts'
import { ownsForm } from '../words/lemmas.ts'
import { Containers } from './containers.ts'

/** What the rules of its language make of a listed word. */
export interface WordForms {
  /** Accepted endings, as a bit mask. */
  readonly endings: number
  /** The same for the word with its last letter doubled. */
  readonly doubledEndings: number
  /** The word without its own ending, which takes others. */
  readonly stripped: readonly StrippedWord[]
  /** Shortened spellings. */
  readonly respellings: readonly string[]
  readonly isStem: boolean
  readonly isCompound: boolean
  /** The word cut in two, with a space at each cut that makes it no two other words. */
  readonly splits: readonly string[]
}

interface StrippedWord {
  readonly word: string
  readonly endings: number
}

const MIN_STEM = 4
const MIN_COMPOUND = 3
const MIN_STRIPPED = 3
/** In a longer list only vulgar words are cut in two, to bound the size of the automaton. */
const MAX_SPLIT_WORDS = 10_000
/** Parts of a listed compound that are words of their own. */
const MIN_PART = 3
/** A word that hardly any innocent word contains is a stem. */
const MAX_STEM_CONTAINERS = 2
/** A word that vulgar words are built on. */
const MIN_VULGAR_CONTAINERS = 3
/** A word that more innocent words contain is too common a sequence of letters to look for inside other words. */
const MAX_CONTAINERS = 24

/** Applies the rules of a language to the words of a list. */
export class WordRules {
  readonly #known: KnownLanguage
  readonly #isSmall: boolean
  readonly #byStrip: ReadonlyMap<string, readonly Ending[]>
  readonly #bits: ReadonlyMap<string, number>
  /** Endings of the last word of a phrase, which no other phrase owns. */
  readonly phraseEndings: number
  readonly #containers: Containers
  readonly #vulgarContainers: Containers

  constructor(known: KnownLanguage, words: readonly string[]) {
    this.#known = known
    this.#isSmall = words.length <= MAX_SPLIT_WORDS
    this.#byStrip = endingsByStrip(known)
    this.#bits = new Map(known.adds.map((add, index) => [add, 1 << index]))
    this.phraseEndings = (this.#byStrip.get('') ?? []).reduce(
      (bits, { add, isDerivation }) => (isDerivation ? bits : bits | (this.#bits.get(add) ?? 0)),
      0,
    )
    this.#containers = new Containers(words, known.text)
    this.#vulgarContainers = new Containers(words, `${known.language.vulgarWords.join('\n')}\n`)
  }

  /** Whether a word belongs to the language. */
  isOfLanguage(word: string): boolean {
    const hash = hashWord(word)
    return this.#known.isInnocent(hash) || this.#known.isVulgar(hash)
  }

  formsOf(word: string): WordForms {
    const containers = this.#containers.of(word)
    const isStem = containers <= MAX_STEM_CONTAINERS && word.length >= MIN_STEM
    const isVulgar =
      this.#known.isVulgar(hashWord(word)) ||
      (this.isOfLanguage(word) && this.#vulgarContainers.of(word) >= MIN_VULGAR_CONTAINERS)
    return {
      endings: this.#acceptedEndings(word, '', word),
      doubledEndings: this.#acceptedEndings(word, '', word + word.slice(-1)),
      stripped: this.#strippedOf(word),
      respellings: isVulgar && isStem ? this.#respellingsOf(word) : [],
      isStem,
      isCompound:
        (isVulgar && word.length >= MIN_COMPOUND) ||
        (containers <= MAX_CONTAINERS && word.length >= MIN_STEM),
      splits: isVulgar || this.#isSmall ? this.#splitsOf(word) : [],
    }
  }

  /**
   * The endings that inflect a word. A form that is an innocent word belongs to another lemma if that lemma has the form,
   * if the ending makes a word of its own (`butter`), or if the listed word is none of the language.
   */
  #acceptedEndings(word: string, strip: string, stem: string): number {
    const isDoubled = stem.length > word.length
    const hash = hashWord(stem)
    const isKnown = this.isOfLanguage(word)
    let accepted = 0
    for (const { add, isDerivation, doubles } of this.#byStrip.get(strip) ?? []) {
      if (isDoubled && !doubles) continue
      const isInnocent = this.#known.isInnocent(hashWord(add, hash))
      if (isInnocent && (isDerivation || !isKnown || this.#isOwned(stem + add, word))) continue
      accepted |= this.#bits.get(add) ?? 0
    }
    return accepted
  }

  #isOwned(form: string, word: string): boolean {
    return ownsForm(form, word, (each) => isInnocentWord(this.#known, each), this.#known.language)
  }

  #strippedOf(word: string): StrippedWord[] {
    const stripped: StrippedWord[] = []
    for (const strip of this.#byStrip.keys()) {
      const stem = word.slice(0, word.length - strip.length)
      if (strip === '' || !word.endsWith(strip) || stem.length < MIN_STRIPPED) continue
      const endings = this.#acceptedEndings(word, strip, stem)
      if (endings !== 0) stripped.push({ word: stem, endings })
    }
    return stripped
  }

  #respellingsOf(word: string): string[] {
    return respell(word).filter((spelling) => !isInnocentWord(this.#known, spelling))
  }

  /** A word is cut where one part is no word, or where a listed compound has its seam. */
  #splitsOf(word: string): string[] {
    const splits: string[] = []
    let hash = START_HASH
    for (let at = 1; at < word.length; at++) {
      hash = hashLetter(hash, word.charCodeAt(at - 1))
      const [first, second] = [
        this.#isPart(hash, at),
        this.#isPart(hashWord(word.slice(at)), word.length - at),
      ]
      const isSeam = first && second && at >= MIN_PART && word.length - at >= MIN_PART
      const isBroken = !(first && second) && !isLoneVowel(word, at)
      if (isSeam || isBroken) splits.push(`${word.slice(0, at)} ${word.slice(at)}`)
    }
    return splits
  }

  /** Single letters are words in chat: `u r`. Words of two letters are known for a language with words of chat. */
  #isPart(hash: number, length: number): boolean {
    const isShort = length === 1 || (length === 2 && this.#known.language.chatWords.length === 0)
    return isShort || this.#known.isInnocent(hash) || this.#known.isVulgar(hash)
  }
}

/** `a nal` may be an article and a name. */
const isLoneVowel = (word: string, at: number) => at === 1 && 'aiu'.includes(word.charAt(0))

const VOWELS = /[aeiou]/g
const ONE_VOWEL = /^[^aeiou]+[aeiou][^aeiou]+$/
const MIN_DISTINCT = 3

/** Shortened spellings: `fck`, `fuk`. With fewer distinct letters they would be ambiguous. */
const respell = (word: string) =>
  [
    ...(ONE_VOWEL.test(word) ? [word.replace(VOWELS, '')] : []),
    ...(word.endsWith('ck') ? [`${word.slice(0, -2)}k`, `${word.slice(0, -2)}c`] : []),
    ...(word.startsWith('f') ? [`ph${word.slice(1)}`] : []),
  ].filter((spelling) => new Set(spelling).size >= MIN_DISTINCT)

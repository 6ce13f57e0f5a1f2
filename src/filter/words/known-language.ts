import { BloomDictionary } from './bloom-dictionary.ts'
import { Dictionary, hashWord } from './dictionary.ts'
import { type Ending, type Language, languageOf } from './languages.ts'

/** A language with its words loaded. */
export interface KnownLanguage {
  readonly language: Language
  /** Innocent words, each followed by a newline. */
  readonly text: string
  readonly innocent: Dictionary
  readonly vulgar: Dictionary
  /** The distinct texts that endings add, in the order of their bits. */
  readonly adds: readonly string[]
  /** The bits of the endings that never make a word of its own. */
  readonly inflections: number
  isInnocent(hash: number): boolean
  isVulgar(hash: number): boolean
}

const AVERAGE_WORD = 9

/** Loading takes some milliseconds, and what is loaded never changes. */
const loaded = new Map<string, KnownLanguage>()

/** What is known about the language of a list, or undefined. */
export function knownLanguage(code: string): KnownLanguage | undefined {
  const language = languageOf(code)
  if (language === undefined) return undefined
  const known = loaded.get(language.code) ?? load(language)
  loaded.set(language.code, known)
  return known
}

function load(language: Language): KnownLanguage {
  const { chatWords } = language
  const text = language.innocentWords() + chatWords.map((word) => `${word}\n`).join('')
  const innocent = Dictionary.read(text, Math.ceil(text.length / AVERAGE_WORD))
  const vulgar = Dictionary.read(`${language.vulgarWords.join('\n')}\n`, language.vulgarWords.length)
  const [innocentWords, vulgarWords] = [new BloomDictionary(innocent), new BloomDictionary(vulgar)]
  const adds = [...new Set(language.endings.map(({ add }) => add))]
  const derivations = new Set(language.endings.filter((each) => each.isDerivation).map(({ add }) => add))
  return {
    language,
    text,
    innocent,
    vulgar,
    adds,
    inflections: adds.reduce((bits, add, index) => (derivations.has(add) ? bits : bits | (1 << index)), 0),
    isInnocent: (hash) => innocentWords.has(hash),
    isVulgar: (hash) => vulgarWords.has(hash),
  }
}

/** The endings of a language by what they strip. */
export const endingsByStrip = ({ language }: KnownLanguage): ReadonlyMap<string, readonly Ending[]> =>
  new Map(
    language.endings.map(({ strip }) => [strip, language.endings.filter((each) => each.strip === strip)]),
  )

export const isInnocentWord = (known: KnownLanguage, word: string) => known.isInnocent(hashWord(word))

import { languageOf } from '../../src/filter/words/languages.ts'
import type { Corpora } from './corpora.ts'
import type { Details } from './details.ts'
import type { Parley } from './engine.ts'
import { type Exclusion, InnocentDictionary } from './innocent-dictionary.ts'
import type { List } from './subject.ts'

export interface FlaggedWords {
  /** All innocent words. */
  readonly words: readonly string[]
  /** The innocent words that the engine flags. */
  readonly innocent: readonly string[]
  readonly summary: string
}

/** The innocent words of the English dictionary that a list flags, with all words excluded from them in the details. */
export function findFlaggedWords(
  title: string,
  list: List,
  parley: Parley,
  texts: Corpora,
  details: Details,
): FlaggedWords {
  const dictionary = new InnocentDictionary(texts.dictionary(), languageOf('en')!)
  const { innocent: words, excluded } = dictionary.without(list.expressions)
  const innocent = words.filter((word) => parley.has(word))
  details.addAll(`${title}: innocent words flagged`, parley.describeAll(innocent))
  const reasons = ['listed', 'inflection', 'derived', 'vulgar'] satisfies Exclusion[]
  const counts = reasons.map((reason) => {
    const excludedWords = [...excluded].flatMap(([word, each]) => (each === reason ? [word] : []))
    const flagged = excludedWords.filter((word) => parley.has(word))
    const rest = excludedWords.filter((word) => !parley.has(word))
    details.addAll(`${title}: not innocent (${reason}), flagged`, inLines(flagged))
    details.addAll(`${title}: not innocent (${reason}), not flagged`, inLines(rest))
    return `${reason} ${excludedWords.length}`
  })
  return {
    words,
    innocent,
    summary: `${innocent.length} of ${words.length.toLocaleString('en')}; excluded: ${counts.join(', ')}`,
  }
}

const inLines = (words: readonly string[]) => (words.length === 0 ? [] : [words.join(' ')])

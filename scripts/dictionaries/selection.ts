import { inflect } from '../../src/filter/words/lemmas.ts'
import { ownLettersOf } from '../../src/filter/words/own-letters.ts'
import type { Dictionary } from './dictionary.ts'
import type { Entry } from './hunspell.ts'

/** Shorter words never contain a listed one; players do not write longer ones. */
const MIN_LENGTH = 3
const MAX_LENGTH = 24
/** Longer names are mostly those of small places. */
const MAX_NAME = 6
/** A word that more forms contain is an ending or a common sequence of letters. */
const MAX_CONTAINERS = 30_000

const RANK = {
  containsListed: -3,
  entry: -2,
  hasListedEnding: -1,
} as const

/**
 * Selects words in this order until there are enough: those that contain a vulgar word or one of the starter list, since
 * they have to be told from it, also without accents; the entries; their forms with an ending that a listed word may have; other forms, those of
 * the most productive rules first. Within each of these, short words come first.
 */
export function selectWords(
  entries: readonly Entry[],
  starter: readonly string[],
  dictionary: Dictionary,
): string[] {
  const ranks = rankWords(entries, starter, dictionary)
  for (const word of dictionary.vulgarWords) ranks.delete(word)
  const inOrder = [...ranks].sort(
    ([left, a], [right, b]) => a - b || left.length - right.length || (left < right ? -1 : 1),
  )
  return inOrder
    .slice(0, dictionary.maxWords)
    .map(([word]) => word)
    .sort()
}

function rankWords(
  entries: readonly Entry[],
  starter: readonly string[],
  dictionary: Dictionary,
): Map<string, number> {
  const { vulgarWords, endings, maxLetters, alphabet, code } = dictionary
  const listed = patternOf([...vulgarWords, ...starter], entries)
  const withoutAccents = accentRemover(ownLettersOf(code))
  const ruleRanks = rankRules(entries)
  const rankOf = (word: string, form: string, rule: string) => {
    if (form === word) return RANK.entry
    return endings.some((ending) => inflect(word, ending) === form)
      ? RANK.hasListedEnding
      : (ruleRanks.get(rule) ?? 0)
  }
  const ranks = new Map<string, number>()
  const add = (word: string, rank: number) => {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !alphabet.test(word)) return
    ranks.set(word, Math.min(rank, ranks.get(word) ?? rank))
  }
  for (const { word, forms } of withoutVulgar(entries, dictionary)) {
    for (const [form, rule] of forms) {
      const lower = lowerCase(form, code)
      const plain = withoutAccents(lower)
      if (listed.test(lower) || listed.test(plain)) {
        add(lower, RANK.containsListed)
        add(plain, RANK.containsListed)
      } else if (lower.length <= (/^\p{Lu}/u.test(form) ? MAX_NAME : maxLetters))
        add(lower, rankOf(word, form, rule))
    }
  }
  return ranks
}

/** Matches a text that contains one of the words, except for those that too many forms contain. */
function patternOf(words: readonly string[], entries: readonly Entry[]): RegExp {
  const candidates = [...new Set(words)].filter((word) => /^\p{L}{3,}$/u.test(word))
  const counts = new Map(candidates.map((word) => [word, 0]))
  const short = candidates.filter(({ length }) => length === MIN_LENGTH)
  for (const { forms } of entries)
    for (const form of forms.keys())
      for (const word of short) if (form.includes(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new RegExp(candidates.filter((word) => (counts.get(word) ?? 0) <= MAX_CONTAINERS).join('|'), 'u')
}

function withoutVulgar(entries: readonly Entry[], { vulgarWords, vulgarStems, code }: Dictionary): Entry[] {
  const vulgar = new Set(vulgarWords)
  return entries.filter(({ word }) => {
    const lower = lowerCase(word, code)
    return !vulgar.has(lower) && !vulgarStems?.test(lower)
  })
}

/** The most productive rule has rank 0. */
function rankRules(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { forms } of entries)
    for (const rule of forms.values()) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  const rules = [...counts].sort(([left, a], [right, b]) => b - a || (left < right ? -1 : 1))
  return new Map(rules.map(([rule], index) => [rule, index]))
}

const lowerCase = (word: string, code: string) =>
  word.toLocaleLowerCase(code).replaceAll('ĳ', 'ij').normalize('NFC')

/** Keeps the accents that make letters of their own. */
const accentRemover = (ownLetters: string) => (word: string) =>
  [...word]
    .map((letter) =>
      ownLetters.includes(letter) ? letter : letter.normalize('NFD').replaceAll(/\p{M}/gu, ''),
    )
    .join('')

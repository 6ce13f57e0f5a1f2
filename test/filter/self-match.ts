import type { Filter, List } from '../../src/filter/filter.ts'

/** Neighbors in scripts without spaces, where an expression of two or more characters also matches inside other text. */
const NEIGHBORS: readonly (readonly [expression: RegExp, before: string, after: string])[] = [
  [/^\p{Script=Han}{2,}$/u, '这', '吗'],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]{2,}$/u, 'この', 'だ'],
  [/^\p{Script=Thai}{3,}$/u, 'ไอ้', 'นะ'],
  [/^[가-힣]{2,}$/, '야', '아'],
]
/** An open side, or the mark that restricts an expression to certain rules. */
const MARKS = /^\*|(?:\*|!(?:(?:inflection|compound|disguise|split)(?:,|$))*)$/g
const MIN_MARKED_LETTERS = 2
const VISIBLE = /[\p{L}\p{N}\p{Extended_Pictographic}]/u

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

interface Variant {
  readonly name: string
  readonly text: string
  readonly before?: string
  readonly after?: string
}

export interface Mismatch {
  readonly expression: string
  readonly variant: string
  readonly text: string
  readonly masked: string
}

/** The texts that an expression of a language must match. */
function variantsOf(expression: string, language: string): Variant[] {
  const bare = expression.replaceAll(MARKS, '')
  const unmarked = countLetters(bare) >= MIN_MARKED_LETTERS ? bare : expression
  const neighbors = NEIGHBORS.find(([pattern]) => pattern.test(unmarked))
  return [
    { name: 'as listed', text: expression },
    { name: 'alone', text: unmarked },
    { name: 'composed', text: unmarked.normalize('NFC') },
    { name: 'decomposed', text: unmarked.normalize('NFD') },
    { name: 'capitals', text: unmarked.toUpperCase() },
    { name: 'capitals of the language', text: unmarked.toLocaleUpperCase(localeOf(language)) },
    { name: 'small letters', text: unmarked.toLowerCase() },
    { name: 'sentence', text: unmarked, before: 'x ', after: ' y' },
    ...(neighbors ? [{ name: 'other text', text: unmarked, before: neighbors[1], after: neighbors[2] }] : []),
  ]
}

/** The expressions of a list that do not match themselves in a message of a language. */
export function findMismatches(filter: Filter, list: List, language: string): Mismatch[] {
  return Array.from(list.expressions, (expression) =>
    variantsOf(expression, list.language).flatMap((variant) => {
      const text = `${variant.before ?? ''}${variant.text}${variant.after ?? ''}`
      const { text: masked, hits } = filter.clean(text, language)
      const isFound = hits.some((hit) => hit.expression === expression) || isMasked(variant, masked)
      return isFound ? [] : [{ expression, variant: variant.name, text, masked }]
    }),
  ).flat()
}

/** Whether nothing visible is left of the expression: others may cover it. */
function isMasked({ before = '', after = '' }: Variant, masked: string): boolean {
  const kept = segment(masked).slice(segment(before).length, -segment(after).length || undefined)
  return kept.includes('*') && !kept.some((each) => VISIBLE.test(each))
}

const segment = (text: string) => Array.from(graphemes.segment(text), (each) => each.segment)
const countLetters = (text: string) => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** Languages of lists need not be locales. */
function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

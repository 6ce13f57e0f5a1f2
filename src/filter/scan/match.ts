/** How an expression was found, from the most to the least literal. */
export const Rule = { word: 1, open: 2, inflection: 3, compound: 4, disguise: 5, split: 6 } as const

export type RuleName = keyof typeof Rule

const NAMES: readonly RuleName[] = ['word', 'open', 'inflection', 'compound', 'disguise', 'split']

export const ruleName = (rule: number): RuleName => NAMES[rule - 1] ?? 'word'

/** A pattern found in a text, before overlaps and exceptions are resolved. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly pattern: number
  readonly rule: number
}

/** Further readings that the first pass can ask for. */
export const Pass = {
  /** The text contains characters that must be normalized. */
  normalize: 1,
  spelledOut: 2,
  /** Signs inside words, or in place of letters. */
  signs: 4,
  /** Hangul with something between its syllables. */
  gaps: 8,
} as const

/** What was found in a text, by the number of its pattern. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly pattern: number
}

/** Reasons to look at a text again, in another way. */
export const Again = {
  spelled: 1,
  edgeSigns: 2,
  innerSigns: 4,
  censored: 8,
  gaps: 16,
  moreSigns: 32,
} as const

/** What signs that may be letters are read as. */
export const Signs = {
  /** Letters within words. */
  byPlace: 0,
  /** Letters also at the edge of words, those that mostly are. */
  letters: 1,
  /** Letters also at the edge of words that have other disguises. */
  moreLetters: 2,
  separators: 3,
} as const

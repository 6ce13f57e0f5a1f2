import { HistoryStep } from './symbols.ts'

/**
 * The letters read so far, as bits: each letter shifts the history left by one, and a separator sets the lowest bit.
 * Tells single letters from words without a branch.
 */
export const extendHistory = (history: number, step: number) =>
  Math.imul(history, step) | (step & HistoryStep.separator)

/** The last letter stands alone. */
export const SINGLE_LETTER = 0b11
/** The last three letters stand alone, as in a word that is spelled out. */
export const SPELLED_OUT = 0b1111

/** The history's capacity: a word of this length may be longer. */
export const MAX_LETTERS = 31

/** Letters in the word so far. */
export const wordLength = (history: number) => (31 - Math.clz32(history & -history)) & MAX_LETTERS

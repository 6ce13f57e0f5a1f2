import { SYMBOLS } from './automaton.ts'

/** The symbol of what separates words. 0 is the symbol of letters that are in no list. */
export const SEPARATOR_SYMBOL = 1

/** What a unit of a text is to the scanner, when it is not simply a symbol. */
export const Code = {
  ignorable: SYMBOLS,
  syllable: SYMBOLS + 1,
  half: SYMBOLS + 2,
  sign: SYMBOLS + 3,
  star: SYMBOLS + 4,
  literal: SYMBOLS + 5,
  /** With two symbols. */
  pair: 0x4000,
  /** With one or two symbols, of a script without spaces. */
  unspaced: 0x8000,
} as const

export const SYLLABLES = 11_172
export const FIRST_SYLLABLE = 0xac00
export const JAMO = 51
export const FIRST_JAMO = 0x3131

/** The row of a folded Hangul character in the table of their symbols. */
export const syllableRow = (code: number) =>
  (code >= FIRST_SYLLABLE ? code - FIRST_SYLLABLE : SYLLABLES + code - FIRST_JAMO) * SYLLABLE_SYMBOLS

/** Symbols that a Hangul syllable may take; the rest of its row is `NO_SYMBOL`. */
export const SYLLABLE_SYMBOLS = 5
export const NO_SYMBOL = 0xff

/** Signs that players put in the place of a letter that they do not want to write. */
export const STARS = '*#'

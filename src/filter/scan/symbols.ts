import { SYMBOL_BITS, SYMBOLS } from './automaton.ts'

/** The symbol of what separates words. 0 is the symbol of letters that are in no list. */
export const SEPARATOR_SYMBOL = 1
export const SYMBOL_MASK = SYMBOLS - 1

/** What may stand behind a word, a bit each. */
export const Next = {
  /** Nothing that goes on with it. */
  end: 1,
  /** A letter that an ending begins with. */
  ending: 2,
  other: 4,
} as const

const ANYTHING = Next.end | Next.ending | Next.other

/** How a pattern may end: what may stand behind it. */
export const End = {
  whole: Next.end,
  /** Where a word ends, or before an ending. */
  bent: Next.end | Next.ending,
  anywhere: ANYTHING,
} as const

/** What a unit does to the letters so far, as a factor. */
export const Growth = { separates: 1, letter: 2 } as const

const GROWTH_SHIFT = SYMBOL_BITS + 3

/** The code of a unit that is simply a symbol: that, what the unit is behind a word, and whether it is a letter. */
export const plainCode = (symbol: number, next: number = ANYTHING) =>
  (growthOfSymbol(symbol) << GROWTH_SHIFT) | (next << SYMBOL_BITS) | symbol

export const growthOfSymbol = (symbol: number) =>
  symbol === SEPARATOR_SYMBOL ? Growth.separates : Growth.letter

export const growthOf = (code: number) => code >>> GROWTH_SHIFT

export const SEPARATOR_CODE = plainCode(SEPARATOR_SYMBOL, Next.end)

/** What a unit of a text is to the scanner, when it is not simply a symbol. */
export const Code = {
  /** With two symbols. */
  pair: 0x4000,
  /** With one or two symbols, of a script without spaces. */
  unspaced: 0x8000,
  syllable: 0xc000,
  half: 0xc001,
  sign: 0xc002,
  star: 0xc003,
  literal: 0xc004,
  ignorable: 0xc005,
} as const

/** The symbols of a pair, or of an unspaced letter. */
export const PAYLOAD = Code.pair - 1

export const isPlain = (code: number) => code < Code.pair
export const isUnspacedCode = (code: number) => code >= Code.unspaced && code <= Code.syllable
/** Whether it is a letter, or may be one. */
export const isLetterCode = (code: number) => code <= Code.half && code !== SEPARATOR_CODE

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

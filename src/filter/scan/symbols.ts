import { FIRST_JAMO, FIRST_SYLLABLE, SYLLABLES } from '../unicode/hangul.ts'
import { SYMBOL_BITS, SYMBOLS } from './automaton.ts'

/** The symbol of word separators. Symbol 0 stands for letters that occur in no list. */
export const SEPARATOR_SYMBOL = 1
export const SYMBOL_MASK = SYMBOLS - 1

/** What follows a word, as a bit mask. */
export const Follow = {
  /** A word boundary. */
  boundary: 1,
  /** The first letter of an ending. */
  ending: 2,
  other: 4,
} as const

const ANY = Follow.boundary | Follow.ending | Follow.other

/** What may follow a pattern. */
export const FollowMask = {
  wholeWord: Follow.boundary,
  inflected: Follow.boundary | Follow.ending,
  anywhere: ANY,
} as const

/** The factor that the letter history is multiplied by for a code unit. */
export const HistoryStep = { separator: 1, letter: 2 } as const

const HISTORY_SHIFT = SYMBOL_BITS + 3

/** The code of a unit with exactly one symbol: the symbol, its `Follow` bits and its history step. */
export const plainCode = (symbol: number, next: number = ANY) =>
  (symbolHistoryStep(symbol) << HISTORY_SHIFT) | (next << SYMBOL_BITS) | symbol

export const symbolHistoryStep = (symbol: number) =>
  symbol === SEPARATOR_SYMBOL ? HistoryStep.separator : HistoryStep.letter

export const historyStepOf = (code: number) => code >>> HISTORY_SHIFT

export const SEPARATOR_CODE = plainCode(SEPARATOR_SYMBOL, Follow.boundary)

/** Codes of units that are not exactly one symbol. */
export const Code = {
  /** Carries two symbols. */
  pair: 0x4000,
  /** Carries one or two symbols of a script without spaces. */
  unspaced: 0x8000,
  syllable: 0xc000,
  surrogate: 0xc001,
  /** A sign that only separates words, unless it is inside one. */
  punctuation: 0xc002,
  /** Any other sign. It may stand for a letter, or start a pattern without letters. */
  sign: 0xc003,
  /** Must be normalized before it is read. */
  abnormal: 0xc004,
} as const

/** The bits of a `pair` or `unspaced` code that hold its symbols. */
export const PAYLOAD_MASK = Code.pair - 1

export const isPlain = (code: number) => code < Code.pair
export const isUnspacedCode = (code: number) => code >= Code.unspaced && code <= Code.syllable
/** True for letters and for surrogates, which may be letters. */
export const isLetterCode = (code: number) => code <= Code.surrogate && code !== SEPARATOR_CODE

/** The row of a folded Hangul character in the `syllables` table. */
export const syllableRow = (code: number) =>
  (code >= FIRST_SYLLABLE ? code - FIRST_SYLLABLE : SYLLABLES + code - FIRST_JAMO) * MAX_SYLLABLE_SYMBOLS

/** The rest of a shorter syllable's row is `NO_SYMBOL`. */
export const MAX_SYLLABLE_SYMBOLS = 5
export const NO_SYMBOL = 0xff

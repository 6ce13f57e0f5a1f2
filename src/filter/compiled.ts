import type { Automaton } from './scan/automaton.ts'
import { classOf } from './unicode/characters.ts'

export interface List {
  /** `all`, or a language code. */
  readonly language: string
  readonly expressions: readonly string[]
}

export interface FilterSource {
  /** Forbidden expressions. */
  readonly lists: readonly List[]
  /** Exceptions: a hit inside one of these is ignored. */
  readonly allowed: readonly List[]
}

/** A list as plain data whose buffers can be transferred to another thread. Contains no expression text. */
export interface CompiledList {
  readonly automaton: Automaton
  /** The scanner's code for each UTF-16 code unit. */
  readonly codes: Uint16Array
  /** Letters for which `codes` has no code of their own, each followed by it. */
  readonly rareLetters: Uint32Array
  /** The symbols of each Hangul syllable. */
  readonly syllables: Uint8Array
  readonly candidates: Candidates
  readonly patterns: PatternTable
  readonly literals: LiteralTable
  readonly censored: CensoredIndex
  readonly words: KnownWords
}

/** What decides about the candidates of a state before they are verified. */
export interface Candidates {
  /** What may follow the patterns that end in a state, as bits of `Follow`. */
  readonly followers: Uint8Array
  /**
   * Letters that the word must have, for each pattern in the automaton's `outputs`: exactly with `EXACT_LENGTH`,
   * otherwise at least; 0 if it need not be a single whole word.
   */
  readonly lengths: Uint8Array
  /** Letters of one class that it ends with, up to three. */
  readonly lastRuns: Uint8Array
}

/** Columns indexed by pattern number. */
export interface PatternTable {
  readonly flags: Uint32Array
  /** The expression's position in its list, or `BUILT_IN`. */
  readonly positions: Int32Array
  /** A pattern's letters are `letters[firstLetter[pattern]]` up to `letters[firstLetter[pattern + 1]]`. */
  readonly firstLetter: Int32Array
  /** A code point each. For Hangul, jamo, of which the first of a syllable has `STARTS_SYLLABLE`. */
  readonly letters: Uint32Array
  /** The number of runs of one class that the letters form, as the automaton reads them. */
  readonly runs: Uint8Array
  /** A bit for each ending of the language that the word accepts, as it is and with its last letter doubled. */
  readonly endings: Uint32Array
  readonly doubledEndings: Uint32Array
}

/** Patterns without letters, which the automaton cannot find: a hash table of their texts. */
export interface LiteralTable {
  readonly hashes: Int32Array
  /** By slot. */
  readonly patterns: Int32Array
  /** First code units, each followed by the length of the longest literal that starts with it. */
  readonly starts: Uint32Array
}

/** Patterns bucketed by length, first and last letter, to look up words with letters starred out. */
export interface CensoredIndex {
  readonly firstPattern: Int32Array
  readonly patterns: Int32Array
}

/** What the verifier knows about the language of a list. */
export interface KnownWords {
  /** Hashes of innocent words. Empty if the language has no dictionary. */
  readonly innocent: Int32Array
  /** Hashes of vulgar words. */
  readonly vulgar: Int32Array
  /** The endings of the language, separated by spaces, in the order of the bits. */
  readonly endings: string
  /** The bits of those that make no word of their own. */
  readonly inflections: number
  /** Accented letters that are letters of their own in the language, so that the accent is no disguise. */
  readonly ownLetters: string
}

/** The position of a built-in exception. */
export const BUILT_IN = -1

export const Flag = {
  /** The word may start before the expression. */
  openBefore: 1,
  /** The word may continue after the expression. */
  openAfter: 2,
  /** Matches its own letters only. */
  exact: 4,
  /** Hangul syllables only. */
  hangul: 8,
  /** Standalone Hangul jamo, which match only standalone jamo. */
  jamo: 16,
  /** An exception: its hits are not masked. */
  allowed: 32,
  /** No innocent word contains it: a word that does is built on it. */
  stem: 64,
  /** Forms compounds with innocent words. */
  compound: 128,
  /** Without its ending: one must follow. */
  needsEnding: 256,
  /** Also matches without its accents. */
  unaccented: 512,
  /** Is not found letter by letter or cut in two. */
  unsplit: 1024,
  /** A word cut in two. */
  split: 65536,
  /** Has punctuation or digits, which stand for themselves. */
  literal: 2048,
  /** Matches only letters written in the same style, such as `ⓐ`. */
  styled: 8192,
  /** A shortened spelling of the expression. */
  respelled: 16384,
  /** Written in both hiragana and katakana. */
  mixedKana: 32768,
  /** Every letter may be repeated. */
  stretchable: 4096,
} as const

/** Found inside words, so the automaton reads it without a word start. */
export const INSIDE_WORDS = Flag.openBefore | Flag.stem | Flag.compound

export const STARTS_SYLLABLE = 0x4000_0000
export const LETTER_CODE = 0x1f_ffff

export const EXACT_LENGTH = 0x80

export const CENSORED_BITS = 13

export const censoredBucket = (first: number, last: number, length: number): number =>
  (Math.imul((classOf(first) * 31 + classOf(last)) * 31 + length, 0x9e37_79b1) >>> 5) &
  ((1 << CENSORED_BITS) - 1)

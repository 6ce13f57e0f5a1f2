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

/** A filter as plain data whose buffers can be transferred to another thread. Contains no expression text. */
export interface CompiledFilter {
  readonly automaton: Automaton
  /** The scanner's code for each UTF-16 code unit. */
  readonly codes: Uint16Array
  /** Letters outside the Basic Multilingual Plane, each followed by its code. */
  readonly astral: Uint32Array
  /** The symbols of each Hangul syllable. */
  readonly syllables: Uint8Array
  readonly candidates: Candidates
  readonly patterns: PatternTable
  /** Patterns without letters, which the automaton cannot find. */
  readonly literals: Int32Array
  readonly censored: CensoredIndex
  /** Hashes of dictionary words, which are never taken for forms of a listed word. */
  readonly dictionary: Int32Array
}

/** One entry for each pattern in the automaton's `outputs`, in that order: enough to reject most before verification. */
export interface Candidates {
  readonly states: Int32Array
  readonly lists: Uint16Array
  /** What may follow the pattern, as bits of `Follow`. */
  readonly followers: Uint8Array
  /** Letters that the word must have: exactly with `EXACT_LENGTH`, otherwise at least; 0 if it need not be a single whole word. */
  readonly lengths: Uint8Array
  /** States with an output link, ordered by depth. */
  readonly linkedStates: Int32Array
}

/** Columns indexed by pattern number. */
export interface PatternTable {
  readonly flags: Uint8Array
  /** The pattern's list: first those of `lists`, then those of `allowed`, then the built-in exceptions. */
  readonly lists: Uint16Array
  /** The expression's position in its list. */
  readonly positions: Int32Array
  /** A pattern's elements are `elements[firstElement[pattern]]` up to `elements[firstElement[pattern + 1]]`. */
  readonly firstElement: Int32Array
  readonly elements: Uint32Array
  /** A bit for each suffix that the word accepts, as it is and with its last letter doubled. */
  readonly suffixes: Uint16Array
  readonly doubledSuffixes: Uint16Array
}

/** Patterns bucketed by length, first and last letter, to look up words with letters starred out. */
export interface CensoredIndex {
  readonly firstPattern: Int32Array
  readonly patterns: Int32Array
}

export const Flag = {
  /** The word may start before the expression. */
  openBefore: 1,
  /** The word may continue after the expression. */
  openAfter: 2,
  /** Too short, or too unlike a word, to match anything but itself. */
  strict: 4,
  /** Hangul syllables only. */
  hangul: 8,
  /** Standalone Hangul jamo, which match only standalone jamo. */
  jamo: 16,
  /** An exception: its hits are not masked. */
  allowed: 32,
  /** May take a suffix such as `s` or `ing`. */
  inflects: 64,
  /** Is searched for inside words that are not in the dictionary. */
  compound: 128,
} as const

/** Whether a pattern matches its own letters only, never look-alikes. */
export const isExact = (flags: number) => (flags & (Flag.strict | Flag.allowed)) !== 0

/** An element packs a code, its number of repetitions, and whether it starts a Hangul syllable. */
export const ELEMENT_CODE = 0x1f_ffff
export const ELEMENT_COUNT_SHIFT = 21
export const countOf = (element: number) => (element >>> ELEMENT_COUNT_SHIFT) & 0xff
export const ELEMENT_STARTS_SYLLABLE = 0x4000_0000

export const EXACT_LENGTH = 0x80

export const CENSORED_BITS = 13

export const censoredBucket = (first: number, last: number, length: number): number =>
  (Math.imul((classOf(first) * 31 + classOf(last)) * 31 + length, 0x9e37_79b1) >>> 5) &
  ((1 << CENSORED_BITS) - 1)

import type { Automaton } from './scan/automaton.ts'
import { classOf } from './unicode/characters.ts'

export interface List {
  /** `all`, or a language code. */
  readonly language: string
  readonly expressions: readonly string[]
}

export interface FilterSource {
  /** What is forbidden. */
  readonly lists: readonly List[]
  /** What is not, although it holds something that is. */
  readonly allowed: readonly List[]
}

/** A filter as plain data whose buffers can be handed to another thread. Holds no text of an expression. */
export interface CompiledFilter {
  readonly automaton: Automaton
  /** What each unit of a text is to the scanner. */
  readonly codes: Uint16Array
  /** Letters beyond the first plane and what they are to it, in turn. */
  readonly astral: Uint32Array
  /** The symbols of each Hangul syllable. */
  readonly syllables: Uint8Array
  readonly candidates: Candidates
  readonly patterns: PatternTable
  /** Patterns of signs alone, which no automaton of letters can find. */
  readonly literals: Int32Array
  readonly censored: CensoredIndex
  /** The hashes of words that are no forms of others. */
  readonly dictionary: Int32Array
}

/** Of each pattern that ends in a state of the automaton, in the order of its `ends`: what tells soon that it is none. */
export interface Candidates {
  readonly states: Int32Array
  readonly lists: Uint16Array
  /** What may stand behind it. */
  readonly nexts: Uint8Array
  /** How many characters a word must have for it, `EXACTLY` or at least; 0 when it may be part of a word, or several. */
  readonly lengths: Uint8Array
  /** States in which patterns end that are shorter than the way to them, the nearer ones first. */
  readonly heirs: Int32Array
}

/** Of each pattern, by its number. */
export interface PatternTable {
  readonly flags: Uint8Array
  /** Which list it is from: those of `lists`, then those of `allowed`, then the words that the filter itself knows. */
  readonly lists: Uint16Array
  /** Where it stands in its list. */
  readonly places: Int32Array
  /** Its elements are `elements[first[pattern]]` up to `elements[first[pattern + 1]]`. */
  readonly first: Int32Array
  readonly elements: Uint32Array
  /** A bit for each ending that it may take, and the same for when its last letter is doubled before it. */
  readonly endings: Uint16Array
  readonly doubledEndings: Uint16Array
}

/** Patterns by their length and their first and last letter, for words of which letters are starred out. */
export interface CensoredIndex {
  readonly first: Int32Array
  readonly patterns: Int32Array
}

/** An element: its code, how often it stands there, and whether a Hangul syllable begins with it. */
export const ELEMENT_CODE = 0x1f_ffff
export const ELEMENT_COUNT_SHIFT = 21
export const countOf = (element: number) => (element >>> ELEMENT_COUNT_SHIFT) & 0xff
export const ELEMENT_STARTS = 0x4000_0000

export const EXACTLY = 0x80

export const CENSORED_BITS = 13

/** Where a word of this length with these ends is to be found in the index. */
export const censoredBucket = (first: number, last: number, length: number): number =>
  (Math.imul((classOf(first) * 31 + classOf(last)) * 31 + length, 0x9e37_79b1) >>> 5) &
  ((1 << CENSORED_BITS) - 1)

import { countOf, ELEMENT_CODE, Flag, isExact, type PatternTable } from '../compiled.ts'
import { baseOf, Kind, kindOf } from '../unicode/characters.ts'
import {
  codeBefore,
  endOfWord,
  isIgnorable,
  isNearJamo,
  kindAfter,
  kindBefore,
  MAX_WORD,
  skipAccents,
  skipMarks,
  skipToPunctuation,
  startOfWord,
  widthOf,
} from '../unicode/text.ts'
import { Dictionary, hashLetter, START_HASH } from '../words/dictionary.ts'
import { LONGEST_SUFFIX, SUFFIX_BITS } from '../words/suffixes.ts'
import { AsciiVerifier, Verdict } from './ascii-verifier.ts'
import { HangulVerifier } from './hangul-verifier.ts'
import { LetterMatcher, matchesLetter, mayStretchBy, STRETCHABLE } from './letter-matcher.ts'

/**
 * Verifies a candidate against the text itself: the letters, how often each is repeated, and the word boundaries.
 * `start` and `end` are the span of the last match.
 */
export class Verifier {
  start = 0
  end = 0
  readonly #flags: Uint8Array
  readonly #firstElement: Int32Array
  readonly #elements: Uint32Array
  readonly #suffixes: Uint16Array
  readonly #doubledSuffixes: Uint16Array
  readonly #dictionary: Dictionary
  readonly #ascii: AsciiVerifier
  readonly #letters: LetterMatcher
  readonly #hangul: HangulVerifier

  constructor(patterns: PatternTable, dictionary: Int32Array) {
    const { flags, firstElement, elements, suffixes, doubledSuffixes } = patterns
    this.#dictionary = new Dictionary(dictionary)
    this.#ascii = new AsciiVerifier(patterns)
    this.#letters = new LetterMatcher(patterns)
    this.#hangul = new HangulVerifier(patterns)
    this.#flags = flags
    this.#firstElement = firstElement
    this.#elements = elements
    this.#suffixes = suffixes
    this.#doubledSuffixes = doubledSuffixes
  }

  /** `at` is the end of the unit that completed the classes. */
  verify(text: string, pattern: number, at: number): boolean {
    const verdict = this.#ascii.verify(text, pattern, at)
    if (verdict === Verdict.unsure) return this.#verifyFully(text, pattern, at)
    this.start = this.#ascii.start
    this.end = this.#ascii.end
    return verdict === Verdict.yes
  }

  #verifyFully(text: string, pattern: number, at: number): boolean {
    const flags = this.#flags[pattern] ?? 0
    if ((flags & Flag.hangul) !== 0) return this.#verifyHangul(text, pattern, at)
    if ((flags & Flag.jamo) !== 0 && !isNearJamo(text, at)) return false
    const end = this.#endOfRun(text, at, pattern)
    const start = this.#letters.matchBack(text, pattern, skipAccents(text, end))
    if (start === -1 || !this.#startsAtBoundary(text, start, pattern)) return false
    this.start = start
    if (!this.#endsAtBoundary(text, end, pattern)) return false
    if ((flags & Flag.compound) !== 0) return this.#isCompound(text)
    return (
      this.#letters.doubles === 0 ||
      this.end !== end ||
      !this.#isDictionaryWord(text, startOfWord(text, start), endOfWord(text, end))
    )
  }

  #verifyHangul(text: string, pattern: number, end: number): boolean {
    const isFound = this.#hangul.verify(text, pattern, end)
    this.start = this.#hangul.start
    this.end = end
    return isFound
  }

  /**
   * Whether the word around the match is a compound: starts with the match, or ends with it after a dictionary word.
   */
  #isCompound(text: string): boolean {
    const start = startOfWord(text, this.start)
    const end = endOfWord(text, this.end)
    if (end - start > MAX_WORD) return true
    if (this.#isDictionaryWord(text, start, end)) return false
    const suffix = text.slice(this.end, end).toLowerCase()
    return (
      start === this.start ||
      ((suffix === '' || SUFFIX_BITS.has(suffix)) && this.#isDictionaryWord(text, start, this.start))
    )
  }

  #isDictionaryWord(text: string, start: number, end: number): boolean {
    let hash = START_HASH
    for (let at = start; at < end; at++) hash = hashLetter(hash, baseOf(text.charCodeAt(at)))
    return this.#dictionary.has(hash)
  }

  /** Whether the pattern matches from an index on, whatever follows. Sets `end`. */
  matchesFrom(text: string, from: number, at: number, pattern: number): boolean {
    this.end = this.#endOfRun(text, at, pattern)
    return this.#letters.matchBack(text, pattern, this.end, from) === from
  }

  /**
   * The classes are complete at the first letter of the last run: moves on to the end of that run. A short word takes
   * no more look-alikes than it requires: `tit+`.
   */
  #endOfRun(text: string, at: number, pattern: number): number {
    const flags = this.#flags[pattern] ?? 0
    const position = (this.#firstElement[pattern + 1] ?? 0) - 1
    const element = this.#elements[position] ?? 0
    const isOnly = position === this.#firstElement[pattern]
    const letter = element & ELEMENT_CODE
    const required = countOf(element)
    let end = kindOf(letter) === Kind.separator ? skipToPunctuation(text, at, letter) : at
    let taken = matchesLetter(codeBefore(text, end), letter, flags) ? 1 : 0
    for (let next = end; next < text.length; ) {
      const code = text.codePointAt(next) ?? 0
      const after = next + widthOf(code)
      if (!isIgnorable(code)) {
        if (!matchesLetter(code, letter, flags)) break
        if (
          taken >= required &&
          (isExact(flags) ||
            !mayStretchBy(code, isOnly ? flags & STRETCHABLE : flags & ~Flag.openBefore, true))
        )
          break
        taken++
        end = after
      }
      next = after
    }
    return end
  }

  #startsAtBoundary(text: string, start: number, pattern: number): boolean {
    const kind = kindBefore(text, start)
    const flags = this.#flags[pattern] ?? 0
    const own = kindOf((this.#elements[this.#firstElement[pattern] ?? 0] ?? 0) & ELEMENT_CODE)
    if (own === Kind.letter || own === Kind.digit)
      return (flags & Flag.openBefore) !== 0 || (kind !== Kind.letter && kind !== Kind.digit)
    return !this.#isSingleCharacter(pattern) || kind === Kind.separator || own === Kind.separator
  }

  /** Whether it is one character of a script without spaces, which too many innocent words contain. */
  #isSingleCharacter(pattern: number): boolean {
    const first = this.#firstElement[pattern] ?? 0
    const isMatch = (this.#firstElement[pattern + 1] ?? 0) - first === 1
    return isMatch && countOf(this.#elements[first] ?? 0) === 1
  }

  /** Sets `end`, after the suffix if there is one. */
  #endsAtBoundary(text: string, end: number, pattern: number): boolean {
    this.end = skipMarks(text, end)
    const flags = this.#flags[pattern] ?? 0
    const next = kindAfter(text, end)
    const own = kindOf((this.#elements[(this.#firstElement[pattern + 1] ?? 0) - 1] ?? 0) & ELEMENT_CODE)
    if (own === Kind.letter || own === Kind.digit) {
      if (
        (flags & Flag.openAfter) !== 0 ||
        (next !== Kind.letter && (next !== Kind.digit || own !== Kind.digit))
      )
        return true
      return (
        (flags & Flag.inflects) !== 0 &&
        (flags & Flag.allowed) === 0 &&
        this.#endsWithSuffix(text, end, pattern)
      )
    }
    return !this.#isSingleCharacter(pattern) || next === Kind.separator || own === Kind.separator
  }

  /** Only the last letter may be doubled before a suffix: `shitting`. */
  #endsWithSuffix(text: string, end: number, pattern: number): boolean {
    let suffix = ''
    let at = end
    while (at < text.length && suffix.length <= LONGEST_SUFFIX) {
      const code = text.codePointAt(at) ?? 0
      const kind = kindOf(code)
      if (kind !== Kind.ignorable) {
        if (kind !== Kind.letter) break
        suffix += String.fromCodePoint(baseOf(code))
      }
      at += widthOf(code)
    }
    if (this.#letters.doubles > (this.#letters.isLastDoubled ? 1 : 0)) return false
    const accepted = (this.#letters.isLastDoubled ? this.#doubledSuffixes : this.#suffixes)[pattern] ?? 0
    if (((SUFFIX_BITS.get(suffix) ?? 0) & accepted) === 0) return false
    this.end = skipMarks(text, at)
    return true
  }
}

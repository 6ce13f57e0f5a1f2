import { Flag, isExact } from '../compile/expression.ts'
import { ENDING_BITS, LONGEST_ENDING } from '../compile/inflector.ts'
import { countOf, ELEMENT_CODE, type PatternTable } from '../compiled.ts'
import { bareOf, Kind, kindOf } from '../unicode/characters.ts'
import {
  codeBefore,
  endOfWord,
  isIgnorable,
  isJamoNear,
  kindAfter,
  kindBefore,
  MAX_WORD,
  skipAccents,
  skipMarks,
  skipSigns,
  startOfWord,
  widthOf,
} from '../unicode/text.ts'
import { Dictionary, hashLetter, START_HASH } from '../words/dictionary.ts'
import { PlainVerifier, Verdict } from './ascii-verifier.ts'
import { HangulVerifier } from './hangul-verifier.ts'
import { LetterMatcher, matches, mayStretchBy, STRETCHES } from './letter-matcher.ts'

/**
 * Looks at the text itself where the automaton has found the classes of a pattern: are these its letters, as often as it
 * asks, and do they stand where a word may begin and end? `start` and `end` tell where it was found.
 */
export class Verifier {
  start = 0
  end = 0
  readonly #flags: Uint8Array
  readonly #first: Int32Array
  readonly #elements: Uint32Array
  readonly #endings: Uint16Array
  readonly #doubledEndings: Uint16Array
  readonly #dictionary: Dictionary
  readonly #plain: PlainVerifier
  readonly #letters: LetterMatcher
  readonly #hangul: HangulVerifier

  constructor(patterns: PatternTable, dictionary: Int32Array) {
    const { flags, first, elements, endings, doubledEndings } = patterns
    this.#dictionary = new Dictionary(dictionary)
    this.#plain = new PlainVerifier(patterns)
    this.#letters = new LetterMatcher(patterns)
    this.#hangul = new HangulVerifier(patterns)
    this.#flags = flags
    this.#first = first
    this.#elements = elements
    this.#endings = endings
    this.#doubledEndings = doubledEndings
  }

  /** `at` is where the unit ends that completed the classes. */
  verify(text: string, pattern: number, at: number): boolean {
    const verdict = this.#plain.verify(text, pattern, at)
    if (verdict === Verdict.unsure) return this.#verifyClosely(text, pattern, at)
    this.start = this.#plain.start
    this.end = this.#plain.end
    return verdict === Verdict.yes
  }

  #verifyClosely(text: string, pattern: number, at: number): boolean {
    const flags = this.#flags[pattern] ?? 0
    if ((flags & Flag.hangul) !== 0) return this.#verifyHangul(text, pattern, at)
    if ((flags & Flag.looseJamo) !== 0 && !isJamoNear(text, at)) return false
    const end = this.#endOfRun(text, at, pattern)
    const start = this.#letters.matchBack(text, pattern, skipAccents(text, end))
    if (start === -1 || !this.#beginsWell(text, start, pattern)) return false
    this.start = start
    if (!this.#endsWell(text, end, pattern)) return false
    if ((flags & Flag.within) !== 0) return this.#isCompound(text)
    return (
      this.#letters.doubles === 0 ||
      this.end !== end ||
      !this.#isKnown(text, startOfWord(text, start), endOfWord(text, end))
    )
  }

  #verifyHangul(text: string, pattern: number, end: number): boolean {
    const isFound = this.#hangul.verify(text, pattern, end)
    this.start = this.#hangul.start
    this.end = end
    return isFound
  }

  /** Whether the word around the match is made of it: begins with it, or ends with it behind another word. */
  #isCompound(text: string): boolean {
    const start = startOfWord(text, this.start)
    const end = endOfWord(text, this.end)
    if (end - start > MAX_WORD) return true
    if (this.#isKnown(text, start, end)) return false
    const ending = text.slice(this.end, end).toLowerCase()
    return (
      start === this.start ||
      ((ending === '' || ENDING_BITS.has(ending)) && this.#isKnown(text, start, this.start))
    )
  }

  /** Whether it is a word of the dictionary. */
  #isKnown(text: string, start: number, end: number): boolean {
    let hash = START_HASH
    for (let at = start; at < end; at++) hash = hashLetter(hash, bareOf(text.charCodeAt(at)))
    return this.#dictionary.has(hash)
  }

  /** Whether the pattern stands in a text from an index on, wherever the text goes on; sets `end`. */
  matchesFrom(text: string, from: number, at: number, pattern: number): boolean {
    this.end = this.#endOfRun(text, at, pattern)
    return this.#letters.matchBack(text, pattern, this.end, from) === from
  }

  /**
   * The classes were complete with the first letter of the last run: goes on to its end. A short word takes no more of what
   * only may be its last letter than it asks for: `tit+`.
   */
  #endOfRun(text: string, at: number, pattern: number): number {
    const flags = this.#flags[pattern] ?? 0
    const place = (this.#first[pattern + 1] ?? 0) - 1
    const element = this.#elements[place] ?? 0
    const isOnly = place === this.#first[pattern]
    const letter = element & ELEMENT_CODE
    const wanted = countOf(element)
    let end = kindOf(letter) === Kind.separator ? skipSigns(text, at, letter) : at
    let taken = matches(codeBefore(text, end), letter, flags) ? 1 : 0
    for (let next = end; next < text.length; ) {
      const code = text.codePointAt(next) ?? 0
      const after = next + widthOf(code)
      if (!isIgnorable(code)) {
        if (!matches(code, letter, flags)) break
        if (
          taken >= wanted &&
          (isExact(flags) || !mayStretchBy(code, isOnly ? flags & STRETCHES : flags & ~Flag.openBefore, true))
        )
          break
        taken++
        end = after
      }
      next = after
    }
    return end
  }

  #beginsWell(text: string, start: number, pattern: number): boolean {
    const kind = kindBefore(text, start)
    const flags = this.#flags[pattern] ?? 0
    const own = kindOf((this.#elements[this.#first[pattern] ?? 0] ?? 0) & ELEMENT_CODE)
    if (own === Kind.letter || own === Kind.digit)
      return (flags & Flag.openBefore) !== 0 || (kind !== Kind.letter && kind !== Kind.digit)
    return !this.#isSingle(pattern) || kind === Kind.separator || own === Kind.separator
  }

  /** Whether it is one character of a script without spaces: part of too many words to be forbidden within them. */
  #isSingle(pattern: number): boolean {
    const first = this.#first[pattern] ?? 0
    const isOne = (this.#first[pattern + 1] ?? 0) - first === 1
    return isOne && countOf(this.#elements[first] ?? 0) === 1
  }

  /** Sets `end`, behind an ending of the word when it is bent. */
  #endsWell(text: string, end: number, pattern: number): boolean {
    this.end = skipMarks(text, end)
    const flags = this.#flags[pattern] ?? 0
    const next = kindAfter(text, end)
    const own = kindOf((this.#elements[(this.#first[pattern + 1] ?? 0) - 1] ?? 0) & ELEMENT_CODE)
    if (own === Kind.letter || own === Kind.digit) {
      if (
        (flags & Flag.openAfter) !== 0 ||
        (next !== Kind.letter && (next !== Kind.digit || own !== Kind.digit))
      )
        return true
      return (flags & Flag.bends) !== 0 && (flags & Flag.allowed) === 0 && this.#isBent(text, end, pattern)
    }
    return !this.#isSingle(pattern) || next === Kind.separator || own === Kind.separator
  }

  /** A letter is either doubled or the word bent, but for the last one: `shitting`. */
  #isBent(text: string, end: number, pattern: number): boolean {
    let ending = ''
    let at = end
    while (at < text.length && ending.length <= LONGEST_ENDING) {
      const code = text.codePointAt(at) ?? 0
      const kind = kindOf(code)
      if (kind !== Kind.ignorable) {
        if (kind !== Kind.letter) break
        ending += String.fromCodePoint(bareOf(code))
      }
      at += widthOf(code)
    }
    if (this.#letters.doubles > (this.#letters.isLastDoubled ? 1 : 0)) return false
    const accepted = (this.#letters.isLastDoubled ? this.#doubledEndings : this.#endings)[pattern] ?? 0
    if (((ENDING_BITS.get(ending) ?? 0) & accepted) === 0) return false
    this.end = skipMarks(text, at)
    return true
  }
}

import { type CompiledList, Flag, INSIDE_WORDS } from '../compiled.ts'
import { Rule } from '../scan/match.ts'
import { equalsFolded, Kind, kindOf, scriptOf } from '../unicode/characters.ts'
import { isKanaWord, mixesKana } from '../unicode/kana.ts'
import {
  codeBefore,
  isNearJamo,
  kindAfter,
  kindBefore,
  readClassOf,
  unitAt,
  widthOf,
} from '../unicode/text.ts'
import { splitsSyllable } from '../unicode/thai.ts'
import { HangulVerifier } from './hangul-verifier.ts'
import { LetterMatcher } from './letter-matcher.ts'
import { Plain, PlainMatcher } from './plain-matcher.ts'
import { SurroundingWord } from './surrounding-word.ts'

const NO = 0
/** A letter repeated this often is stretched on purpose. */
const MIN_STRETCH = 3
/** Minimum length of a word made entirely of look-alikes. */
const MIN_FOREIGN = 4
/** Start positions tried in the first run of letters. */
const MAX_STARTS = 4
/** A word that is repeated more often is found without looking at what is around it. */
const MAX_REPEATS = 8
const OPEN = Flag.openBefore | Flag.openAfter

/**
 * Verifies a candidate against the text itself: the letters, how often each is repeated, and the word around it. `start`
 * and `end` are the span of the last match.
 */
export class Verifier {
  start = 0
  end = 0
  readonly letters: LetterMatcher
  readonly word: SurroundingWord
  readonly #flags: Uint32Array
  readonly #runs: Uint8Array
  readonly #endings: Uint32Array
  readonly #doubledEndings: Uint32Array
  readonly #hangul: HangulVerifier
  readonly #plain: PlainMatcher

  constructor({ patterns, words }: CompiledList) {
    this.letters = new LetterMatcher(patterns, words.ownLetters)
    this.word = new SurroundingWord(words)
    this.#hangul = new HangulVerifier(patterns)
    this.#plain = new PlainMatcher(patterns)
    this.#flags = patterns.flags
    this.#runs = patterns.runs
    this.#endings = patterns.endings
    this.#doubledEndings = patterns.doubledEndings
  }

  /** `at` is inside the last run of letters, after its first. Returns the rule that applies, or 0. */
  verify(text: string, pattern: number, at: number): number {
    const flags = this.#flags[pattern] ?? 0
    if ((flags & Flag.hangul) !== 0) return this.#verifyHangul(text, pattern, at)
    if ((flags & OPEN) === 0) {
      const plain = this.#plain.match(text, at, pattern)
      if (plain >= 0) return this.judge(text, plain, this.#plain.end, pattern, true)
      if (plain === Plain.mismatch) return NO
    }
    if ((flags & Flag.jamo) !== 0 && !isNearJamo(text, at)) return NO
    const start = this.#firstRun(text, at, this.#runs[pattern] ?? 0)
    const isFixed = (flags & INSIDE_WORDS) === 0 && isWordCode(this.letters.firstOf(pattern))
    if (isFixed) return this.#verifyFrom(text, pattern, start)
    const code = text.codePointAt(start) ?? 0
    if (readClassOf(text.codePointAt(start + widthOf(code)) ?? 0) !== readClassOf(code))
      return this.#verifyFrom(text, pattern, start)
    const run = startsOfRun(text, start)
    const latest = Math.max(0, run.length - this.letters.firstRunOf(pattern))
    for (let index = latest; index >= 0 && latest - index < MAX_STARTS; index--) {
      const rule = this.#verifyFrom(text, pattern, run[index] ?? start)
      if (rule !== NO) return rule
    }
    return NO
  }

  #verifyHangul(text: string, pattern: number, end: number): number {
    if (!this.#hangul.verify(text, pattern, end)) return NO
    this.start = this.#hangul.start
    this.end = end
    return this.#hangul.isPlain ? Rule.word : Rule.disguise
  }

  /** The start of the given number of runs of one class. */
  #firstRun(text: string, at: number, runs: number): number {
    let start = at
    let before = -1
    for (let left = runs; start > 0; ) {
      const code = codeBefore(text, start)
      const own = readClassOf(code)
      if (own !== before && left-- === 0) break
      before = own
      start -= widthOf(code)
    }
    return start
  }

  #verifyFrom(text: string, pattern: number, start: number): number {
    const flags = this.#flags[pattern] ?? 0
    this.letters.match(text, start, pattern)
    const { ends, endCount } = this.letters
    const isAscending = (flags & OPEN) !== 0
    for (let index = 0; index < endCount; index++) {
      const end = ends[isAscending ? index : endCount - 1 - index] ?? 0
      const rule = this.judge(text, start, end, pattern)
      if (rule !== NO) return rule
    }
    return NO
  }

  /** The rule by which a span that has the letters of a pattern is a hit, or 0. Sets `start` and `end`. */
  judge(
    text: string,
    start: number,
    end: number,
    pattern: number,
    isPlain = this.letters.isPlain(text, start, end, pattern),
  ): number {
    const flags = this.#flags[pattern] ?? 0
    this.start = start
    this.end = end
    const isExact = (flags & Flag.exact) !== 0
    if (!isPlain && !isExact && !this.#isPlausible(text, start, end, pattern)) return NO
    const rule = this.#ruleFor(text, start, end, pattern, isPlain)
    if (rule !== NO && (flags & Flag.split) !== 0) return Rule.split
    if (rule === NO || (isPlain && (flags & Flag.respelled) === 0)) return rule
    // The last letter of a word is doubled before some endings.
    const isDoubled = rule === Rule.inflection && this.letters.isPlain(text, start, end - 1, pattern)
    return isDoubled ? rule : Rule.disguise
  }

  #ruleFor(text: string, start: number, end: number, pattern: number, isPlain: boolean): number {
    const flags = this.#flags[pattern] ?? 0
    const [isSpacedStart, isSpacedEnd] = [
      isWordCode(this.letters.firstOf(pattern)),
      isWordCode(this.letters.lastOf(pattern)),
    ]
    if (!isSpacedStart || !isSpacedEnd)
      return this.#isUnspacedMatch(text, start, end, pattern, isSpacedStart, isSpacedEnd) ? Rule.word : NO
    const { word } = this
    word.locate(text, start, end)
    const isBefore =
      word.start < start || this.#continuesNumber(this.letters.firstOf(pattern), kindBefore(text, start))
    const isAfter =
      word.end > end || this.#continuesNumber(this.letters.lastOf(pattern), kindAfter(text, end))
    const isWhole = !isBefore && !isAfter && (flags & Flag.needsEnding) === 0
    const isLiteral = isPlain || (flags & Flag.exact) !== 0
    if (isWhole) return isLiteral || !word.isInnocent(text) ? Rule.word : NO
    if (
      (flags & Flag.allowed) === 0 &&
      !isBefore &&
      isAfter &&
      this.#isInflected(text, end, pattern, isPlain)
    ) {
      this.end = word.end
      return Rule.inflection
    }
    if ((flags & Flag.needsEnding) !== 0) return NO
    if ((!isBefore || (flags & Flag.openBefore) !== 0) && (!isAfter || (flags & Flag.openAfter) !== 0))
      return Rule.open
    return this.#isCompound(text, start, end, flags) ? Rule.compound : NO
  }

  /** Digits next to a word do not belong to it, but those next to a number do. */
  #continuesNumber(edge: number, neighbor: number): boolean {
    return neighbor === Kind.digit && kindOf(edge) === Kind.digit
  }

  /** Whether the rest of the word is an ending that the pattern takes. Only its last letter may be doubled: `shitting`. */
  #isInflected(text: string, end: number, pattern: number, isPlain: boolean): boolean {
    const ending = this.word.endingAfter(text, end)
    if (ending === 0) return false
    const isDoubled = !isPlain && equalsFolded(unitAt(text, end - 1), unitAt(text, end - 2))
    const accepted = (isDoubled ? this.#doubledEndings : this.#endings)[pattern] ?? 0
    if ((accepted & ending) === 0)
      return isDoubled && ((this.#endings[pattern] ?? 0) & ending) !== 0 && !this.word.isInnocent(text)
    return isPlain || isDoubled || !this.word.isInnocent(text)
  }

  /** Whether the word around the match is built on the pattern. Sets the span to that of the word. */
  #isCompound(text: string, start: number, end: number, flags: number): boolean {
    if ((flags & (Flag.stem | Flag.compound)) === 0) return false
    const { word } = this
    if (word.isInnocent(text)) return false
    const isCompound =
      (flags & Flag.stem) !== 0 || (word.isPartBefore(text, start) && word.isPartAfter(text, end))
    if (!isCompound) return false
    this.start = word.start
    this.end = word.end
    return true
  }

  /** Whether enough of a disguised match is genuine. */
  #isPlausible(text: string, start: number, end: number, pattern: number): boolean {
    const script = scriptOf(this.letters.firstOf(pattern))
    let [letters, genuine, foreign, digits, run, longest] = [0, 0, 0, 0, 0, 0]
    let before = -1
    for (let at = start; at < end; ) {
      const code = text.codePointAt(at) ?? 0
      at += widthOf(code)
      const kind = kindOf(code)
      if (kind === Kind.separator) continue
      letters++
      if (kind === Kind.digit) digits++
      else if (scriptOf(code) === script) genuine++
      else foreign++
      run = equalsFolded(code, before) || code === before ? run + 1 : 1
      longest = Math.max(longest, run)
      before = code
    }
    const flags = this.#flags[pattern] ?? 0
    const isStretched = letters > this.letters.lengthOf(pattern)
    if (isStretched && (flags & Flag.stretchable) === 0 && longest < MIN_STRETCH) return false
    if (letters < MIN_FOREIGN && digits * 3 > letters * 2) return false
    return genuine > 0 || (foreign === letters && letters >= MIN_FOREIGN)
  }

  /** The boundaries of an expression that starts or ends in a script without spaces, or with a sign. */
  #isUnspacedMatch(
    text: string,
    start: number,
    end: number,
    pattern: number,
    isSpacedStart: boolean,
    isSpacedEnd: boolean,
  ): boolean {
    const flags = this.#flags[pattern] ?? 0
    const [before, after] = [kindBefore(text, start), kindAfter(text, end)]
    if (isSpacedStart && (flags & Flag.openBefore) === 0 && (before === Kind.letter || before === Kind.digit))
      return false
    if (isSpacedEnd && (flags & Flag.openAfter) === 0 && (after === Kind.letter || after === Kind.digit))
      return false
    const first = kindOf(this.letters.firstOf(pattern))
    const last = kindOf(this.letters.lastOf(pattern))
    const isSingle = this.letters.lengthOf(pattern) === 1
    if (isSingle && first !== Kind.separator && (before !== Kind.separator || after !== Kind.separator))
      return false
    return this.#respectsWords(text, start, end, flags, first, last)
  }

  /** Rules of scripts without spaces: no match across a change of kana, inside a kana word or a Thai syllable. */
  #respectsWords(
    text: string,
    start: number,
    end: number,
    flags: number,
    first: number,
    last: number,
  ): boolean {
    if (first !== Kind.unspaced || last !== Kind.unspaced || (flags & Flag.allowed) !== 0) return true
    if ((flags & (OPEN | Flag.mixedKana)) === 0 && !this.#isKanaWord(text, start, end)) return false
    return !(
      (splitsSyllable(text, start) && (flags & Flag.openBefore) === 0) ||
      (splitsSyllable(text, end) && (flags & Flag.openAfter) === 0)
    )
  }

  /** A repeated word counts as one, so that masking one does not make a word of the next. */
  #isKanaWord(text: string, start: number, end: number): boolean {
    if (!isKana(text.charCodeAt(start)) && !isKana(text.charCodeAt(end - 1))) return true
    if (mixesKana(text, start, end)) return false
    const word = text.slice(start, end)
    let [first, last] = [start, end]
    for (let repeats = 0; text.startsWith(word, first - word.length) && first >= word.length; repeats++) {
      if (repeats === MAX_REPEATS) return true
      first -= word.length
    }
    for (let repeats = 0; text.startsWith(word, last); repeats++) {
      if (repeats === MAX_REPEATS) return true
      last += word.length
    }
    return isKanaWord(text, first, last)
  }
}

const isKana = (unit: number) => unit >= 0x3041 && unit <= 0x30ff

const isWordCode = (code: number) => kindOf(code) === Kind.letter || kindOf(code) === Kind.digit

/** The positions of the characters of one class from an index on. */
function startsOfRun(text: string, start: number): number[] {
  const starts: number[] = []
  let own = 0
  for (let at = start; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    if (at === start) own = readClassOf(code)
    else if (readClassOf(code) !== own) break
    starts.push(at)
    at += widthOf(code)
  }
  return starts
}

import { Flag } from '../compile/expression.ts'
import { type CompiledFilter, censoredBucket, countOf, ELEMENT_CODE } from '../compiled.ts'
import { bareOf, foldedOf, Kind, kindOf, standsFor } from '../unicode/characters.ts'
import { kindAfter, kindBefore, widthOf } from '../unicode/text.ts'
import type { Verifier } from '../verify/verifier.ts'
import { step } from './automaton.ts'
import type { Scope } from './language-scopes.ts'
import { Again, Signs } from './passes.ts'
import type { Scanner } from './scanner.ts'
import { isPlain, SEPARATOR_SYMBOL, STARS, SYMBOL_MASK } from './symbols.ts'

/** So many single letters in a row are a word that is spelled out. */
const SPELLED = 3
/** Nobody spells more for one. */
const MAX_SPELLED = 128

/** Looks at texts in other ways than letter by letter, where a first look gave a reason to. */
export class Tricks {
  readonly #compiled: CompiledFilter
  readonly #verifier: Verifier
  readonly #scanner: Scanner
  #spelledPattern = 0

  constructor(compiled: CompiledFilter, verifier: Verifier, scanner: Scanner) {
    this.#compiled = compiled
    this.#verifier = verifier
    this.#scanner = scanner
  }

  /** Adds to what the scanner has found. */
  scanAgain(text: string, scope: Scope, again: number): void {
    if ((again & Again.edgeSigns) !== 0) this.#scanner.scan(text, scope, Signs.letters)
    if ((again & Again.moreSigns) !== 0) this.#scanner.scan(text, scope, Signs.moreLetters)
    const inner = (again & Again.innerSigns) === 0 ? 0 : this.#scanner.scan(text, scope, Signs.separators)
    if (((again | inner) & Again.spelled) !== 0) this.#scanSpelled(text, scope)
    if ((again & Again.censored) !== 0) this.#scanCensored(text, scope)
    if (((again | inner) & Again.gaps) !== 0) this.#scanGaps(text, scope)
  }

  /** Words that are spelled out: single letters with something between them. */
  #scanSpelled(text: string, scope: Scope): void {
    let letters = ''
    let places: number[] = []
    const flush = () => {
      if (places.length >= SPELLED) this.#findSpelled(text, letters, places, scope)
      letters = ''
      places = []
    }
    for (let i = 0; i < text.length; ) {
      const code = text.codePointAt(i) ?? 0
      const start = i
      i += widthOf(code)
      const kind = kindOf(code)
      if (kind === Kind.separator || kind === Kind.ignorable) continue
      const isSingle =
        kind === Kind.letter &&
        foldedOf(code) <= LAST_UNIT &&
        kindBefore(text, start) === Kind.separator &&
        kindAfter(text, i) === Kind.separator
      if (!isSingle) {
        flush()
        continue
      }
      // Styled letters of other planes are plain ones here, so that each takes one place.
      letters += String.fromCharCode(code > LAST_UNIT ? foldedOf(code) : code)
      places.push(start)
    }
    flush()
  }

  #findSpelled(text: string, letters: string, places: readonly number[], scope: Scope): void {
    for (let from = 0; from < letters.length; from++) {
      const end = this.#longestSpelled(letters, from, scope)
      if (end === -1) continue
      this.#scanner.found.push({
        start: places[from] ?? 0,
        end: behind(text, places[end - 1] ?? 0),
        pattern: this.#spelledPattern,
      })
      from = end - 1
    }
  }

  /** Where the longest word ends that is spelled from here, or -1; sets `#spelledPattern`. */
  #longestSpelled(letters: string, from: number, scope: Scope): number {
    const closed = this.#walkSpelled(letters, from, scope, this.#scanner.start)
    const pattern = this.#spelledPattern
    const open = this.#walkSpelled(letters, from, scope, 0)
    if (open <= closed) this.#spelledPattern = pattern
    return Math.max(closed, open)
  }

  /** The same for the words that begin in one state: that of a word's beginning, or any place for those that are open. */
  #walkSpelled(letters: string, from: number, scope: Scope, start: number): number {
    const { automaton, codes, patterns } = this.#compiled
    let state = start
    let depth = automaton.depths[start] ?? 0
    let previous = SEPARATOR_SYMBOL
    let longest = -1
    const end = Math.min(letters.length, from + MAX_SPELLED)
    for (let i = from; i < end; i++) {
      const code = codes[letters.charCodeAt(i)] ?? 0
      if (!isPlain(code)) break
      const symbol = code & SYMBOL_MASK
      if (symbol === previous) continue
      previous = symbol
      state = step(automaton, state, symbol)
      if (automaton.depths[state] !== ++depth) break
      if (scope.ends[state] === 0) continue
      for (
        let place = automaton.firstEnd[state] ?? 0;
        place < (automaton.firstEnd[state + 1] ?? 0);
        place++
      ) {
        const pattern = automaton.ends[place] ?? 0
        if (scope.applies[patterns.lists[pattern] ?? 0] === 0) continue
        const end = this.#spelledMatch(letters, from, i + 1, pattern)
        if (end <= longest) continue
        longest = end
        this.#spelledPattern = pattern
      }
    }
    return longest
  }

  /** Where the pattern that begins at `from` ends, or -1. A short word must be all that is spelled. */
  #spelledMatch(letters: string, from: number, at: number, pattern: number): number {
    if (((this.#compiled.patterns.flags[pattern] ?? 0) & (Flag.strict | Flag.allowed)) !== 0) return -1
    if (!this.#verifier.matchesFrom(letters, from, at, pattern)) return -1
    const { end } = this.#verifier
    const isAll = from === 0 && end === letters.length
    return isAll || end - from > SPELLED ? end : -1
  }

  /** Words of which letters are starred out: `f*ck`. */
  #scanCensored(text: string, scope: Scope): void {
    for (let i = 0; i < text.length; i++) {
      if (kindOf(text.charCodeAt(i)) !== Kind.letter || isCensoredUnit(text, i - 1)) continue
      let end = i
      let stars = 0
      while (end < text.length && isCensoredUnit(text, end)) if (isStar(text, end++)) stars++
      while (end > i && isStar(text, end - 1)) {
        end--
        stars--
      }
      if (stars > 0) this.#findCensored(text, i, end, scope)
      i = Math.max(i, end - 1)
    }
  }

  #findCensored(text: string, start: number, end: number, scope: Scope): void {
    const { censored, patterns } = this.#compiled
    const bucket = censoredBucket(text.charCodeAt(start), text.charCodeAt(end - 1), end - start)
    for (let at = censored.first[bucket] ?? 0; at < (censored.first[bucket + 1] ?? 0); at++) {
      const pattern = censored.patterns[at] ?? 0
      if (scope.applies[patterns.lists[pattern] ?? 0] === 1 && this.#isCensored(text, start, end, pattern))
        this.#scanner.found.push({ start, end, pattern })
    }
  }

  /** One star stands for a vowel; several in a row for anything. No more than half may be starred out. */
  #isCensored(text: string, start: number, end: number, pattern: number): boolean {
    const { first, elements } = this.#compiled.patterns
    let at = start
    let stars = 0
    for (let place = first[pattern] ?? 0; place < (first[pattern + 1] ?? 0); place++) {
      const element = elements[place] ?? 0
      const letter = element & ELEMENT_CODE
      for (let n = 0; n < countOf(element); n++, at++) {
        if (at >= end) return false
        if (isStar(text, at)) {
          const isAlone = !isStar(text, at - 1) && !isStar(text, at + 1)
          if (isAlone && !VOWELS.has(bareOf(letter))) return false
          stars++
        } else if (!standsFor(text.charCodeAt(at), letter)) return false
      }
    }
    return at === end && stars * 2 <= end - start
  }

  /** Hangul with something between its syllables: `시1발`. */
  #scanGaps(text: string, scope: Scope): void {
    let letters = ''
    const places: number[] = []
    for (let i = 0; i < text.length; i++) {
      const kind = kindOf(text.charCodeAt(i))
      if (kind !== Kind.syllable && kind !== Kind.jamo) continue
      letters += text[i]
      places.push(i)
    }
    if (places.length < 2) return
    const known = this.#scanner.found.length
    this.#scanner.scan(letters, scope)
    const gapped = this.#scanner.found.splice(known)
    for (const { start, end, pattern } of gapped) {
      const from = places[start] ?? 0
      const to = (places[end - 1] ?? 0) + 1
      const flags = this.#compiled.patterns.flags[pattern] ?? 0
      if ((flags & Flag.allowed) === 0 && to - from > end - start && isWholeGap(text, from, to))
        this.#scanner.found.push({ start: from, end: to, pattern })
    }
  }
}

const LAST_UNIT = 0xffff

/** Where the character ends that begins here. */
const behind = (text: string, at: number) => at + widthOf(text.codePointAt(at) ?? 0)

const VOWELS = new Set(Array.from('aeiouy', (letter) => letter.charCodeAt(0)))
const starUnits = new Set(Array.from(STARS, (star) => star.charCodeAt(0)))

const isStar = (text: string, at: number) => starUnits.has(text.charCodeAt(at))
const isCensoredUnit = (text: string, at: number) =>
  at >= 0 && (isStar(text, at) || kindOf(text.charCodeAt(at)) === Kind.letter)

/** A gap of signs and digits, or of spaces between syllables that stand alone. What ends a sentence, or words, is none. */
function isWholeGap(text: string, from: number, to: number): boolean {
  let hasSpace = false
  let syllables = 0
  let longest = 0
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    if (kindOf(unit) === Kind.letter || BREAKS.includes(text.charAt(at))) return false
    hasSpace ||= unit <= 0x20
    syllables = unit <= 0x20 ? 0 : syllables + 1
    longest = Math.max(longest, syllables)
  }
  const before = kindBefore(text, from)
  if (!hasSpace) return before !== Kind.digit
  return longest === 1 && before === Kind.separator && kindAfter(text, to) !== Kind.syllable
}

const BREAKS = ',()[]\n'

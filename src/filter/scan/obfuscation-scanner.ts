import { type CompiledFilter, censoredBucket, countOf, ELEMENT_CODE, Flag } from '../compiled.ts'
import { baseOf, foldedOf, Kind, kindOf, standsFor } from '../unicode/characters.ts'
import { kindAfter, kindBefore, widthOf } from '../unicode/text.ts'
import type { Verifier } from '../verify/verifier.ts'
import { step } from './automaton.ts'
import type { Scope } from './language-scopes.ts'
import { LeetMode, Pass } from './passes.ts'
import type { Scanner } from './scanner.ts'
import { isPlain, SEPARATOR_SYMBOL, STARS, SYMBOL_MASK } from './symbols.ts'

/** Minimum number of consecutive single letters that count as a spelled-out word. */
const MIN_SPELLED_OUT = 3
/** Bounds the cost of each starting position. */
const MAX_SPELLED_OUT = 128

/** Makes the further passes that the first pass called for. */
export class ObfuscationScanner {
  readonly #compiled: CompiledFilter
  readonly #verifier: Verifier
  readonly #scanner: Scanner
  #matchedPattern = 0

  constructor(compiled: CompiledFilter, verifier: Verifier, scanner: Scanner) {
    this.#compiled = compiled
    this.#verifier = verifier
    this.#scanner = scanner
  }

  /** Adds to the matches of the scanner. */
  scan(text: string, scope: Scope, passes: number): void {
    if ((passes & Pass.edgeLeet) !== 0) this.#scanner.scan(text, scope, LeetMode.atEdges)
    if ((passes & Pass.obfuscatedEdgeLeet) !== 0) this.#scanner.scan(text, scope, LeetMode.atObfuscatedEdges)
    const inner = (passes & Pass.innerLeet) === 0 ? 0 : this.#scanner.scan(text, scope, LeetMode.never)
    if (((passes | inner) & Pass.spelledOut) !== 0) this.#scanSpelledOut(text, scope)
    if ((passes & Pass.censored) !== 0) this.#scanCensored(text, scope)
    if (((passes | inner) & Pass.gaps) !== 0) this.#scanGaps(text, scope)
  }

  /** Spelled-out words: single letters with something between them. */
  #scanSpelledOut(text: string, scope: Scope): void {
    let letters = ''
    let positions: number[] = []
    const flush = () => {
      if (positions.length >= MIN_SPELLED_OUT) this.#findSpelledOut(text, letters, positions, scope)
      letters = ''
      positions = []
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
      // Styled letters of other planes are folded, so that each takes one position.
      letters += String.fromCharCode(code > LAST_UNIT ? foldedOf(code) : code)
      positions.push(start)
    }
    flush()
  }

  #findSpelledOut(text: string, letters: string, positions: readonly number[], scope: Scope): void {
    for (let from = 0; from < letters.length; from++) {
      const end = this.#longestSpelledOut(letters, from, scope)
      if (end === -1) continue
      this.#scanner.matches.push({
        start: positions[from] ?? 0,
        end: endOfCharacter(text, positions[end - 1] ?? 0),
        pattern: this.#matchedPattern,
      })
      from = end - 1
    }
  }

  /** The end of the longest word spelled out from here, or -1. Sets `#matchedPattern`. */
  #longestSpelledOut(letters: string, from: number, scope: Scope): number {
    const closed = this.#walkSpelledOut(letters, from, scope, this.#scanner.wordStart)
    const pattern = this.#matchedPattern
    const open = this.#walkSpelledOut(letters, from, scope, 0)
    if (open <= closed) this.#matchedPattern = pattern
    return Math.max(closed, open)
  }

  /** The same, from one start state: the start of a word, or the root for expressions that are open on the left. */
  #walkSpelledOut(letters: string, from: number, scope: Scope, start: number): number {
    const { automaton, codes, patterns } = this.#compiled
    let state = start
    let depth = automaton.depths[start] ?? 0
    let previous = SEPARATOR_SYMBOL
    let longest = -1
    const end = Math.min(letters.length, from + MAX_SPELLED_OUT)
    for (let i = from; i < end; i++) {
      const code = codes[letters.charCodeAt(i)] ?? 0
      if (!isPlain(code)) break
      const symbol = code & SYMBOL_MASK
      if (symbol === previous) continue
      previous = symbol
      state = step(automaton, state, symbol)
      if (automaton.depths[state] !== ++depth) break
      if (scope.followers[state] === 0) continue
      for (
        let position = automaton.firstOutput[state] ?? 0;
        position < (automaton.firstOutput[state + 1] ?? 0);
        position++
      ) {
        const pattern = automaton.outputs[position] ?? 0
        if (scope.applies[patterns.lists[pattern] ?? 0] === 0) continue
        const end = this.#matchSpelledOut(letters, from, i + 1, pattern)
        if (end <= longest) continue
        longest = end
        this.#matchedPattern = pattern
      }
    }
    return longest
  }

  /** The end of the pattern that starts at `from`, or -1. A short word must span all of the letters. */
  #matchSpelledOut(letters: string, from: number, at: number, pattern: number): number {
    if (((this.#compiled.patterns.flags[pattern] ?? 0) & (Flag.strict | Flag.allowed)) !== 0) return -1
    if (!this.#verifier.matchesFrom(letters, from, at, pattern)) return -1
    const { end } = this.#verifier
    const isAll = from === 0 && end === letters.length
    return isAll || end - from > MIN_SPELLED_OUT ? end : -1
  }

  /** Words with letters starred out: `f*ck`. */
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
    for (let at = censored.firstPattern[bucket] ?? 0; at < (censored.firstPattern[bucket + 1] ?? 0); at++) {
      const pattern = censored.patterns[at] ?? 0
      if (scope.applies[patterns.lists[pattern] ?? 0] === 1 && this.#isCensored(text, start, end, pattern))
        this.#scanner.matches.push({ start, end, pattern })
    }
  }

  /**
   * A single star stands for a vowel, several in a row for anything. At most half of the letters may be starred out.
   */
  #isCensored(text: string, start: number, end: number, pattern: number): boolean {
    const { firstElement, elements } = this.#compiled.patterns
    let at = start
    let stars = 0
    for (let position = firstElement[pattern] ?? 0; position < (firstElement[pattern + 1] ?? 0); position++) {
      const element = elements[position] ?? 0
      const letter = element & ELEMENT_CODE
      for (let n = 0; n < countOf(element); n++, at++) {
        if (at >= end) return false
        if (isStar(text, at)) {
          const isAlone = !isStar(text, at - 1) && !isStar(text, at + 1)
          if (isAlone && !VOWELS.has(baseOf(letter))) return false
          stars++
        } else if (!standsFor(text.charCodeAt(at), letter)) return false
      }
    }
    return at === end && stars * 2 <= end - start
  }

  /** Hangul with something between its syllables: `시1발`. */
  #scanGaps(text: string, scope: Scope): void {
    let letters = ''
    const positions: number[] = []
    for (let i = 0; i < text.length; i++) {
      const kind = kindOf(text.charCodeAt(i))
      if (kind !== Kind.syllable && kind !== Kind.jamo) continue
      letters += text[i]
      positions.push(i)
    }
    if (positions.length < 2) return
    const known = this.#scanner.matches.length
    this.#scanner.scan(letters, scope)
    const gapped = this.#scanner.matches.splice(known)
    for (const { start, end, pattern } of gapped) {
      const from = positions[start] ?? 0
      const to = (positions[end - 1] ?? 0) + 1
      const flags = this.#compiled.patterns.flags[pattern] ?? 0
      if ((flags & Flag.allowed) === 0 && to - from > end - start && isObfuscationGap(text, from, to))
        this.#scanner.matches.push({ start: from, end: to, pattern })
    }
  }
}

const LAST_UNIT = 0xffff

const endOfCharacter = (text: string, at: number) => at + widthOf(text.codePointAt(at) ?? 0)

const VOWELS = new Set(Array.from('aeiouy', (letter) => letter.charCodeAt(0)))
const starUnits = new Set(Array.from(STARS, (star) => star.charCodeAt(0)))

const isStar = (text: string, at: number) => starUnits.has(text.charCodeAt(at))
const isCensoredUnit = (text: string, at: number) =>
  at >= 0 && (isStar(text, at) || kindOf(text.charCodeAt(at)) === Kind.letter)

/**
 * Accepts punctuation and digits between syllables, and spaces between single syllables, but nothing that ends a
 * sentence or a clause.
 */
function isObfuscationGap(text: string, from: number, to: number): boolean {
  let hasSpace = false
  let syllables = 0
  let longest = 0
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    if (kindOf(unit) === Kind.letter || GAP_BREAKERS.includes(text.charAt(at))) return false
    hasSpace ||= unit <= 0x20
    syllables = unit <= 0x20 ? 0 : syllables + 1
    longest = Math.max(longest, syllables)
  }
  const before = kindBefore(text, from)
  if (!hasSpace) return before !== Kind.digit
  return longest === 1 && before === Kind.separator && kindAfter(text, to) !== Kind.syllable
}

const GAP_BREAKERS = ',()[]\n'

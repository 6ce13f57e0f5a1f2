import { type CompiledList, Flag } from '../compiled.ts'
import { Kind, kindOf } from '../unicode/characters.ts'
import { kindAfter, kindBefore } from '../unicode/text.ts'
import type { Verifier } from '../verify/verifier.ts'
import { step } from './automaton.ts'
import { Rule } from './match.ts'
import type { Scanner } from './scanner.ts'
import { isPlain, SEPARATOR_SYMBOL, SYMBOL_MASK } from './symbols.ts'

/** Minimum number of consecutive single letters that count as a spelled-out word. */
const MIN_SPELLED_OUT = 3
/** Bounds the cost of each starting position. */
const MAX_SPELLED_OUT = 128

const NOT_SPELLED_OUT = Flag.exact | Flag.allowed | Flag.unsplit | Flag.needsEnding

/** Finds words of single letters with something between them: `w o r d`, `w.o.r.d`. */
export class SpelledOutWords {
  readonly #compiled: CompiledList
  readonly #verifier: Verifier
  readonly #scanner: Scanner
  #matchedPattern = 0

  constructor(compiled: CompiledList, verifier: Verifier, scanner: Scanner) {
    this.#compiled = compiled
    this.#verifier = verifier
    this.#scanner = scanner
  }

  find(text: string): void {
    let letters = ''
    let positions: number[] = []
    const flush = () => {
      if (positions.length >= MIN_SPELLED_OUT) this.#findIn(letters, positions)
      letters = ''
      positions = []
    }
    for (let at = 0; at < text.length; at++) {
      const kind = kindOf(text.charCodeAt(at))
      if (kind === Kind.separator || (at > 0 && isHighHalf(text.charCodeAt(at - 1)))) continue
      if (!isSingleLetter(text, at)) {
        flush()
        continue
      }
      letters += text.charAt(at)
      positions.push(at)
    }
    flush()
  }

  #findIn(letters: string, positions: readonly number[]): void {
    for (let from = 0; from < letters.length; from++) {
      const end = this.#longest(letters, from)
      if (end === -1) continue
      this.#scanner.matches.push({
        start: positions[from] ?? 0,
        end: (positions[end - 1] ?? 0) + 1,
        pattern: this.#matchedPattern,
        rule: Rule.split,
      })
      from = end - 1
    }
  }

  /** The end of the longest word spelled out from here, or -1. Sets `#matchedPattern`. */
  #longest(letters: string, from: number): number {
    const closed = this.#walk(letters, from, this.#scanner.wordStart)
    const pattern = this.#matchedPattern
    const open = this.#walk(letters, from, 0)
    if (open <= closed) this.#matchedPattern = pattern
    return Math.max(closed, open)
  }

  /** The same, from one start state: the start of a word, or the root for expressions that are found inside words. */
  #walk(letters: string, from: number, start: number): number {
    const { automaton, codes, candidates } = this.#compiled
    let state = start
    let depth = automaton.depths[start] ?? 0
    let previous = SEPARATOR_SYMBOL
    let longest = -1
    const end = Math.min(letters.length, from + MAX_SPELLED_OUT)
    for (let at = from; at < end; at++) {
      const code = codes[letters.charCodeAt(at)] ?? 0
      if (!isPlain(code)) break
      const symbol = code & SYMBOL_MASK
      if (symbol === previous) continue
      previous = symbol
      state = step(automaton, state, symbol)
      if (automaton.depths[state] !== ++depth) break
      if (candidates.followers[state] !== 0) longest = this.#matchAll(letters, from, state, longest)
    }
    return longest
  }

  #matchAll(letters: string, from: number, state: number, known: number): number {
    const { firstOutput, outputs } = this.#compiled.automaton
    let longest = known
    for (let position = firstOutput[state] ?? 0; position < (firstOutput[state + 1] ?? 0); position++) {
      const pattern = outputs[position] ?? 0
      const end = this.#match(letters, from, pattern)
      if (end <= longest) continue
      longest = end
      this.#matchedPattern = pattern
    }
    return longest
  }

  /** The end of the pattern that starts at `from`, or -1. A short word must span all of the letters. */
  #match(letters: string, from: number, pattern: number): number {
    if (((this.#compiled.patterns.flags[pattern] ?? 0) & NOT_SPELLED_OUT) !== 0) return -1
    const matcher = this.#verifier.letters
    matcher.match(letters, from, pattern)
    if (matcher.endCount === 0) return -1
    const end = matcher.ends[matcher.endCount - 1] ?? 0
    this.#verifier.word.locate(letters, from, end)
    const isInflected = this.#verifier.word.endingAfter(letters, end) !== 0
    const whole = isInflected ? letters.length : end
    const isAll = from === 0 && whole === letters.length
    return isAll || whole - from > MIN_SPELLED_OUT ? whole : -1
  }
}

const isHighHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

const isSingleLetter = (text: string, at: number) =>
  kindOf(text.charCodeAt(at)) === Kind.letter &&
  kindBefore(text, at) === Kind.separator &&
  kindAfter(text, at + 1) === Kind.separator

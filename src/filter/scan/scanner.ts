import { type CompiledList, EXACT_LENGTH, Flag } from '../compiled.ts'
import { classOf, Kind, kindOf } from '../unicode/characters.ts'
import { dependsOnPrevious, isSyllable } from '../unicode/hangul.ts'
import { kindAfter, unitAt } from '../unicode/text.ts'
import type { Verifier } from '../verify/verifier.ts'
import { COMMON_BITS, COMMON_SYMBOLS, SYMBOL_BITS, step } from './automaton.ts'
import { extendHistory, MAX_LETTERS, SINGLE_LETTER, SPELLED_OUT, wordLength } from './letter-history.ts'
import type { Literals } from './literals.ts'
import { type Match, Pass } from './match.ts'
import { isLetterAtEdge } from './sign-letters.ts'
import { SymbolReader } from './symbol-reader.ts'
import {
  Code,
  HistoryStep,
  historyStepOf,
  isLetterCode,
  isPlain,
  MAX_SYLLABLE_SYMBOLS,
  NO_SYMBOL,
  SEPARATOR_CODE,
  SEPARATOR_SYMBOL,
  SYMBOL_MASK,
  syllableRow,
  symbolHistoryStep,
} from './symbols.ts'

const NO_STATE = -1
const COMPOUND = Flag.stem | Flag.compound

/** Runs texts through the automaton and verifies the candidates it finds. */
export class Scanner {
  /** Matches of all scans since `reset`. */
  readonly matches: Match[] = []
  /** Where the last scan found signs that belong to words. */
  readonly signs: number[] = []
  /** The state at the start of a word. */
  readonly wordStart: number
  readonly #compiled: CompiledList
  readonly #followers: Uint8Array
  readonly #verifier: Verifier
  readonly #symbolReader: SymbolReader
  readonly #literals: Literals
  /** State of the current scan. */
  #passes = 0
  #state = 0
  #history = 0
  /** The candidates that were verified last: their state and the end of its last run. */
  #verifiedState = NO_STATE
  #verifiedTo = 0
  /** The end of the last hit that is a compound, which is a whole word. */
  #coveredTo = 0

  constructor(compiled: CompiledList, verifier: Verifier, literals: Literals) {
    this.#compiled = compiled
    this.#followers = compiled.candidates.followers
    this.#verifier = verifier
    this.#symbolReader = new SymbolReader(compiled)
    this.#literals = literals
    this.wordStart = step(compiled.automaton, 0, SEPARATOR_SYMBOL)
  }

  reset(): void {
    if (this.matches.length > 0) this.matches.length = 0
  }

  /** Makes one pass over a text. Returns the further readings that it calls for. */
  scan(text: string, isNormal = false): number {
    const { codes } = this.#compiled
    this.#verifier.word.reset()
    this.#passes = 0
    this.#verifiedState = NO_STATE
    this.#verifiedTo = 0
    this.#coveredTo = 0
    if (this.signs.length > 0) this.signs.length = 0
    this.#state = this.wordStart
    this.#history = 1
    for (let at = this.#scanRun(text, 0); at < text.length; ) {
      const code = codes[text.charCodeAt(at)] ?? 0
      if (code === Code.abnormal && !isNormal) return Pass.normalize
      if (this.#followers[this.#state] !== 0) this.#verifyAt(text, at)
      const width = isPlain(code) ? this.#readPlain(code) : this.#readSpecial(text, at, code, isNormal)
      if (width === 0) return Pass.normalize
      at += width
      if (isPlain(codes[unitAt(text, at)] ?? 0)) at = this.#scanRun(text, at)
    }
    if (this.#followers[this.#state] !== 0) this.#verifyAt(text, text.length)
    this.#recordLetter(HistoryStep.separator)
    return this.#passes
  }

  /**
   * The inner loop: reads on while only the next dense row is needed, which is nearly all of a text. It calls nothing,
   * and it stops at a candidate only if the next unit can follow it: word ends are unpredictable, and a mispredicted
   * branch costs more than everything else in the loop.
   */
  #scanRun(text: string, from: number): number {
    const { codes, automaton } = this.#compiled
    const { dense } = automaton
    const followers = this.#followers
    const denseUnits = dense.length
    let state = this.#state
    let history = this.#history
    let i = from
    for (; i < text.length; i++) {
      let code = codes[text.charCodeAt(i)] ?? 0
      if (code >= Code.pair) {
        const isBetween = (history & 1) === 0 && codes[unitAt(text, i + 1)] !== SEPARATOR_CODE
        if (code !== Code.punctuation || isBetween) break
        code = SEPARATOR_CODE
      }
      const symbol = code & SYMBOL_MASK
      const key = (state << COMMON_BITS) | symbol
      const isEnd = ((followers[state] ?? 0) & (code >>> SYMBOL_BITS)) !== 0
      if (isEnd || symbol >= COMMON_SYMBOLS || key >= denseUnits) break
      history = extendHistory(history, historyStepOf(code))
      if ((history & SPELLED_OUT) === SPELLED_OUT) this.#passes |= Pass.spelledOut
      state = dense[key] ?? 0
    }
    this.#state = state
    this.#history = history
    return i
  }

  #readPlain(code: number): number {
    this.#recordLetter(historyStepOf(code))
    this.#state = step(this.#compiled.automaton, this.#state, code & SYMBOL_MASK)
    return 1
  }

  #recordLetter(historyStep: number): void {
    this.#history = extendHistory(this.#history, historyStep)
    if ((this.#history & SPELLED_OUT) === SPELLED_OUT) this.#passes |= Pass.spelledOut
  }

  /** Verifies the candidates that end before an index, unless that was done earlier in the same run of letters. */
  #verifyAt(text: string, index: number): void {
    const { codes, automaton } = this.#compiled
    const state = this.#state
    const next = codes[unitAt(text, index)] ?? SEPARATOR_CODE
    if (isPlain(next) && ((this.#followers[state] ?? 0) & (next >>> SYMBOL_BITS)) === 0) return
    if (state === this.#verifiedState && index <= this.#verifiedTo) return
    const symbol = automaton.symbols[state] ?? 0
    let end = index
    while (
      ((codes[unitAt(text, end)] ?? 0) & SYMBOL_MASK) === symbol &&
      isPlain(codes[unitAt(text, end)] ?? 0) &&
      end < text.length
    )
      end++
    this.#verifiedState = state
    this.#verifiedTo = end
    const letters = end > index ? MAX_LETTERS : wordLength(this.#history)
    this.#verifyAll(text, state, index, letters, end - this.#startOfRun(text, index, symbol))
  }

  /** The start of the letters of one symbol that end before an index. A longer run than any pattern has is cut. */
  #startOfRun(text: string, index: number, symbol: number): number {
    const { codes } = this.#compiled
    let start = index
    while (index - start < MAX_RUN && ((codes[unitAt(text, start - 1)] ?? 0) & SYMBOL_MASK) === symbol)
      start--
    return start
  }

  /** Reads a unit that is not exactly one symbol. Returns the number of units consumed, 0 if it is not normal. */
  #readSpecial(text: string, at: number, code: number, isNormal: boolean): number {
    const end = code === Code.syllable ? this.#runSyllables(text, at) : at
    if (end > at) return end - at
    if (code < Code.surrogate) return this.#readLetter(text, at, code)
    if (code === Code.sign || code === Code.punctuation) return this.#readSign(text, at)
    const character = text.codePointAt(at) ?? 0
    if (code === Code.surrogate && this.#symbolReader.isAbnormal(character) && !isNormal) return 0
    const kind = kindOf(character)
    const isSign = kind === Kind.separator || kind === Kind.ignorable
    return isSign ? this.#readSign(text, at) : this.#readLetter(text, at, code)
  }

  /** Reads syllables while another syllable follows, which is most of Korean text. */
  #runSyllables(text: string, from: number): number {
    const { automaton, syllables } = this.#compiled
    let state = this.#state
    let at = from
    for (; !dependsOnPrevious(unitAt(text, at)) && isSyllable(unitAt(text, at + 1)); at++) {
      this.#recordLetter(HistoryStep.letter)
      const row = syllableRow(text.charCodeAt(at))
      for (
        let position = row;
        position < row + MAX_SYLLABLE_SYMBOLS && syllables[position] !== NO_SYMBOL;
        position++
      ) {
        state = step(automaton, state, syllables[position] ?? 0)
        if (this.#followers[state] !== 0) this.#verifyAll(text, state, at + 1, MAX_LETTERS)
      }
    }
    this.#state = state
    if (at > from) this.#skipVerified(state, at)
    return at
  }

  #skipVerified(state: number, at: number): void {
    this.#verifiedState = state
    this.#verifiedTo = at
  }

  /** Reads a letter of several symbols. Returns the number of units consumed. */
  #readLetter(text: string, at: number, code: number): number {
    const symbolReader = this.#symbolReader
    // A repeated letter of two symbols counts once, like a repeated letter of one symbol.
    if (code < Code.unspaced && classOf(text.charCodeAt(at)) === classOf(unitAt(text, at - 1))) return 1
    const width = symbolReader.read(text, at, code)
    const isAfterSingleLetter = (this.#history & SINGLE_LETTER) === SINGLE_LETTER
    if (symbolReader.isBeforeGap || (isAfterSingleLetter && kindAfter(text, at + width) !== Kind.syllable))
      this.#passes |= Pass.gaps
    if (symbolReader.count > 0) this.#recordLetter(symbolHistoryStep(symbolReader.symbols[0] ?? 0))
    for (let position = 0; position < symbolReader.count; position++) {
      const symbol = symbolReader.symbols[position] ?? 0
      if (position > 0 && symbol === SEPARATOR_SYMBOL) this.#recordLetter(HistoryStep.separator)
      this.#advance(symbol, text, at + width)
    }
    // A syllable that only prolongs a vowel has no symbol of its own, but it may end a word.
    if (symbolReader.count === 0 && this.#followers[this.#state] !== 0)
      this.#verifyAll(text, this.#state, at + width, MAX_LETTERS)
    this.#skipVerified(this.#state, at + width)
    return width
  }

  /** Makes a transition and verifies the candidates that end before an index. */
  #advance(symbol: number, text: string, index: number): void {
    this.#state = step(this.#compiled.automaton, this.#state, symbol)
    if (this.#followers[this.#state] !== 0) this.#verifyAll(text, this.#state, index, MAX_LETTERS)
  }

  /** Reads a sign as a separator and notes whether it may be more. Returns the number of units consumed. */
  #readSign(text: string, at: number): number {
    const sign = text.codePointAt(at) ?? 0
    const width = sign > 0xffff ? 2 : 1
    this.#literals.find(text, at, this.matches)
    if (this.#belongsToWord(text, at, sign)) {
      this.#passes |= Pass.signs
      this.signs.push(at)
    }
    this.#recordLetter(HistoryStep.separator)
    this.#advance(SEPARATOR_SYMBOL, text, at + width)
    return width
  }

  /** Whether a sign is inside a word, or at its edge and can be a letter. */
  #belongsToWord(text: string, at: number, sign: number): boolean {
    const after = at + (sign > 0xffff ? 2 : 1)
    const isAfterLetter = (this.#history & 1) === 0
    if (isLetterAtEdge(sign))
      return isAfterLetter || isLetterCode(this.#compiled.codes[unitAt(text, after)] ?? 0)
    return isAfterLetter && this.#continuesWord(text, after)
  }

  /** Whether a letter follows, possibly after more signs. */
  #continuesWord(text: string, from: number): boolean {
    const { codes } = this.#compiled
    for (let at = from; at < from + MAX_SIGNS; at++) {
      const code = codes[unitAt(text, at)] ?? SEPARATOR_CODE
      if (code !== Code.sign && code !== Code.punctuation && code !== Code.surrogate)
        return isLetterCode(code)
    }
    return false
  }

  /** Verifies every pattern whose classes end here, in a word and a run of letters of the given lengths. */
  #verifyAll(text: string, state: number, at: number, letters: number, run = MAX_RUN): void {
    const { automaton, candidates, patterns } = this.#compiled
    const { lengths, lastRuns } = candidates
    for (let each = state; each !== 0; each = automaton.outputLinks[each] ?? 0) {
      const end = automaton.firstOutput[each + 1] ?? 0
      for (let position = automaton.firstOutput[each] ?? 0; position < end; position++) {
        if (run < (lastRuns[position] ?? 0) || !fits(letters, lengths[position] ?? 0)) continue
        const pattern = automaton.outputs[position] ?? 0
        const isInside = ((patterns.flags[pattern] ?? 0) & COMPOUND) !== 0
        // The whole word is a hit already, and this is no more literal one: too much of the word follows.
        if (isInside && at + LONGEST_ENDING < this.#coveredTo) continue
        const rule = this.#verifier.verify(text, pattern, at)
        if (rule === 0) continue
        const { start, end } = this.#verifier
        this.matches.push({ start, end, pattern, rule })
        if (isInside) this.#coveredTo = end
      }
    }
  }
}

const MAX_SIGNS = 8
const MAX_RUN = 4
const LONGEST_ENDING = 6

/** Whether a word of this length can match a candidate. */
const fits = (letters: number, required: number) =>
  letters === MAX_LETTERS ||
  (required < EXACT_LENGTH ? letters >= required : letters === required - EXACT_LENGTH)

import { type CompiledFilter, EXACT_LENGTH } from '../compiled.ts'
import { Kind, MAX_LEET_RUN } from '../unicode/characters.ts'
import { dependsOnPrevious, isSyllable } from '../unicode/hangul.ts'
import { codeBefore, kindAfter, unitAt, widthOf } from '../unicode/text.ts'
import type { Verifier } from '../verify/verifier.ts'
import { COMMON_BITS, COMMON_SYMBOLS, SYMBOL_BITS, step } from './automaton.ts'
import type { Scope } from './language-scopes.ts'
import { extendHistory, MAX_LETTERS, SINGLE_LETTER, SPELLED_OUT, wordLength } from './letter-history.ts'
import { LeetMode, type Match, Pass } from './passes.ts'
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

const DIGIT_NINE = 0x39

/** A pattern without letters. */
export interface Literal {
  readonly text: string
  readonly pattern: number
}

/** Runs texts through the automaton and verifies the candidates it finds. */
export class Scanner {
  /** Unresolved matches, cleared by `takeMatches`. */
  matches: Match[] = []
  /** The state at the start of a word. */
  readonly wordStart: number
  readonly #compiled: CompiledFilter
  readonly #verifier: Verifier
  readonly #symbolReader: SymbolReader
  /** By first code unit. */
  readonly #literals: ReadonlyMap<number, readonly Literal[]>
  /**
   * State of the current scan: the further passes it calls for, and the offset up to which candidates were verified.
   */
  #passes = 0
  #verifiedTo = 0
  #state = 0
  #history = 0

  constructor(compiled: CompiledFilter, verifier: Verifier, literals: readonly Literal[]) {
    this.#compiled = compiled
    this.#verifier = verifier
    this.#symbolReader = new SymbolReader(compiled)
    this.wordStart = step(compiled.automaton, 0, SEPARATOR_SYMBOL)
    this.#literals = Map.groupBy(literals, ({ text }) => text.charCodeAt(0))
  }

  takeMatches(): Match[] {
    const { matches } = this
    this.matches = []
    return matches
  }

  /** Makes one pass over the text. Returns the further passes that it calls for. */
  scan(text: string, scope: Scope, leetMode: number = LeetMode.insideWords): number {
    const { codes } = this.#compiled
    this.#passes = 0
    this.#verifiedTo = 0
    this.#state = this.wordStart
    this.#history = 1
    for (let i = this.#scanRun(text, 0, scope); i < text.length; ) {
      const code = codes[text.charCodeAt(i)] ?? 0
      if (scope.followers[this.#state] !== 0) this.#verifyAt(text, this.#state, i, scope)
      i += isPlain(code) ? this.#readPlain(code) : this.#readSpecial(text, i, code, scope, leetMode)
      const next = codes[unitAt(text, i)] ?? 0
      if (isPlain(next) || next === Code.ignorable) i = this.#scanRun(text, i, scope)
    }
    if (scope.followers[this.#state] !== 0) this.#verifyAt(text, this.#state, text.length, scope)
    this.#recordLetter(HistoryStep.separator)
    return this.#passes
  }

  /**
   * The inner loop: reads on while only the next dense row is needed, which is nearly all of a text. It calls nothing,
   * and it stops at a candidate only if the next unit can follow it: word ends are unpredictable, and a mispredicted
   * branch costs more than everything else in the loop.
   */
  #scanRun(text: string, from: number, scope: Scope): number {
    const { codes, automaton } = this.#compiled
    const { dense } = automaton
    const { followers } = scope
    const denseUnits = dense.length
    let state = this.#state
    let history = this.#history
    let i = from
    for (; i < text.length; i++) {
      const code = codes[text.charCodeAt(i)] ?? 0
      if (code >= Code.pair) {
        if (code === Code.ignorable) continue
        break
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

  /** Verifies the candidates that end before an index, unless that was done already. */
  #verifyAt(text: string, state: number, index: number, scope: Scope): void {
    const { codes, automaton } = this.#compiled
    const symbol = automaton.symbols[state] ?? 0
    const next = codes[unitAt(text, index)] ?? SEPARATOR_CODE
    if (isPlain(next) && ((scope.followers[state] ?? 0) & (next >>> SYMBOL_BITS)) === 0) return
    const at = this.#startOfRun(text, index, symbol)
    this.#verifiedTo = index
    if (at === 0) return
    const letters = wordLength(this.#history)
    // The last letter may be repeated further on, and punctuation may stand for the first letter.
    const isRunOver = isPlain(next) && (next & SYMBOL_MASK) !== symbol
    const isWhole = isRunOver && codes[unitAt(text, index - letters - 1)] !== Code.leet
    this.#verifyAll(text, state, at, scope, isWhole ? letters : MAX_LETTERS)
  }

  /** The offset after the first character of the run of a symbol that ends here; 0 if the run was verified already. */
  #startOfRun(text: string, index: number, symbol: number): number {
    const { codes } = this.#compiled
    let start = 0
    for (let at = index; at > 0; ) {
      const code = codes[text.charCodeAt(at - 1)] ?? 0
      const character = isPlain(code) ? 0 : codeBefore(text, at)
      const own = isPlain(code) ? code & SYMBOL_MASK : this.#symbolReader.symbolOf(character)
      if (own === symbol && at <= this.#verifiedTo) return 0
      if (own === symbol) start = at
      else if (own !== NO_SYMBOL) break
      at -= widthOf(character)
    }
    return start
  }

  /** Reads a unit that is not exactly one symbol. Returns the number of units consumed. */
  #readSpecial(text: string, at: number, code: number, scope: Scope, leetMode: number): number {
    const end = code === Code.syllable ? this.#runSyllables(text, at, scope) : at
    if (end > at) return end - at
    if (code <= Code.surrogate) return this.#readLetter(text, at, code, scope)
    const symbol = this.#readPunctuation(text, at, code, scope, leetMode)
    this.#recordLetter(symbolHistoryStep(symbol))
    this.#advance(symbol, text, at + 1, scope)
    return 1
  }

  /** Reads syllables while another syllable follows, which is most of Korean text. */
  #runSyllables(text: string, from: number, scope: Scope): number {
    const { automaton, syllables } = this.#compiled
    const { followers } = scope
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
        const next = step(automaton, state, syllables[position] ?? 0)
        if (next !== state && followers[next] !== 0) this.#verifyAll(text, next, at + 1, scope, MAX_LETTERS)
        state = next
      }
    }
    this.#state = state
    this.#verifiedTo = Math.max(this.#verifiedTo, at)
    return at
  }

  /** Reads a letter of several symbols. Returns the number of units consumed. */
  #readLetter(text: string, at: number, code: number, scope: Scope): number {
    if (code === Code.surrogate) this.#findLiterals(text, at, scope)
    const symbolReader = this.#symbolReader
    const before = symbolReader.pair
    const width = symbolReader.read(text, at, code)
    const isAfterSingleLetter = (this.#history & SINGLE_LETTER) === SINGLE_LETTER
    if (symbolReader.isBeforeGap || (isAfterSingleLetter && kindAfter(text, at + width) !== Kind.syllable))
      this.#passes |= Pass.gaps
    if (symbolReader.count > 0) this.#recordLetter(symbolHistoryStep(symbolReader.symbols[0] ?? 0))
    // A repeated letter of two symbols counts once, like a repeated letter of one symbol.
    const last = this.#compiled.automaton.symbols[this.#state]
    if (before !== 0 && symbolReader.pair === before && last === (before & SYMBOL_MASK)) return width
    for (let position = 0; position < symbolReader.count; position++) {
      const symbol = symbolReader.symbols[position] ?? 0
      if (position > 0 && symbol === SEPARATOR_SYMBOL) this.#recordLetter(HistoryStep.separator)
      this.#advance(symbol, text, at + width, scope)
    }
    this.#verifiedTo = at + width
    return width
  }

  /** Makes a transition and verifies the candidates that end before an index. */
  #advance(symbol: number, text: string, index: number, scope: Scope): void {
    const state = step(this.#compiled.automaton, this.#state, symbol)
    if (state === this.#state) return
    this.#state = state
    if (scope.followers[state] !== 0) this.#verifyAll(text, state, index, scope, MAX_LETTERS)
  }

  /** The symbol of a letter if the punctuation is read as leetspeak, otherwise that of a separator. */
  #readPunctuation(text: string, at: number, code: number, scope: Scope, leetMode: number): number {
    const isInWord = (this.#history & 1) === 0
    this.#findLiterals(text, at, scope)
    if (code === Code.star && isInWord) this.#passes |= Pass.censored
    if (code !== Code.leet || leetMode === LeetMode.never) return SEPARATOR_SYMBOL
    const unit = text.charCodeAt(at)
    const precedesWord = this.#precedesWord(text, at, isInWord)
    const isInner = isInWord && precedesWord
    const isEdge = isInWord !== precedesWord
    const isLikelyLeet = isEdge && isEdgeLeet(unit)
    const isPossibleLeet =
      isEdge && !isLikelyLeet && this.#symbolReader.isObfuscated(text, at, isInWord ? -1 : 1)
    if (isInner) this.#passes |= Pass.innerLeet
    if (isLikelyLeet) this.#passes |= Pass.edgeLeet
    if (isPossibleLeet) this.#passes |= Pass.obfuscatedEdgeLeet
    const isLetter =
      isInner ||
      (isLikelyLeet && leetMode >= LeetMode.atEdges) ||
      (isPossibleLeet && leetMode === LeetMode.atObfuscatedEdges)
    return isLetter ? this.#symbolReader.leetSymbol(unit) : SEPARATOR_SYMBOL
  }

  /**
   * Whether a word follows the punctuation, possibly after a few more characters of the same sort. Digits count only
   * after another letter, `@` or `$`: `<3`.
   */
  #precedesWord(text: string, at: number, isInWord: boolean): boolean {
    const { codes } = this.#compiled
    for (let next = at + 1; next <= at + MAX_LEET_RUN; next++) {
      const unit = unitAt(text, next)
      const code = codes[unit] ?? SEPARATOR_CODE
      if (code === Code.ignorable) continue
      if (code !== Code.leet)
        return (isInWord || unit > DIGIT_NINE || isEdgeLeet(text.charCodeAt(at))) && isLetterCode(code)
    }
    return false
  }

  /** Verifies every pattern whose classes end here in a word of the given length. */
  #verifyAll(text: string, state: number, at: number, scope: Scope, letters: number): void {
    const { automaton, candidates } = this.#compiled
    const { lists, lengths } = candidates
    for (let each = state; each !== 0; each = automaton.outputLinks[each] ?? 0) {
      const end = automaton.firstOutput[each + 1] ?? 0
      for (let position = automaton.firstOutput[each] ?? 0; position < end; position++) {
        if (scope.applies[lists[position] ?? 0] === 0 || !fits(letters, lengths[position] ?? 0)) continue
        const pattern = automaton.outputs[position] ?? 0
        if (this.#verifier.verify(text, pattern, at))
          this.matches.push({ start: this.#verifier.start, end: this.#verifier.end, pattern })
      }
    }
  }

  #findLiterals(text: string, at: number, scope: Scope): void {
    const { patterns } = this.#compiled
    for (const { text: literal, pattern } of this.#literals.get(text.charCodeAt(at)) ?? []) {
      if (scope.applies[patterns.lists[pattern] ?? 0] === 1 && text.startsWith(literal, at))
        this.matches.push({ start: at, end: at + literal.length, pattern })
    }
  }
}

/** Whether a word of this length can match a candidate. */
const fits = (letters: number, required: number) =>
  letters === MAX_LETTERS ||
  (required < EXACT_LENGTH ? letters >= required : letters === required - EXACT_LENGTH)

/** `$` or `@`. At the edge of a word other characters are mostly ordinary punctuation: `hi!`, `(hi`. */
const isEdgeLeet = (unit: number) => unit === 0x24 || unit === 0x40

import { STATE, SYMBOL_BITS, SYMBOLS, step } from './automaton.ts'
import { type CompiledFilter, End } from './compiled.ts'
import { ENDINGS } from './endings.ts'
import type { Scope } from './scopes.ts'
import { Code, NO_SYMBOL, SEPARATOR_SYMBOL, SYLLABLE_SYMBOLS, syllableRow } from './symbols.ts'
import { kindAfter, unitAt, widthOf } from './text.ts'
import { disguiseOf, foldedOf, isEcho, isStretch, Kind, kindOf } from './unicode.ts'
import type { Verifier } from './verify.ts'

/** What was found in a text, by the number of its pattern. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly pattern: number
}

/** Reasons to look at a text again, in another way. */
export const Again = { spelled: 1, edgeSigns: 2, innerSigns: 4, censored: 8, gaps: 16 } as const

/** What signs that may be letters are read as. */
export const Signs = {
  /** Letters within words. */
  byPlace: 0,
  /** Letters also at the edge of words. */
  letters: 1,
  separators: 2,
} as const

const DIGIT_NINE = 0x39
const MAX_SIGNS = 3
/** A bit for each of the last symbols, set where it separates: those of three single letters. */
const SPELLED_HISTORY = 0b101_0101
const SPELLED_MASK = 0b111_1111

/** A pattern that is signs alone. */
export interface Literal {
  readonly text: string
  readonly pattern: number
}

/** Reads texts through the automaton, and looks closely where a pattern may have ended. */
export class Scanner {
  /** What was found since it was last taken. */
  found: Found[] = []
  /** The state where a word begins. */
  readonly start: number
  readonly #compiled: CompiledFilter
  readonly #verifier: Verifier
  /** The texts of patterns that are signs alone, by their first unit. */
  readonly #literals: ReadonlyMap<number, readonly Literal[]>
  readonly #astral = new Map<number, number>()
  /** By symbol, whether an ending of a word begins with it. */
  readonly #startsEnding = new Uint8Array(SYMBOLS)
  /** Of the text under way: the reasons to look again, the last state and symbol, and the symbols of the letter. */
  #again = 0
  #state = 0
  #previous = 0
  #letter = 0
  #isPair = false
  readonly #symbols = new Uint8Array(SYLLABLE_SYMBOLS + 1)
  #spelled = 0

  constructor(compiled: CompiledFilter, verifier: Verifier, literals: readonly Literal[]) {
    this.#compiled = compiled
    this.#verifier = verifier
    this.start = step(compiled.automaton, 0, SEPARATOR_SYMBOL) & STATE
    const { astral } = compiled
    for (let at = 0; at < astral.length; at += 2) this.#astral.set(astral[at] ?? 0, astral[at + 1] ?? 0)
    this.#literals = Map.groupBy(literals, ({ text }) => text.charCodeAt(0))
    for (const ending of ENDINGS) this.#startsEnding[compiled.codes[ending.charCodeAt(0)] ?? 0] = 1
  }

  take(): Found[] {
    const { found } = this
    this.found = []
    return found
  }

  /** One pass over the text. Gives back the reasons for another one. */
  scan(text: string, scope: Scope, signs: number = Signs.byPlace): number {
    const { codes, automaton } = this.#compiled
    const { dense } = automaton
    const { ends } = scope
    const denseUnits = dense.length
    this.#again = 0
    let state = this.start
    let previous = SEPARATOR_SYMBOL
    let history = 1
    for (let i = 0; i < text.length; i++) {
      let code = codes[text.charCodeAt(i)] ?? 0
      if (code >= SYMBOLS) {
        if (code === Code.ignorable) continue
        if (code >= Code.pair || code <= Code.half) {
          this.#state = state
          this.#previous = previous
          i += this.#readLetter(text, i, code, scope) - 1
          state = this.#state
          previous = this.#previous
          history <<= 1
          continue
        }
        code = this.#readSign(text, i, code, scope, previous !== SEPARATOR_SYMBOL, signs)
      }
      if (code === previous) continue
      previous = code
      // Without a branch: where words end cannot be foreseen, and a wrong guess costs more than all the rest.
      history = (history << 1) | (((code ^ SEPARATOR_SYMBOL) - 1) >>> 31)
      if ((history & SPELLED_MASK) === SPELLED_HISTORY) this.#again |= Again.spelled
      const key = (state << SYMBOL_BITS) | code
      state = (key < denseUnits ? (dense[key] ?? 0) : step(automaton, state, code)) & STATE
      if (ends[state] !== 0) this.#look(text, state, i, code, scope)
    }
    const isSpelled = (((history << 1) | 1) & SPELLED_MASK) === SPELLED_HISTORY
    return isSpelled ? this.#again | Again.spelled : this.#again
  }

  /** Looks closely at what ends here, unless the word goes on in a way that nothing of it may. */
  #look(text: string, state: number, at: number, code: number, scope: Scope): void {
    const kind = scope.ends[state] ?? 0
    if ((kind & End.anywhere) === 0) {
      const unit = unitAt(text, at + 1)
      const after = this.#compiled.codes[unit] ?? SEPARATOR_SYMBOL
      const goesOn = after < SYMBOLS && after !== SEPARATOR_SYMBOL && unit > DIGIT_NINE && after !== code
      if (goesOn && ((kind & End.bent) === 0 || this.#startsEnding[after] === 0)) return
    }
    this.#verifyAll(text, state, at + 1, scope)
  }

  /** Reads a letter of several symbols; gives back how many units it takes. */
  #readLetter(text: string, at: number, code: number, scope: Scope): number {
    if (code === Code.half) this.#findLiterals(text, at, scope)
    const width = this.#spell(text, at, code)
    const isPair = this.#isPair
    // A letter of two symbols that stands twice counts once, as one of a single symbol does.
    if (isPair && code === this.#letter && this.#previous === NO_SYMBOL) return width
    for (let place = 0; place < this.#spelled; place++) {
      const symbol = this.#symbols[place] ?? 0
      if (symbol === this.#previous) continue
      this.#previous = isPair && symbol !== SEPARATOR_SYMBOL ? NO_SYMBOL : symbol
      this.#state = step(this.#compiled.automaton, this.#state, symbol) & STATE
      if (scope.ends[this.#state] !== 0) this.#verifyAll(text, this.#state, at + width, scope)
    }
    this.#letter = code
    return width
  }

  /** The symbol of a sign: of a letter within a word, of a separator elsewhere. */
  #readSign(text: string, at: number, code: number, scope: Scope, isInWord: boolean, signs: number): number {
    this.#findLiterals(text, at, scope)
    if (code === Code.star && isInWord) this.#again |= Again.censored
    if (code !== Code.sign) return SEPARATOR_SYMBOL
    const unit = text.charCodeAt(at)
    if (signs === Signs.separators) return SEPARATOR_SYMBOL
    const isBeforeWord = this.#isBeforeWord(text, at, isInWord)
    const isInner = isInWord && isBeforeWord
    const isEdge = isEdgeSign(unit) && isInWord !== isBeforeWord
    if (isInner) this.#again |= Again.innerSigns
    if (isEdge) this.#again |= Again.edgeSigns
    return isInner || (isEdge && signs === Signs.letters) ? this.#signSymbol(unit) : SEPARATOR_SYMBOL
  }

  /** Whether a word follows a sign, or the few signs that it begins. A digit begins none behind most: `<3`. */
  #isBeforeWord(text: string, at: number, isInWord: boolean): boolean {
    const { codes } = this.#compiled
    for (let next = at + 1; next <= at + MAX_SIGNS; next++) {
      const unit = unitAt(text, next)
      const code = codes[unit] ?? SEPARATOR_SYMBOL
      if (code === Code.ignorable) continue
      if (code !== Code.sign)
        return (isInWord || unit > DIGIT_NINE || isEdgeSign(text.charCodeAt(at))) && isLetterCode(code)
    }
    return false
  }

  /** The symbols of a letter that has several, into `#symbols`; gives back how many units it takes. */
  #spell(text: string, at: number, code: number): number {
    this.#spelled = 0
    this.#isPair = false
    let width = 1
    if (code === Code.syllable) this.#spellSyllable(text, at)
    else if (code === Code.half) width = this.#spellAstral(text, at)
    else this.#spellSymbols(code)
    if (code !== Code.syllable && code < Code.unspaced) return width
    const next = this.#compiled.codes[unitAt(text, at + width)] ?? SEPARATOR_SYMBOL
    if (next === Code.syllable || next >= Code.unspaced) return width
    const kind = kindAfter(text, at + width)
    if (kind === Kind.letter || kind === Kind.digit) this.#push(SEPARATOR_SYMBOL)
    if ((kind === Kind.separator || kind === Kind.digit) && at + width < text.length)
      this.#again |= Again.gaps
    return width
  }

  #push(symbol: number): void {
    this.#symbols[this.#spelled++] = symbol
  }

  /** The silent consonant of a syllable that only draws out the vowel before it is left out. */
  #spellSyllable(text: string, at: number): void {
    const { syllables } = this.#compiled
    const unit = text.charCodeAt(at)
    const before = at > 0 ? text.charCodeAt(at - 1) : 0
    if (isEcho(unit, before)) return
    const row = syllableRow(foldedOf(unit))
    const silent = isStretch(unit, before) ? 1 : 0
    for (let place = row + silent; place < row + SYLLABLE_SYMBOLS && syllables[place] !== NO_SYMBOL; place++)
      this.#push(syllables[place] ?? 0)
  }

  #spellSymbols(code: number): void {
    const symbols = code & (Code.pair - 1)
    this.#isPair = symbols >= SYMBOLS
    if (this.#isPair) this.#push(symbols >> SYMBOL_BITS)
    this.#push(symbols & (SYMBOLS - 1))
  }

  #spellAstral(text: string, at: number): number {
    const character = text.codePointAt(at) ?? 0
    const width = widthOf(character)
    if (width === 2 && kindOf(character) === Kind.ignorable) return width
    const folded = foldedOf(character)
    const code =
      (folded <= 0xffff ? this.#compiled.codes[folded] : this.#astral.get(folded)) ?? SEPARATOR_SYMBOL
    this.#spellSymbols(code >= SYMBOLS && code < Code.pair ? SEPARATOR_SYMBOL : code)
    return width
  }

  #signSymbol(unit: number): number {
    const mask = disguiseOf(unit)
    const letter = 0x61 + 31 - Math.clz32(mask & -mask)
    return this.#compiled.codes[letter] ?? 0
  }

  /** Looks closely at every pattern whose classes end here. */
  #verifyAll(text: string, state: number, at: number, scope: Scope): void {
    const { automaton, patterns } = this.#compiled
    for (let each = state; each !== 0; each = automaton.nextEnds[each] ?? 0) {
      const end = automaton.firstEnd[each + 1] ?? 0
      for (let place = automaton.firstEnd[each] ?? 0; place < end; place++) {
        const pattern = automaton.ends[place] ?? 0
        if (scope.applies[patterns.lists[pattern] ?? 0] === 0) continue
        if (this.#verifier.verify(text, pattern, at))
          this.found.push({ start: this.#verifier.start, end: this.#verifier.end, pattern })
      }
    }
  }

  #findLiterals(text: string, at: number, scope: Scope): void {
    const { patterns } = this.#compiled
    for (const { text: literal, pattern } of this.#literals.get(text.charCodeAt(at)) ?? []) {
      if (scope.applies[patterns.lists[pattern] ?? 0] === 1 && text.startsWith(literal, at))
        this.found.push({ start: at, end: at + literal.length, pattern })
    }
  }
}

const isLetterCode = (code: number) =>
  (code !== SEPARATOR_SYMBOL && code < SYMBOLS) || code === Code.half || code >= Code.pair

/** At the edge of a word the other signs are mostly what they are: `hi!`, `(hi`. */
const isEdgeSign = (unit: number) => unit === 0x24 || unit === 0x40

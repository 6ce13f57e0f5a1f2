import { MAX_SIGNS } from '../compile/expression.ts'
import { type CompiledFilter, EXACTLY } from '../compiled.ts'
import { isLoose, isSyllable, Kind } from '../unicode/characters.ts'
import { codeBefore, kindAfter, unitAt, widthOf } from '../unicode/text.ts'
import type { Verifier } from '../verify/verifier.ts'
import { COMMON, COMMON_BITS, SYMBOL_BITS, step } from './automaton.ts'
import type { Scope } from './language-scopes.ts'
import { Again, type Found, Signs } from './passes.ts'
import { Speller } from './symbol-reader.ts'
import {
  Code,
  Growth,
  growthOf,
  growthOfSymbol,
  isLetterCode,
  isPlain,
  NO_SYMBOL,
  SEPARATOR_CODE,
  SEPARATOR_SYMBOL,
  SYLLABLE_SYMBOLS,
  SYMBOL_MASK,
  syllableRow,
} from './symbols.ts'

const DIGIT_NINE = 0x39
/** Three letters that stand alone: a bit for each of the last letters, set when something separates it from the next one. */
const SPELLED = 0b1111
/** One that stands alone. */
const SINGLE = 0b11

/** There may be more. */
const MAX_LETTERS = 31

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
  readonly #speller: Speller
  /** The texts of patterns that are signs alone, by their first unit. */
  readonly #literals: ReadonlyMap<number, readonly Literal[]>
  /** Of the text under way: the reasons to look again, and up to where it was looked at closely. */
  #again = 0
  #lookedTo = 0
  /** Of what was read so far: the state it led to, and its last letters. */
  #state = 0
  #letters = 0

  constructor(compiled: CompiledFilter, verifier: Verifier, literals: readonly Literal[]) {
    this.#compiled = compiled
    this.#verifier = verifier
    this.#speller = new Speller(compiled)
    this.start = step(compiled.automaton, 0, SEPARATOR_SYMBOL)
    this.#literals = Map.groupBy(literals, ({ text }) => text.charCodeAt(0))
  }

  take(): Found[] {
    const { found } = this
    this.found = []
    return found
  }

  /** One pass over the text. Gives back the reasons for another one. */
  scan(text: string, scope: Scope, signs: number = Signs.byPlace): number {
    const { codes } = this.#compiled
    this.#again = 0
    this.#lookedTo = 0
    this.#state = this.start
    this.#letters = 1
    for (let i = this.#run(text, 0, scope); i < text.length; ) {
      const code = codes[text.charCodeAt(i)] ?? 0
      if (scope.ends[this.#state] !== 0) this.#look(text, this.#state, i, scope)
      i += isPlain(code) ? this.#readPlain(code) : this.#readSpecial(text, i, code, scope, signs)
      const next = codes[unitAt(text, i)] ?? 0
      if (isPlain(next) || next === Code.ignorable) i = this.#run(text, i, scope)
    }
    if (scope.ends[this.#state] !== 0) this.#look(text, this.#state, text.length, scope)
    this.#count(Growth.separates)
    return this.#again
  }

  /**
   * Reads on as long as nothing but the next row of the automaton is needed: nearly all of a text. Nothing is called from here,
   * and what ends in a state is looked at only when the next unit tells that it may end there: no processor foresees where
   * words end, and a branch that is guessed wrong costs more than all the rest.
   */
  #run(text: string, from: number, scope: Scope): number {
    const { codes, automaton } = this.#compiled
    const { dense } = automaton
    const { ends } = scope
    const denseUnits = dense.length
    let state = this.#state
    let letters = this.#letters
    let i = from
    for (; i < text.length; i++) {
      const code = codes[text.charCodeAt(i)] ?? 0
      if (code >= Code.pair) {
        if (code === Code.ignorable) continue
        break
      }
      const symbol = code & SYMBOL_MASK
      const key = (state << COMMON_BITS) | symbol
      const isEnd = ((ends[state] ?? 0) & (code >>> SYMBOL_BITS)) !== 0
      if (isEnd || symbol >= COMMON || key >= denseUnits) break
      letters = addLetter(letters, growthOf(code))
      if ((letters & SPELLED) === SPELLED) this.#again |= Again.spelled
      state = dense[key] ?? 0
    }
    this.#state = state
    this.#letters = letters
    return i
  }

  #readPlain(code: number): number {
    this.#count(growthOf(code))
    this.#state = step(this.#compiled.automaton, this.#state, code & SYMBOL_MASK)
    return 1
  }

  #count(growth: number): void {
    this.#letters = addLetter(this.#letters, growth)
    if ((this.#letters & SPELLED) === SPELLED) this.#again |= Again.spelled
  }

  /** Looks closely at what ended in a state before an index, unless it was looked at already. */
  #look(text: string, state: number, index: number, scope: Scope): void {
    const { codes, automaton } = this.#compiled
    const symbol = automaton.symbols[state] ?? 0
    const next = codes[unitAt(text, index)] ?? SEPARATOR_CODE
    if (isPlain(next) && ((scope.ends[state] ?? 0) & (next >>> SYMBOL_BITS)) === 0) return
    const at = this.#startOfRun(text, index, symbol)
    this.#lookedTo = index
    if (at === 0) return
    const letters = lettersOf(this.#letters)
    // The last letter may stand there more often than was read, and a sign may be meant for the first.
    const isOver = isPlain(next) && (next & SYMBOL_MASK) !== symbol
    const isWhole = isOver && codes[unitAt(text, index - letters - 1)] !== Code.sign
    this.#verifyAll(text, state, at, scope, isWhole ? letters : MAX_LETTERS)
  }

  /** Behind the first of the characters of a symbol that end here; 0 when they have been looked at already. */
  #startOfRun(text: string, index: number, symbol: number): number {
    const { codes } = this.#compiled
    let start = 0
    for (let at = index; at > 0; ) {
      const code = codes[text.charCodeAt(at - 1)] ?? 0
      const character = isPlain(code) ? 0 : codeBefore(text, at)
      const own = isPlain(code) ? code & SYMBOL_MASK : this.#speller.symbolOf(character)
      if (own === symbol && at <= this.#lookedTo) return 0
      if (own === symbol) start = at
      else if (own !== NO_SYMBOL) break
      at -= widthOf(character)
    }
    return start
  }

  /** Reads what is not simply a symbol; gives back how many units it takes. */
  #readSpecial(text: string, at: number, code: number, scope: Scope, signs: number): number {
    const end = code === Code.syllable ? this.#runSyllables(text, at, scope) : at
    if (end > at) return end - at
    if (code <= Code.half) return this.#readLetter(text, at, code, scope)
    const symbol = this.#readSign(text, at, code, scope, signs)
    this.#count(growthOfSymbol(symbol))
    this.#push(symbol, text, at + 1, scope)
    return 1
  }

  /** Reads syllables as long as they are followed by others: most of Korean. */
  #runSyllables(text: string, from: number, scope: Scope): number {
    const { automaton, syllables } = this.#compiled
    const { ends } = scope
    let state = this.#state
    let at = from
    for (; !isLoose(unitAt(text, at)) && isSyllable(unitAt(text, at + 1)); at++) {
      this.#count(Growth.letter)
      const row = syllableRow(text.charCodeAt(at))
      for (let place = row; place < row + SYLLABLE_SYMBOLS && syllables[place] !== NO_SYMBOL; place++) {
        const next = step(automaton, state, syllables[place] ?? 0)
        if (next !== state && ends[next] !== 0) this.#verifyAll(text, next, at + 1, scope, MAX_LETTERS)
        state = next
      }
    }
    this.#state = state
    this.#lookedTo = Math.max(this.#lookedTo, at)
    return at
  }

  /** Reads a letter of several symbols; gives back how many units it takes. */
  #readLetter(text: string, at: number, code: number, scope: Scope): number {
    if (code === Code.half) this.#findLiterals(text, at, scope)
    const speller = this.#speller
    const before = speller.pair
    const width = speller.spell(text, at, code)
    const isBehindSingle = (this.#letters & SINGLE) === SINGLE
    if (speller.isBeforeGap || (isBehindSingle && kindAfter(text, at + width) !== Kind.syllable))
      this.#again |= Again.gaps
    if (speller.count > 0) this.#count(growthOfSymbol(speller.symbols[0] ?? 0))
    // A letter of two symbols that stands twice counts once, as one of a single symbol does.
    const last = this.#compiled.automaton.symbols[this.#state]
    if (before !== 0 && speller.pair === before && last === (before & SYMBOL_MASK)) return width
    for (let place = 0; place < speller.count; place++) {
      const symbol = speller.symbols[place] ?? 0
      if (place > 0 && symbol === SEPARATOR_SYMBOL) this.#count(Growth.separates)
      this.#push(symbol, text, at + width, scope)
    }
    this.#lookedTo = at + width
    return width
  }

  /** Goes on with a symbol, up to an index. */
  #push(symbol: number, text: string, index: number, scope: Scope): void {
    const state = step(this.#compiled.automaton, this.#state, symbol)
    if (state === this.#state) return
    this.#state = state
    if (scope.ends[state] !== 0) this.#verifyAll(text, state, index, scope, MAX_LETTERS)
  }

  /** The symbol of a sign: of a letter within a word, of a separator elsewhere. */
  #readSign(text: string, at: number, code: number, scope: Scope, signs: number): number {
    const isInWord = (this.#letters & 1) === 0
    this.#findLiterals(text, at, scope)
    if (code === Code.star && isInWord) this.#again |= Again.censored
    if (code !== Code.sign || signs === Signs.separators) return SEPARATOR_SYMBOL
    const unit = text.charCodeAt(at)
    const isBeforeWord = this.#isBeforeWord(text, at, isInWord)
    const isInner = isInWord && isBeforeWord
    const isEdge = isInWord !== isBeforeWord
    const isLikely = isEdge && isEdgeSign(unit)
    const isPossible = isEdge && !isLikely && this.#speller.isDisguised(text, at, isInWord ? -1 : 1)
    if (isInner) this.#again |= Again.innerSigns
    if (isLikely) this.#again |= Again.edgeSigns
    if (isPossible) this.#again |= Again.moreSigns
    const isLetter =
      isInner || (isLikely && signs >= Signs.letters) || (isPossible && signs === Signs.moreLetters)
    return isLetter ? this.#speller.signSymbol(unit) : SEPARATOR_SYMBOL
  }

  /** Whether a word follows a sign, or the few signs that it begins. A digit begins none behind most: `<3`. */
  #isBeforeWord(text: string, at: number, isInWord: boolean): boolean {
    const { codes } = this.#compiled
    for (let next = at + 1; next <= at + MAX_SIGNS; next++) {
      const unit = unitAt(text, next)
      const code = codes[unit] ?? SEPARATOR_CODE
      if (code === Code.ignorable) continue
      if (code !== Code.sign)
        return (isInWord || unit > DIGIT_NINE || isEdgeSign(text.charCodeAt(at))) && isLetterCode(code)
    }
    return false
  }

  /** Looks closely at every pattern whose classes end here in a word of so many letters. */
  #verifyAll(text: string, state: number, at: number, scope: Scope, letters: number): void {
    const { automaton, candidates } = this.#compiled
    const { lists, lengths } = candidates
    for (let each = state; each !== 0; each = automaton.nextEnds[each] ?? 0) {
      const end = automaton.firstEnd[each + 1] ?? 0
      for (let place = automaton.firstEnd[each] ?? 0; place < end; place++) {
        if (scope.applies[lists[place] ?? 0] === 0 || !fits(letters, lengths[place] ?? 0)) continue
        const pattern = automaton.ends[place] ?? 0
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

/** How many letters the word has so far. */
const lettersOf = (letters: number) => (31 - Math.clz32(letters & -letters)) & MAX_LETTERS

/** Whether a word of so many letters may be one that must have others. */
const fits = (letters: number, wanted: number) =>
  letters === MAX_LETTERS || (wanted < EXACTLY ? letters >= wanted : letters === wanted - EXACTLY)

/** Letters so far, with the next one, or with what separates it from the last one. Without a branch. */
const addLetter = (letters: number, growth: number) =>
  Math.imul(letters, growth) | (growth & Growth.separates)

/** At the edge of a word the other signs are mostly what they are: `hi!`, `(hi`. */
const isEdgeSign = (unit: number) => unit === 0x24 || unit === 0x40

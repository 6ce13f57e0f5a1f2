import type { CompiledFilter } from '../compiled.ts'
import { foldedOf, Kind, kindOf, lookAlikesOf } from '../unicode/characters.ts'
import { dependsOnPrevious, prolongsVowel, repeatsFinal } from '../unicode/hangul.ts'
import { kindAfter, MAX_WORD, unitAt, visibleUnitBefore, widthOf } from '../unicode/text.ts'
import { SYMBOL_BITS, SYMBOLS } from './automaton.ts'
import {
  Code,
  isLetterCode,
  isPlain,
  isUnspacedCode,
  MAX_SYLLABLE_SYMBOLS,
  NO_SYMBOL,
  PAYLOAD_MASK,
  SEPARATOR_CODE,
  SEPARATOR_SYMBOL,
  SYMBOL_MASK,
  syllableRow,
} from './symbols.ts'

const SPACE = 0x20

/** Returned in place of a symbol for a character with several. */
export const MULTIPLE = -1

/** Reads the symbols of characters that are not exactly one symbol. */
export class SymbolReader {
  /** Symbols of the last letter read. */
  readonly symbols = new Uint8Array(MAX_SYLLABLE_SYMBOLS + 1)
  count = 0
  /** Its two symbols packed into one number if it has no symbol of its own, otherwise 0. */
  pair = 0
  /** Whether only punctuation or digits separate it from the next letter of a script without spaces. */
  isBeforeGap = false
  readonly #compiled: CompiledFilter
  readonly #astral = new Map<number, number>()

  constructor(compiled: CompiledFilter) {
    this.#compiled = compiled
    const { astral } = compiled
    for (let at = 0; at < astral.length; at += 2) this.#astral.set(astral[at] ?? 0, astral[at + 1] ?? 0)
  }

  /** Reads a letter. Returns the number of units consumed. */
  read(text: string, at: number, code: number): number {
    this.count = 0
    this.pair = 0
    this.isBeforeGap = false
    let width = 1
    if (code === Code.syllable) this.#readSyllable(text, at)
    else if (code === Code.surrogate) width = this.#readAstral(text, at)
    else this.#addSymbols(code & PAYLOAD_MASK)
    if (isUnspacedCode(code)) this.#checkBoundary(text, at + width)
    return width
  }

  /** The symbol that a character can have in a word; `NO_SYMBOL` if it is ignorable. */
  symbolOf(character: number): number {
    const code = this.#codeOf(foldedOf(character))
    if (isPlain(code)) return code & SYMBOL_MASK
    if (code === Code.leet) return this.leetSymbol(character)
    if (code === Code.ignorable) return NO_SYMBOL
    return isLetterCode(code) ? MULTIPLE : SEPARATOR_SYMBOL
  }

  /** The symbol of the letter that leetspeak punctuation stands for. */
  leetSymbol(character: number): number {
    const mask = lookAlikesOf(character)
    const letter = 0x61 + 31 - Math.clz32(mask & -mask)
    return (this.#compiled.codes[letter] ?? 0) & SYMBOL_MASK
  }

  /** Whether the word on one side of an edge character contains digits or leetspeak among its letters. */
  isObfuscated(text: string, edge: number, direction: number): boolean {
    const { codes } = this.#compiled
    let letters = 0
    let lookAlikes = 0
    for (let at = edge + direction; Math.abs(at - edge) <= MAX_WORD; at += direction) {
      const unit = unitAt(text, at)
      const code = codes[unit] ?? SEPARATOR_CODE
      if (code === Code.leet) lookAlikes += letters > 0 ? 1 : 0
      else if (code !== Code.ignorable && !isLetterCode(code)) break
      else if (kindOf(unit) === Kind.digit) lookAlikes++
      else letters++
    }
    return letters > 0 && lookAlikes > 0
  }

  /** A word ends where a script without spaces is followed by one with spaces. */
  #checkBoundary(text: string, end: number): void {
    if (isUnspacedCode(this.#compiled.codes[unitAt(text, end)] ?? SEPARATOR_CODE)) return
    const kind = kindAfter(text, end)
    if (kind === Kind.letter || kind === Kind.digit) this.#add(SEPARATOR_SYMBOL)
    if (kind === Kind.separator || kind === Kind.digit) this.isBeforeGap = this.#isGapAt(text, end)
  }

  #isGapAt(text: string, from: number): boolean {
    const { codes } = this.#compiled
    for (let at = from; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      if (isUnspacedCode(codes[unit] ?? 0)) return true
      if (unit <= SPACE || kindOf(unit) === Kind.letter) return false
    }
    return false
  }

  /** Skips the silent consonant of a syllable that only prolongs the vowel before it. */
  #readSyllable(text: string, at: number): void {
    const { syllables } = this.#compiled
    const unit = text.charCodeAt(at)
    let position = syllableRow(foldedOf(unit))
    const end = position + MAX_SYLLABLE_SYMBOLS
    if (dependsOnPrevious(unit)) {
      const before = visibleUnitBefore(text, at)
      if (repeatsFinal(unit, before)) return
      if (prolongsVowel(unit, before)) position++
    }
    for (; position < end && syllables[position] !== NO_SYMBOL; position++)
      this.#add(syllables[position] ?? 0)
  }

  #readAstral(text: string, at: number): number {
    const character = text.codePointAt(at) ?? 0
    const width = widthOf(character)
    if (width === 2 && kindOf(character) === Kind.ignorable) return width
    const code = this.#codeOf(foldedOf(character))
    if (isPlain(code)) this.#add(code & SYMBOL_MASK)
    else if (code < Code.syllable) this.#addSymbols(code & PAYLOAD_MASK)
    else this.#add(SEPARATOR_SYMBOL)
    return width
  }

  #codeOf(character: number): number {
    const { codes } = this.#compiled
    return (character <= 0xffff ? codes[character] : this.#astral.get(character)) ?? SEPARATOR_CODE
  }

  #addSymbols(symbols: number): void {
    if (symbols >= SYMBOLS) {
      this.pair = symbols
      this.#add(symbols >> SYMBOL_BITS)
    }
    this.#add(symbols & SYMBOL_MASK)
  }

  #add(symbol: number): void {
    this.symbols[this.count++] = symbol
  }
}

import type { CompiledList } from '../compiled.ts'
import { classOf, foldedOf, isUnspaced, Kind, kindOf } from '../unicode/characters.ts'
import { dependsOnPrevious, prolongsVowel, repeatsFinal } from '../unicode/hangul.ts'
import { kindAfter, unitAt, widthOf } from '../unicode/text.ts'
import { SYMBOL_BITS, SYMBOLS } from './automaton.ts'
import {
  Code,
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
/** The symbol of letters that occur in no list. */
const UNLISTED = 0
/** Bounds the search for the letter after a gap. */
const MAX_GAP = 16

/** Reads the symbols of characters that are not exactly one symbol. */
export class SymbolReader {
  /** Symbols of the last letter read. */
  readonly symbols = new Uint8Array(MAX_SYLLABLE_SYMBOLS + 1)
  count = 0
  /** Whether only punctuation or digits separate it from the next letter of a script without spaces. */
  isBeforeGap = false
  readonly #compiled: CompiledList
  readonly #rareLetters = new Map<number, number>()

  constructor(compiled: CompiledList) {
    this.#compiled = compiled
    const { rareLetters } = compiled
    for (let at = 0; at < rareLetters.length; at += 2)
      this.#rareLetters.set(rareLetters[at] ?? 0, rareLetters[at + 1] ?? 0)
  }

  /** Reads a letter. Returns the number of units consumed. */
  read(text: string, at: number, code: number): number {
    this.count = 0
    this.isBeforeGap = false
    let width = 1
    if (code === Code.syllable) this.#readSyllable(text, at)
    else if (code >= Code.surrogate) width = this.#readRare(text, at)
    else this.#addSymbols(code & PAYLOAD_MASK)
    const isUnspacedLetter =
      isUnspacedCode(code) || (code >= Code.surrogate && isUnspaced(kindOf(text.codePointAt(at) ?? 0)))
    if (isUnspacedLetter) this.#checkBoundary(text, at + width)
    return width
  }

  /** Whether a character outside the Basic Multilingual Plane must be normalized before it is read. */
  isAbnormal(character: number): boolean {
    const kind = kindOf(character)
    return kind === Kind.ignorable || (kind !== Kind.separator && foldedOf(character) !== character)
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
    const end = Math.min(text.length, from + MAX_GAP)
    for (let at = from; at < end; at++) {
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
    let position = syllableRow(unit)
    const end = position + MAX_SYLLABLE_SYMBOLS
    if (dependsOnPrevious(unit)) {
      const before = at > 0 ? text.charCodeAt(at - 1) : 0
      if (repeatsFinal(unit, before)) return
      if (prolongsVowel(unit, before)) position++
    }
    for (; position < end && syllables[position] !== NO_SYMBOL; position++)
      this.#add(syllables[position] ?? 0)
  }

  #readRare(text: string, at: number): number {
    const character = text.codePointAt(at) ?? 0
    const width = widthOf(character)
    this.#addSymbols((this.#rareLetters.get(classOf(character)) ?? UNLISTED) & PAYLOAD_MASK)
    return width
  }

  #addSymbols(symbols: number): void {
    if (symbols >= SYMBOLS) this.#add(symbols >> SYMBOL_BITS)
    this.#add(symbols & SYMBOL_MASK)
  }

  #add(symbol: number): void {
    this.symbols[this.count++] = symbol
  }
}

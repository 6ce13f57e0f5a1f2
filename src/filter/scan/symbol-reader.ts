import type { CompiledFilter } from '../compiled.ts'
import { disguiseOf, foldedOf, isEcho, isLoose, isStretch, Kind, kindOf } from '../unicode/characters.ts'
import { kindAfter, MAX_WORD, unitAt, unitBefore, widthOf } from '../unicode/text.ts'
import { SYMBOL_BITS, SYMBOLS } from './automaton.ts'
import {
  Code,
  isLetterCode,
  isPlain,
  isUnspacedCode,
  NO_SYMBOL,
  PAYLOAD,
  SEPARATOR_CODE,
  SEPARATOR_SYMBOL,
  SYLLABLE_SYMBOLS,
  SYMBOL_MASK,
  syllableRow,
} from './symbols.ts'

const SPACE = 0x20

/** In the place of the symbol of a letter that has several. */
export const SEVERAL = -1

/** Tells the symbols of characters that are not simply one. */
export class Speller {
  /** Of the letter that was spelled last. */
  readonly symbols = new Uint8Array(SYLLABLE_SYMBOLS + 1)
  count = 0
  /** The two that a letter beyond the frequent ones has, in one number; 0 for others. */
  pair = 0
  /** Only signs or digits separate it from another of a script without spaces. */
  isBeforeGap = false
  readonly #compiled: CompiledFilter
  readonly #astral = new Map<number, number>()

  constructor(compiled: CompiledFilter) {
    this.#compiled = compiled
    const { astral } = compiled
    for (let at = 0; at < astral.length; at += 2) this.#astral.set(astral[at] ?? 0, astral[at + 1] ?? 0)
  }

  /** Spells a letter; gives back how many units it takes. */
  spell(text: string, at: number, code: number): number {
    this.count = 0
    this.pair = 0
    this.isBeforeGap = false
    let width = 1
    if (code === Code.syllable) this.#spellSyllable(text, at)
    else if (code === Code.half) width = this.#spellAstral(text, at)
    else this.#addSymbols(code & PAYLOAD)
    if (isUnspacedCode(code)) this.#lookBehind(text, at + width)
    return width
  }

  /** The symbol that a character may have in a word; none of what nobody sees. */
  symbolOf(character: number): number {
    const code = this.#codeOf(foldedOf(character))
    if (isPlain(code)) return code & SYMBOL_MASK
    if (code === Code.sign) return this.signSymbol(character)
    if (code === Code.ignorable) return NO_SYMBOL
    return isLetterCode(code) ? SEVERAL : SEPARATOR_SYMBOL
  }

  /** The symbol of the letter that a sign stands for. */
  signSymbol(sign: number): number {
    const mask = disguiseOf(sign)
    const letter = 0x61 + 31 - Math.clz32(mask & -mask)
    return (this.#compiled.codes[letter] ?? 0) & SYMBOL_MASK
  }

  /** Whether the word beside a sign, in a direction, has digits or signs among its letters. */
  isDisguised(text: string, sign: number, direction: number): boolean {
    const { codes } = this.#compiled
    let letters = 0
    let disguises = 0
    for (let at = sign + direction; Math.abs(at - sign) <= MAX_WORD; at += direction) {
      const unit = unitAt(text, at)
      const code = codes[unit] ?? SEPARATOR_CODE
      if (code === Code.sign) disguises += letters > 0 ? 1 : 0
      else if (code !== Code.ignorable && !isLetterCode(code)) break
      else if (kindOf(unit) === Kind.digit) disguises++
      else letters++
    }
    return letters > 0 && disguises > 0
  }

  /** A letter of a script without spaces ends a word before one of a script with them. */
  #lookBehind(text: string, end: number): void {
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

  /** The silent consonant of a syllable that only draws out the vowel before it is left out. */
  #spellSyllable(text: string, at: number): void {
    const { syllables } = this.#compiled
    const unit = text.charCodeAt(at)
    let place = syllableRow(foldedOf(unit))
    const end = place + SYLLABLE_SYMBOLS
    if (isLoose(unit)) {
      const before = unitBefore(text, at)
      if (isEcho(unit, before)) return
      if (isStretch(unit, before)) place++
    }
    for (; place < end && syllables[place] !== NO_SYMBOL; place++) this.#add(syllables[place] ?? 0)
  }

  #spellAstral(text: string, at: number): number {
    const character = text.codePointAt(at) ?? 0
    const width = widthOf(character)
    if (width === 2 && kindOf(character) === Kind.ignorable) return width
    const code = this.#codeOf(foldedOf(character))
    if (isPlain(code)) this.#add(code & SYMBOL_MASK)
    else if (code < Code.syllable) this.#addSymbols(code & PAYLOAD)
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

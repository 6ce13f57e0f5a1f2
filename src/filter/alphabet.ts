import { SYMBOL_BITS, SYMBOLS } from './automaton.ts'
import { isUnspaced, SEPARATOR } from './expression.ts'
import { classOf, foldedOf, isJamo, jamoOf, Kind, kindOf, SIGN_CODES } from './unicode.ts'

/** The symbol of what separates words. 0 is the symbol of letters that are in no list. */
export const SEPARATOR_SYMBOL = 1

/** Classes beyond those that have a symbol of their own take two: one of these, then any. */
const LEADS = 16
const FIRST_LEAD = SYMBOLS - LEADS
const PAIRS = LEADS * SYMBOLS

/** What a unit of a text is to the scanner, when it is not simply a symbol. */
export const Code = {
  ignorable: SYMBOLS,
  syllable: SYMBOLS + 1,
  half: SYMBOLS + 2,
  sign: SYMBOLS + 3,
  star: SYMBOLS + 4,
  literal: SYMBOLS + 5,
  /** With two symbols. */
  pair: 0x4000,
  /** With one or two symbols, of a script without spaces. */
  unspaced: 0x8000,
} as const

export const UNITS = 0x1_0000
const SYLLABLES = 11_172
const FIRST_SYLLABLE = 0xac00
const JAMO = 51
const FIRST_JAMO = 0x3131

/** The row of a folded Hangul character in the table of their symbols. */
export const syllableRow = (code: number) =>
  (code >= FIRST_SYLLABLE ? code - FIRST_SYLLABLE : SYLLABLES + code - FIRST_JAMO) * SYLLABLE_SYMBOLS

/** Symbols that a Hangul syllable may take; the rest of its row is `NO_SYMBOL`. */
export const SYLLABLE_SYMBOLS = 5
export const NO_SYMBOL = 0xff

/** Signs that players put in the place of a letter that they do not want to write. */
export const STARS = '*#'

/** Gives the classes that occur in the lists their symbols: the frequent ones a symbol each. */
export class Alphabet {
  readonly #symbols = new Map<number, number>([[SEPARATOR, SEPARATOR_SYMBOL]])

  constructor(patterns: readonly { readonly classes: readonly number[] }[]) {
    const counts = new Map<number, number>()
    for (const { classes } of patterns)
      for (const each of classes) counts.set(each, (counts.get(each) ?? 0) + 1)
    counts.delete(SEPARATOR)
    const weight = (code: number, count: number) => (isJamo(code) ? Number.POSITIVE_INFINITY : count)
    const ranked = [...counts].sort(([a, m], [b, n]) => weight(b, n) - weight(a, m) || a - b)
    const single = FIRST_LEAD - SEPARATOR_SYMBOL - 1
    for (const [rank, [code]] of ranked.entries())
      this.#symbols.set(code, rank < single ? SEPARATOR_SYMBOL + 1 + rank : pairOf(rank - single))
  }

  /** A symbol, or two in one number, or 0. */
  symbolsOf(classCode: number): number {
    return this.#symbols.get(classCode) ?? 0
  }

  /** The symbols of a pattern, in turn. */
  spell(classes: readonly number[]): number[] {
    const spelled: number[] = []
    for (const each of classes) {
      const symbols = this.symbolsOf(each)
      if (symbols >= SYMBOLS) spelled.push(symbols >> SYMBOL_BITS)
      spelled.push(symbols & (SYMBOLS - 1))
    }
    return spelled
  }

  /** What each unit is to the scanner. */
  codes(literalStarts: ReadonlySet<number>): Uint16Array {
    const codes = new Uint16Array(UNITS)
    const signs = new Set(SIGN_CODES)
    for (let unit = 0; unit < UNITS; unit++) {
      const isHalf = unit >= 0xd800 && unit <= 0xdfff
      codes[unit] = isHalf ? Code.half : signs.has(foldedOf(unit)) ? Code.sign : this.codeOf(unit)
    }
    for (const star of STARS) codes[star.charCodeAt(0)] = Code.star
    for (const unit of literalStarts) if (codes[unit] !== Code.half) codes[unit] = Code.literal
    return codes
  }

  /** A sign is a letter here. */
  codeOf(character: number): number {
    const kind = kindOf(character)
    if (kind === Kind.ignorable) return Code.ignorable
    if (kind === Kind.syllable || kind === Kind.jamo) return Code.syllable
    const classCode = classOf(character)
    if (kind === Kind.separator && classCode === foldedOf(character)) return SEPARATOR_SYMBOL
    return this.#spread(classCode, isUnspaced(kind) ? Code.unspaced : 0)
  }

  /** The symbols of each Hangul syllable, then of each Hangul letter. */
  syllables(): Uint8Array {
    const table = new Uint8Array((SYLLABLES + JAMO) * SYLLABLE_SYMBOLS).fill(NO_SYMBOL)
    for (let index = 0; index < SYLLABLES + JAMO; index++) {
      const code = index < SYLLABLES ? FIRST_SYLLABLE + index : FIRST_JAMO + index - SYLLABLES
      for (const [place, jamo] of [...jamoOf(code)].entries())
        table[index * SYLLABLE_SYMBOLS + place] = this.symbolsOf(jamo.charCodeAt(0)) & (SYMBOLS - 1)
    }
    return table
  }

  #spread(classCode: number, mark: number): number {
    const symbols = this.symbolsOf(classCode)
    if (mark !== 0) return mark | symbols
    return symbols < SYMBOLS ? symbols : Code.pair | symbols
  }
}

/** Different classes may share a pair when a list has very many: the verifier tells them apart. */
function pairOf(index: number): number {
  const pair = index % PAIRS
  return ((FIRST_LEAD + (pair >> SYMBOL_BITS)) << SYMBOL_BITS) | (pair & (SYMBOLS - 1))
}

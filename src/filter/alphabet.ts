import { SYMBOL_BITS, SYMBOLS } from './automaton.ts'
import { isUnspaced, SEPARATOR } from './expression.ts'
import {
  Code,
  FIRST_JAMO,
  FIRST_SYLLABLE,
  JAMO,
  NO_SYMBOL,
  SEPARATOR_SYMBOL,
  STARS,
  SYLLABLE_SYMBOLS,
  SYLLABLES,
} from './symbols.ts'
import { classOf, foldedOf, isJamo, jamoOf, Kind, kindOf, SIGN_CODES } from './unicode.ts'

/** Classes beyond those that have a symbol of their own take two: one of these, then any. */
const LEADS = 16
const FIRST_LEAD = SYMBOLS - LEADS
const PAIRS = LEADS * SYMBOLS

const UNITS = 0x1_0000

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

  /** What each unit is to the scanner. Signs that begin a literal stay signs: the scanner looks for literals at each. */
  codes(literalStarts: ReadonlySet<number>): Uint16Array {
    const symbols = new Uint16Array(UNITS)
    for (const [code, each] of this.#symbols) if (code < UNITS) symbols[code] = each
    const codes = Uint16Array.from(UNIT_CODES)
    for (let unit = 0; unit < UNITS; unit++) {
      const mark = codes[unit] ?? 0
      if (mark === LETTER || mark === Code.unspaced)
        codes[unit] = place(symbols[UNIT_CLASSES[unit] ?? 0] ?? 0, mark === LETTER ? 0 : mark)
    }
    for (const unit of literalStarts) if (codes[unit] === SEPARATOR_SYMBOL) codes[unit] = Code.literal
    return codes
  }

  /** Letters beyond the first plane and their codes, in turn. */
  astral(): Uint32Array {
    const letters = [...this.#symbols].filter(([code]) => code >= UNITS)
    return Uint32Array.from(letters.flatMap(([code, symbols]) => [code, place(symbols, Code.unspaced)]))
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
}

const place = (symbols: number, mark: number) =>
  mark !== 0 ? mark | symbols : symbols < SYMBOLS ? symbols : Code.pair | symbols

/** Of a letter whose symbols a list decides. */
const LETTER = 0x2000

const UNIT_CLASSES = Uint16Array.from({ length: UNITS }, (_, unit) => classOf(unit))
const UNIT_CODES = Uint16Array.from({ length: UNITS }, (_, unit) => codeWithoutLists(unit))

/** What a unit is to the scanner whatever the lists hold. */
function codeWithoutLists(unit: number): number {
  const kind = kindOf(unit)
  if (unit >= 0xd800 && unit <= 0xdfff) return Code.half
  if (STARS.includes(String.fromCharCode(unit))) return Code.star
  if (SIGN_CODES.includes(foldedOf(unit))) return Code.sign
  if (kind === Kind.ignorable) return Code.ignorable
  if (kind === Kind.syllable || kind === Kind.jamo) return Code.syllable
  if (kind === Kind.separator) return SEPARATOR_SYMBOL
  return isUnspaced(kind) ? Code.unspaced : LETTER
}

/** Different classes may share a pair when a list has very many: the verifier tells them apart. */
function pairOf(index: number): number {
  const pair = index % PAIRS
  return ((FIRST_LEAD + (pair >> SYMBOL_BITS)) << SYMBOL_BITS) | (pair & (SYMBOLS - 1))
}

import { SYMBOL_BITS, SYMBOLS } from './automaton.ts'
import { ENDINGS } from './endings.ts'
import { isUnspaced, SEPARATOR } from './expression.ts'
import {
  Code,
  FIRST_JAMO,
  FIRST_SYLLABLE,
  JAMO,
  Next,
  NO_SYMBOL,
  plainCode,
  SEPARATOR_CODE,
  SEPARATOR_SYMBOL,
  STARS,
  SYLLABLE_SYMBOLS,
  SYLLABLES,
} from './symbols.ts'
import { classOf, foldedOf, isJamo, jamoOf, Kind, kindOf, SIGN_CODES } from './unicode.ts'

/** Classes beyond those that have a symbol of their own take two, of which nothing else is made: a lead and a trail. */
const TRAILS = 24
const LEADS = 12
const FIRST_TRAIL = SYMBOLS - TRAILS
const FIRST_LEAD = FIRST_TRAIL - LEADS
const PAIRS = LEADS * TRAILS

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
    const codes = ranked.map(([code]) => code)
    const singles = codes.splice(0, FIRST_LEAD - SEPARATOR_SYMBOL - 1)
    // Letters of which a text is read one by one take the symbols that the automaton is fastest with.
    singles.sort((a, b) => Number(isUnspaced(kindOf(a))) - Number(isUnspaced(kindOf(b))))
    for (const [rank, code] of singles.entries()) this.#symbols.set(code, SEPARATOR_SYMBOL + 1 + rank)
    for (const [rank, code] of codes.entries()) this.#symbols.set(code, pairOf(rank))
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
    const nexts = new Uint8Array(SYMBOLS).fill(Next.other)
    for (const ending of ENDINGS) nexts[this.symbolsOf(classOf(ending.charCodeAt(0)))] = Next.ending
    for (let unit = 0; unit < UNITS; unit++) {
      const mark = codes[unit] ?? 0
      const symbol = symbols[UNIT_CLASSES[unit] ?? 0] ?? 0
      if (mark === Code.unspaced) codes[unit] = Code.unspaced | symbol
      if (mark === LETTER || mark === DIGIT)
        codes[unit] =
          symbol < SYMBOLS ? plainCode(symbol, mark === DIGIT ? Next.end : nexts[symbol]) : Code.pair | symbol
    }
    for (const unit of literalStarts) if (codes[unit] === SEPARATOR_CODE) codes[unit] = Code.literal
    return codes
  }

  /** Letters beyond the first plane and their codes, in turn. */
  astral(): Uint32Array {
    const letters = [...this.#symbols].filter(([code]) => code >= UNITS)
    return Uint32Array.from(letters.flatMap(([code, symbols]) => [code, Code.unspaced | symbols]))
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

/** Of a letter or a digit whose symbols a list decides. */
const LETTER = 0xffff
const DIGIT = 0xfffe

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
  if (kind === Kind.separator) return SEPARATOR_CODE
  if (kind === Kind.digit) return DIGIT
  return isUnspaced(kind) ? Code.unspaced : LETTER
}

/** Different classes may share a pair when a list has very many: the verifier tells them apart. */
function pairOf(index: number): number {
  const pair = index % PAIRS
  return ((FIRST_LEAD + Math.floor(pair / TRAILS)) << SYMBOL_BITS) | (FIRST_TRAIL + (pair % TRAILS))
}

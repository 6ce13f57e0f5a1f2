import { SYMBOL_BITS, SYMBOLS } from '../scan/automaton.ts'
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
} from '../scan/symbols.ts'
import { classOf, foldedOf, isJamo, jamoOf, Kind, kindOf, SIGN_CODES } from '../unicode/characters.ts'
import { isUnspaced, SEPARATOR } from './expression.ts'
import { ENDINGS } from './inflector.ts'
import { Rows } from './ragged-array.ts'

/** Classes beyond those that have a symbol of their own take two, of which nothing else is made: a lead and a trail. */
const TRAILS = 24
const LEADS = 12
const FIRST_TRAIL = SYMBOLS - TRAILS
const FIRST_LEAD = FIRST_TRAIL - LEADS
const PAIRS = LEADS * TRAILS

const UNITS = 0x1_0000
const CODE_POINTS = 0x11_0000

/** Gives the classes that occur in the lists their symbols: the frequent ones a symbol each. */
export class Alphabet {
  /** Those that have a symbol. */
  readonly #classes: readonly number[]
  /** Of each class a symbol, or two in one number, or 0. */
  readonly #symbols = new Uint16Array(CODE_POINTS)

  constructor(classes: Rows) {
    const codes = byFrequency(classes)
    const singles = codes.splice(0, FIRST_LEAD - SEPARATOR_SYMBOL - 1)
    // Letters of which a text is read one by one take the symbols that the automaton is fastest with.
    singles.sort((a, b) => Number(isUnspaced(kindOf(a))) - Number(isUnspaced(kindOf(b))))
    this.#classes = [...singles, ...codes]
    this.#symbols[SEPARATOR] = SEPARATOR_SYMBOL
    for (const [rank, code] of singles.entries()) this.#symbols[code] = SEPARATOR_SYMBOL + 1 + rank
    for (const [rank, code] of codes.entries()) this.#symbols[code] = pairOf(rank)
  }

  #symbolsOf(classCode: number): number {
    return this.#symbols[classCode] ?? 0
  }

  /** The symbols of each pattern, in turn. */
  spell({ values, firsts, count }: Rows): Rows {
    const spelled = new Rows()
    for (let row = 0; row < count; row++) {
      const end = firsts[row + 1] ?? 0
      for (let at = firsts[row] ?? 0; at < end; at++) {
        const symbols = this.#symbolsOf(values[at] ?? 0)
        if (symbols >= SYMBOLS) spelled.push(symbols >> SYMBOL_BITS)
        spelled.push(symbols & (SYMBOLS - 1))
      }
      spelled.endRow()
    }
    return spelled
  }

  /** What each unit is to the scanner. Signs that begin a literal stay signs: the scanner looks for literals at each. */
  codes(literalStarts: ReadonlySet<number>): Uint16Array {
    const codes = Uint16Array.from(UNIT_CODES)
    const nexts = new Uint8Array(SYMBOLS).fill(Next.other)
    for (const ending of ENDINGS) nexts[this.#symbolsOf(classOf(ending.charCodeAt(0)))] = Next.ending
    for (let unit = 0; unit < UNITS; unit++) {
      const mark = codes[unit] ?? 0
      const symbol = this.#symbolsOf(UNIT_CLASSES[unit] ?? 0)
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
    const letters = this.#classes.filter((code) => code >= UNITS)
    return new Uint32Array(letters.flatMap((code) => [code, Code.unspaced | this.#symbolsOf(code)]))
  }

  /** The symbols of each Hangul syllable, then of each Hangul letter. */
  syllables(): Uint8Array {
    const table = new Uint8Array((SYLLABLES + JAMO) * SYLLABLE_SYMBOLS).fill(NO_SYMBOL)
    for (let index = 0; index < SYLLABLES + JAMO; index++) {
      const code = index < SYLLABLES ? FIRST_SYLLABLE + index : FIRST_JAMO + index - SYLLABLES
      const letters = jamoOf(code)
      for (let place = 0; place < letters.length; place++)
        table[index * SYLLABLE_SYMBOLS + place] = this.#symbolsOf(letters.charCodeAt(place)) & (SYMBOLS - 1)
    }
    return table
  }
}

function byFrequency({ values }: Rows): number[] {
  const counts = new Uint32Array(CODE_POINTS)
  const codes: number[] = []
  for (let at = 0; at < values.length; at++) {
    const code = values[at] ?? 0
    const count = counts[code] ?? 0
    counts[code] = count + 1
    if (count === 0 && code !== SEPARATOR) codes.push(code)
  }
  const weightOf = (code: number) => (isJamo(code) ? Number.POSITIVE_INFINITY : (counts[code] ?? 0))
  return codes.sort((a, b) => weightOf(b) - weightOf(a) || a - b)
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

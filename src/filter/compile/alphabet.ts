import type { LiteralTable } from '../compiled.ts'
import { SYMBOL_BITS, SYMBOLS } from '../scan/automaton.ts'
import { isLetterAtEdge } from '../scan/sign-letters.ts'
import {
  Code,
  Follow,
  MAX_SYLLABLE_SYMBOLS,
  NO_SYMBOL,
  plainCode,
  SEPARATOR_CODE,
  SEPARATOR_SYMBOL,
} from '../scan/symbols.ts'
import { classOf, isUnspaced, Kind, kindOf, SEPARATOR } from '../unicode/characters.ts'
import { FIRST_JAMO, FIRST_SYLLABLE, isJamo, JAMO, jamoOf, SYLLABLES } from '../unicode/hangul.ts'
import { needsNormalization } from '../unicode/normalize.ts'
import { RaggedArray } from './ragged-array.ts'

/** Classes without a symbol of their own take two that are reserved for this purpose: a lead and a trail. */
const TRAILS = 24
const LEADS = 12
const FIRST_TRAIL = SYMBOLS - TRAILS
const FIRST_LEAD = FIRST_TRAIL - LEADS
const PAIRS = LEADS * TRAILS

const UNITS = 0x1_0000

/** A number for each class. Those of classes outside the Basic Multilingual Plane are few. */
class ClassTable {
  readonly #units = new Uint32Array(UNITS)
  readonly #others = new Map<number, number>()

  get(code: number): number {
    return (code < UNITS ? this.#units[code] : this.#others.get(code)) ?? 0
  }

  set(code: number, value: number): void {
    if (code < UNITS) this.#units[code] = value
    else this.#others.set(code, value)
  }
}

/** Assigns symbols to the classes that occur in the lists, one each to the most frequent. */
export class Alphabet {
  /** Classes with a symbol. */
  readonly #classes: readonly number[]
  readonly #hasHangul: boolean
  /** The symbol of each class, two packed into one number, or 0. */
  readonly #symbols = new ClassTable()

  constructor(classes: RaggedArray) {
    const codes = byFrequency(classes)
    const singles = codes.splice(0, FIRST_LEAD - SEPARATOR_SYMBOL - 1)
    // Letters of scripts with spaces get the lowest symbols, which the automaton steps through fastest.
    singles.sort((a, b) => Number(isUnspaced(kindOf(a))) - Number(isUnspaced(kindOf(b))))
    this.#classes = [...singles, ...codes]
    this.#hasHangul = this.#classes.some(isJamo)
    this.#symbols.set(SEPARATOR, SEPARATOR_SYMBOL)
    for (const [rank, code] of singles.entries()) this.#symbols.set(code, SEPARATOR_SYMBOL + 1 + rank)
    for (const [rank, code] of codes.entries()) this.#symbols.set(code, pairOf(rank))
  }

  #symbolsOf(classCode: number): number {
    return this.#symbols.get(classCode)
  }

  /** The symbols of each pattern, one row per pattern. */
  encode({ values, offsets, count }: RaggedArray): RaggedArray {
    const encoded = new RaggedArray()
    for (let row = 0; row < count; row++) {
      const end = offsets[row + 1] ?? 0
      for (let at = offsets[row] ?? 0; at < end; at++) {
        const symbols = this.#symbolsOf(values[at] ?? 0)
        if (symbols >= SYMBOLS) encoded.push(symbols >> SYMBOL_BITS)
        encoded.push(symbols & (SYMBOLS - 1))
      }
      encoded.endRow()
    }
    return encoded
  }

  /** 1 for the symbols of letters and separators, which count once if they are repeated. */
  repeats(): Uint8Array {
    const repeats = new Uint8Array(SYMBOLS)
    repeats[SEPARATOR_SYMBOL] = 1
    for (const code of this.#classes) {
      const symbol = this.#symbolsOf(code)
      if (symbol < SYMBOLS && kindOf(code) !== Kind.unspaced) repeats[symbol] = 1
    }
    return repeats
  }

  /** The scanner code of each code unit. */
  codes(endings: readonly string[], { starts }: LiteralTable): Uint16Array {
    const codes = UNIT_CODES.slice()
    for (let at = 0; at < starts.length; at += 2)
      if (codes[starts[at] ?? 0] === Code.punctuation) codes[starts[at] ?? 0] = Code.sign
    const followers = new Uint8Array(SYMBOLS).fill(Follow.other)
    for (const ending of endings) followers[this.#symbolsOf(classOf(ending.charCodeAt(0)))] = Follow.ending
    for (let unit = 0; unit < UNITS; unit++) {
      const mark = codes[unit] ?? 0
      const symbol = this.#symbolsOf(UNIT_CLASSES[unit] ?? 0)
      if (mark === Code.unspaced) codes[unit] = Code.unspaced | symbol
      if (mark === Code.syllable && !this.#hasHangul) codes[unit] = Code.unspaced
      if (mark === LETTER || mark === DIGIT)
        codes[unit] =
          symbol < SYMBOLS
            ? plainCode(symbol, mark === DIGIT ? Follow.boundary : followers[symbol])
            : Code.pair | symbol
    }
    return codes
  }

  /**
   * Letters outside the Basic Multilingual Plane, and those that must be normalized but can remain as they are, each
   * followed by its code.
   */
  rareLetters(): Uint32Array {
    const letters = this.#classes.filter((code) => code >= UNITS || needsNormalization(code))
    return new Uint32Array(letters.flatMap((code) => [code, Code.unspaced | this.#symbolsOf(code)]))
  }

  /** The symbols of each Hangul syllable, then of each jamo. */
  syllables(): Uint8Array {
    if (!this.#hasHangul) return new Uint8Array()
    const table = new Uint8Array((SYLLABLES + JAMO) * MAX_SYLLABLE_SYMBOLS).fill(NO_SYMBOL)
    for (let index = 0; index < SYLLABLES + JAMO; index++) {
      const code = index < SYLLABLES ? FIRST_SYLLABLE + index : FIRST_JAMO + index - SYLLABLES
      const letters = jamoOf(code)
      for (let position = 0; position < letters.length; position++)
        table[index * MAX_SYLLABLE_SYMBOLS + position] =
          this.#symbolsOf(letters.charCodeAt(position)) & (SYMBOLS - 1)
    }
    return table
  }
}

function byFrequency({ values }: RaggedArray): number[] {
  const counts = new ClassTable()
  const codes: number[] = []
  for (let at = 0; at < values.length; at++) {
    const code = values[at] ?? 0
    const count = counts.get(code)
    counts.set(code, count + 1)
    if (count === 0 && code !== SEPARATOR) codes.push(code)
  }
  const weightOf = (code: number) => (isJamo(code) ? Number.POSITIVE_INFINITY : counts.get(code))
  return codes.sort((a, b) => weightOf(b) - weightOf(a) || a - b)
}

/** Placeholders for letters and digits, whose symbols depend on the lists. */
const LETTER = 0xffff
const DIGIT = 0xfffe

const SPACE = /[\s\p{Cc}]/u
const UNIT_CLASSES = Uint16Array.from({ length: UNITS }, (_, unit) => classOf(unit))
const UNIT_CODES = Uint16Array.from({ length: UNITS }, (_, unit) => codeWithoutLists(unit))

/** The scanner code of a unit, as far as it does not depend on the lists. */
function codeWithoutLists(unit: number): number {
  const kind = kindOf(unit)
  if (unit >= 0xd800 && unit <= 0xdfff) return Code.surrogate
  if (needsNormalization(unit)) return Code.abnormal
  if (kind === Kind.syllable || kind === Kind.jamo) return Code.syllable
  if (kind === Kind.digit) return DIGIT
  if (kind === Kind.separator || kind === Kind.ignorable)
    return SPACE.test(String.fromCharCode(unit))
      ? SEPARATOR_CODE
      : isLetterAtEdge(unit)
        ? Code.sign
        : Code.punctuation
  return isUnspaced(kind) ? Code.unspaced : LETTER
}

/** If the lists contain very many classes, several share a pair. The verifier tells them apart. */
function pairOf(index: number): number {
  const pair = index % PAIRS
  return ((FIRST_LEAD + Math.floor(pair / TRAILS)) << SYMBOL_BITS) | (FIRST_TRAIL + (pair % TRAILS))
}

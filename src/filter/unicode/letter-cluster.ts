import { foldedOf, Kind, kindOf, plainOf, scriptOf } from './characters.ts'
import { addDecomposed, canCompose, compose, composePair } from './composition.ts'
import type { ReadingBuilder } from './reading.ts'
import { expansionOf, plainLetterOf, Role, roleOf } from './roles.ts'
import { Script } from './scripts.ts'

/** Accents and marks beyond these are decoration. They bound the cost of sorting them. */
const MAX_ACCENTS = 8
export const MAX_MARKS = 32
/** Room for those and the longest expansion, all decomposed. */
const CAPACITY = 4 * (MAX_ACCENTS + MAX_MARKS + 24)

const KEYCAP = 0x20e3
const KEYCAP_SIGN = 0x25a1
/** The spacing forms of the voicing marks of kana. The combining ones are two before them. */
const [SPACING_DAKUTEN, SPACING_HANDAKUTEN] = [0x309b, 0x309c]
const LAST_INITIAL_JAMO = 0x115f
const [SARA_AA, LAO_AA, AA_TO_AM, AA_TO_NIKHAHIT] = [0xe32, 0xeb2, 1, 0x1b]
const [NUMBER_SIGN, STAR, ZERO, NINE] = [0x23, 0x2a, 0x30, 0x39]

/** A letter and the accents and marks on it, with the span of each. */
export class LetterCluster {
  readonly #codes = new Int32Array(CAPACITY)
  readonly #starts = new Int32Array(CAPACITY)
  readonly #ends = new Int32Array(CAPACITY)
  readonly #composed = new Int32Array(CAPACITY)
  #count = 0
  /** The letter that the marks belong to. */
  #letter = 0
  #accents = 0
  #marks = 0
  #isKeycap = false
  #isReplaced = false
  #isAlphabetic = false

  start(code: number, start: number, end: number): void {
    this.#count = 0
    this.#accents = 0
    this.#marks = 0
    this.#isKeycap = false
    this.#isReplaced = false
    this.#addAll(code, plainLetterOf(code), start, end)
    this.#letter = this.#codes[this.#count - 1] ?? 0
    this.#isAlphabetic = isAlphabetic(this.#letter)
  }

  /** Adds a character that may belong to the letter. Returns whether it does. */
  add(code: number, start: number, end: number): boolean {
    const role = roleOf(code)
    if (role === Role.accent) return this.#addAccent(code, start, end)
    if (role === Role.jamo) return this.#addJamo(code, start, end)
    if (role === Role.extender) this.#extend(start, end)
    if (role === Role.mark) this.#addMark(code, start, end)
    return role !== Role.plain && role !== Role.expanded
  }

  /** Adds a vowel that together with a mark before it makes a Thai or Lao am. Returns whether it does. */
  addAm(code: number, end: number): boolean {
    if (code !== SARA_AA && code !== LAO_AA) return false
    const nikhahit = code + AA_TO_NIKHAHIT
    const last = this.#count - 1
    const hasTone = last > 0 && isTone(this.#codes[last] ?? 0)
    if (this.#codes[hasTone ? last - 1 : last] !== nikhahit) return false
    if (hasTone) this.#codes[last - 1] = this.#codes[last] ?? 0
    this.#codes[last] = code + AA_TO_AM
    this.#ends[last] = end
    this.#isReplaced = true
    return true
  }

  writeTo(reading: ReadingBuilder): void {
    if (this.#accents + this.#marks === 0) {
      this.#writeEach(reading)
      return
    }
    const count = this.#compose()
    const start = this.#starts[0] ?? 0
    const end = this.#ends[this.#count - 1] ?? 0
    if (this.#isKeycap) reading.addCode(KEYCAP_SIGN, start, end)
    else if (this.#isReplaced || this.#isComposed(count))
      for (let at = 0; at < count; at++) reading.addCode(standaloneOf(this.#composed[at] ?? 0), start, end)
    else this.#writeEach(reading)
  }

  /** Composes what composes and drops the decoration. Returns how many characters are left. */
  #compose(): number {
    const composed = this.#composed
    let count = 0
    for (let at = 0; at < this.#count; at++) {
      const code = this.#codes[at] ?? 0
      const mayCompose = roleOf(code) === Role.accent && canCompose(code)
      if (mayCompose || !this.#isDecoration(code)) count = addDecomposed(composed, count, code)
    }
    count = compose(composed, count)
    let kept = 0
    for (let at = 0; at < count; at++) {
      const code = composed[at] ?? 0
      if (!this.#isDecoration(code)) composed[kept++] = code
    }
    return kept < count ? compose(composed, kept) : kept
  }

  /** Whether more has changed than that decoration was dropped. */
  #isComposed(count: number): boolean {
    let same = 0
    for (let at = 0; at < this.#count; at++) {
      const code = this.#codes[at] ?? 0
      if (this.#isDecoration(code)) continue
      if (same === count || this.#composed[same] !== code) return true
      same++
    }
    return false
  }

  #writeEach(reading: ReadingBuilder): void {
    for (let at = 0; at < this.#count; at++) {
      const code = this.#codes[at] ?? 0
      const end = this.#ends[at] ?? 0
      if (this.#isDecoration(code)) reading.extendTo(end)
      else reading.addCode(standaloneOf(code), this.#starts[at] ?? 0, end)
    }
  }

  /** Marks of any script decorate the letters of an alphabet. */
  #isDecoration(code: number): boolean {
    return kindOf(code) === Kind.ignorable || (this.#isAlphabetic && roleOf(code) === Role.mark)
  }

  #addAccent(code: number, start: number, end: number): boolean {
    const isSpacing = code === SPACING_DAKUTEN || code === SPACING_HANDAKUTEN
    const accent = isSpacing ? code - 2 : plainOf(code)
    if (isSpacing && !this.#composesWith(accent)) return false
    if (code === KEYCAP) this.#isKeycap = isKeycapBase(this.#letter)
    if (this.#accents++ < MAX_ACCENTS) this.#addAll(code, accent, start, end)
    else this.#extendTo(end)
    return true
  }

  /** Whether nothing prevents the letter from composing with an accent. */
  #composesWith(accent: number): boolean {
    for (let at = 0; at < this.#count; at++) if (this.#codes[at] === accent) return false
    return this.#marks === 0 && composePair(this.#letter, accent) !== 0
  }

  #addMark(code: number, start: number, end: number): void {
    if (this.#marks++ < MAX_MARKS) this.#addAll(code, code, start, end)
    else this.#extendTo(end)
  }

  #addJamo(code: number, start: number, end: number): boolean {
    if (code <= LAST_INITIAL_JAMO || this.#marks++ >= MAX_MARKS) return false
    this.#add(code, start, end)
    return true
  }

  /** Adds what a character stands for. */
  #addAll(code: number, plain: number, start: number, end: number): void {
    const letters = expansionOf(code)
    if (letters === undefined) this.#add(plain, start, end)
    else for (const letter of letters) this.#add(letter, start, end)
  }

  #add(code: number, start: number, end: number): void {
    this.#codes[this.#count] = code
    this.#starts[this.#count] = start
    this.#ends[this.#count] = end
    this.#count++
  }

  /** Extends the last span over a character that follows it directly. */
  #extend(start: number, end: number): void {
    if (this.#ends[this.#count - 1] === start) this.#extendTo(end)
  }

  #extendTo(end: number): void {
    const start = this.#starts[this.#count - 1]
    for (let at = this.#count - 1; at >= 0 && this.#starts[at] === start; at--) this.#ends[at] = end
  }
}

export function isAlphabetic(code: number): boolean {
  const script = scriptOf(code)
  const isAlphabet = script === Script.latin || script === Script.cyrillic || script === Script.greek
  return isAlphabet && roleOf(code) !== Role.mark
}

const isKeycapBase = (code: number) => (code >= ZERO && code <= NINE) || code === NUMBER_SIGN || code === STAR
const isTone = (code: number) => (code >= 0xe48 && code <= 0xe4b) || (code >= 0xec8 && code <= 0xecb)

/** Conjoining jamo that do not compose to a syllable are read as standalone ones. */
const standaloneOf = (code: number) => (roleOf(code) === Role.jamo ? foldedOf(code) : code)

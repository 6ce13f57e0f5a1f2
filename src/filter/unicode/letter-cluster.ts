import { foldedOf, Kind, kindOf, plainOf, scriptOf } from './characters.ts'
import type { ReadingBuilder } from './reading.ts'
import { Role, roleOf } from './roles.ts'
import { Script } from './scripts.ts'

/** Accents and marks beyond these are decoration. They bound the cost of sorting them. */
const MAX_ACCENTS = 8
const MAX_MARKS = 32

const KEYCAP = 0x20e3
const KEYCAP_SIGN = 0x25a1
/** The spacing forms of the voicing marks of kana. The combining ones are two before them. */
const [SPACING_DAKUTEN, SPACING_HANDAKUTEN] = [0x309b, 0x309c]
const [LAST_INITIAL_JAMO, ZERO, NINE, NUMBER_SIGN, STAR] = [0x115f, 0x30, 0x39, 0x23, 0x2a]
const DECOMPOSED_AM = /[\u0e4d\u0ecd]([\u0e48-\u0e4b\u0ec8-\u0ecb]?)([\u0e32\u0eb2])/
const STARTED_AM = /[\u0e4d\u0ecd][\u0e48-\u0e4b\u0ec8-\u0ecb]?$/

/** A letter and the accents and marks on it, with the span of each. */
export class LetterCluster {
  readonly #codes: number[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  #accents = 0
  #marks = 0

  start(letters: readonly number[], start: number, end: number): void {
    this.#codes.length = 0
    this.#starts.length = 0
    this.#ends.length = 0
    this.#accents = 0
    this.#marks = 0
    for (const letter of letters) this.#add(letter, start, end)
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

  /** Adds a vowel that only together with the mark before it makes a Thai or Lao am. Returns whether it did. */
  addAm(code: number, start: number, end: number): boolean {
    if ((code !== 0xe32 && code !== 0xeb2) || !STARTED_AM.test(this.#text(-2))) return false
    this.#add(code, start, end)
    return true
  }

  writeTo(reading: ReadingBuilder): void {
    const start = this.#starts[0] ?? 0
    const end = this.#ends.at(-1) ?? 0
    const text = this.#text(0)
    const isLetter = isAlphabetic(this.#codes[0] ?? 0)
    const composed = compose(text, isLetter)
    if (this.#isKeycap()) reading.addCode(KEYCAP_SIGN, start, end)
    else if (composed === dropDecoration(text, isLetter)) this.#writeEach(reading, isLetter)
    else for (const character of composed) reading.addCode(standaloneOf(character), start, end)
  }

  #writeEach(reading: ReadingBuilder, isLetter: boolean): void {
    for (const [at, code] of this.#codes.entries()) {
      const [start, end] = [this.#starts[at] ?? 0, this.#ends[at] ?? 0]
      if (isDecoration(code, isLetter)) reading.extendTo(end)
      else reading.addCode(standaloneOf(String.fromCodePoint(code)), start, end)
    }
  }

  #addAccent(code: number, start: number, end: number): boolean {
    const isSpacing = code === SPACING_DAKUTEN || code === SPACING_HANDAKUTEN
    const accent = isSpacing ? code - 2 : plainOf(code)
    if (isSpacing && !this.#composesWith(accent)) return false
    if (this.#accents++ < MAX_ACCENTS) this.#add(accent, start, end)
    else this.#extend(start, end)
    return true
  }

  #composesWith(accent: number): boolean {
    const composed = String.fromCodePoint(this.#codes[0] ?? 0, accent).normalize('NFC')
    return !this.#codes.includes(accent) && composed.length === 1
  }

  #addMark(code: number, start: number, end: number): void {
    if (this.#marks++ < MAX_MARKS) this.#add(code, start, end)
    else this.#extend(start, end)
  }

  #addJamo(code: number, start: number, end: number): boolean {
    if (code <= LAST_INITIAL_JAMO || this.#marks++ >= MAX_MARKS) return false
    this.#add(code, start, end)
    return true
  }

  #add(code: number, start: number, end: number): void {
    this.#codes.push(code)
    this.#starts.push(start)
    this.#ends.push(end)
  }

  #extend(start: number, end: number): void {
    for (let at = this.#ends.length - 1; at >= 0 && this.#ends[at] === start; at--) this.#ends[at] = end
  }

  #isKeycap(): boolean {
    const first = this.#codes[0] ?? 0
    return (
      ((first >= ZERO && first <= NINE) || first === NUMBER_SIGN || first === STAR) &&
      this.#codes.includes(KEYCAP)
    )
  }

  #text(from: number): string {
    return String.fromCodePoint(...this.#codes.slice(from))
  }
}

/** Composes a letter with its marks and drops those that do not compose and are no letters. */
function compose(letters: string, isAlphabetic: boolean): string {
  const composed = letters.normalize('NFC')
  const kept = dropDecoration(composed, isAlphabetic)
  const text = kept === composed ? kept : kept.normalize('NFC')
  return text.replace(DECOMPOSED_AM, (_, tone: string, aa: string) => tone + (aa === 'า' ? 'ำ' : 'ຳ'))
}

const dropDecoration = (text: string, isAlphabetic: boolean) =>
  Array.from(text)
    .filter((character) => !isDecoration(character.codePointAt(0) ?? 0, isAlphabetic))
    .join('')

/** Marks of any script decorate the letters of an alphabet. */
const isDecoration = (code: number, isAlphabetic: boolean) =>
  kindOf(code) === Kind.ignorable || (isAlphabetic && roleOf(code) === Role.mark)

function isAlphabetic(code: number): boolean {
  const script = scriptOf(code)
  return script === Script.latin || script === Script.cyrillic || script === Script.greek
}

/** Conjoining jamo that do not compose to a syllable are read as standalone ones. */
function standaloneOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  return roleOf(code) === Role.jamo ? foldedOf(code) : code
}

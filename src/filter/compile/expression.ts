import { Flag } from '../compiled.ts'
import {
  classOf,
  foldedOf,
  isSpaced,
  isUnspaced,
  Kind,
  kindOf,
  MAX_LEET_RUN,
  SEPARATOR,
} from '../unicode/characters.ts'
import { isJamo, jamoOf, prolongsVowel } from '../unicode/hangul.ts'
import type { RaggedArray } from './ragged-array.ts'

/** What an expression requires of a text. */
export interface Pattern {
  /** Folded letters and punctuation; a space stands for any separators. */
  readonly word: string
  readonly flags: number
}

const STAR = '*'
const ASCII_END = 0x80
const LAST_UNIT = 0xffff
const MIN_OPEN_LETTERS = 2
const MIN_FUZZY_LETTERS = 3
const MIN_INFLECTED_LETTERS = 4

/** Expressions that need no normalization and no folding other than lower case. */
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/

/**
 * Parses an expression: a literal word or phrase. A `*` at either end opens that side if at least two letters remain.
 * Returns undefined if nothing visible remains.
 */
export function parseExpression(expression: string): Pattern | undefined {
  const isPlain = PLAIN_WORDS.test(expression)
  const visible = isPlain ? expression : removeIgnorable(expression)
  const isOpenBefore = visible.startsWith(STAR) && countLetters(visible) >= MIN_OPEN_LETTERS
  const isOpenAfter =
    visible.endsWith(STAR) && visible.length > 1 && countLetters(visible) >= MIN_OPEN_LETTERS
  const inner = visible.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined)
  const word = PLAIN_WORDS.test(inner) ? inner.toLowerCase() : fold(inner)
  if (word === '' || (!isPlain && losesMarks(expression, visible))) return undefined
  const flags = (isOpenBefore ? Flag.openBefore : 0) | (isOpenAfter ? Flag.openAfter : 0) | kindFlags(word)
  return { word, flags }
}

/** Whether removing combining marks would reduce a short expression to a bare letter. */
const losesMarks = (expression: string, visible: string) =>
  visible.length < MIN_FUZZY_LETTERS * 2 &&
  Array.from(visible).length < MIN_FUZZY_LETTERS &&
  Array.from(expression.normalize('NFC')).some(
    (each) => kindOf(codeAt(each, 0)) === Kind.ignorable && /\p{M}/u.test(each),
  )

const VOICED_NARROW_KANA = /[\uff66-\uff9d][\uff9e\uff9f]/g

function removeIgnorable(expression: string): string {
  const text = expression.normalize('NFC').replace(VOICED_NARROW_KANA, (kana) => kana.normalize('NFKC'))
  let visible = ''
  let copied = 0
  for (let at = 0; at < text.length; ) {
    const code = codeAt(text, at)
    const end = at + unitsOf(code)
    if (kindOf(code) === Kind.ignorable) {
      visible += text.slice(copied, at)
      copied = end
    }
    at = end
  }
  return copied === 0 ? text : visible + text.slice(copied)
}

const isWordKind = (kind: number) => kind !== Kind.separator && kind !== Kind.ignorable

function countLetters(text: string): number {
  let letters = 0
  for (const each of text) if (isWordKind(kindOf(each.codePointAt(0) ?? 0))) letters++
  return letters
}

function fold(text: string): string {
  const hasCompatibilityForms = text.normalize('NFKC') !== text
  let word = ''
  let copied = 0
  for (let at = 0; at < text.length; ) {
    const code = codeAt(text, at)
    const end = at + unitsOf(code)
    const folded = isSpace(code)
      ? SEPARATOR
      : hasCompatibilityForms && isCompatibilityForm(code)
        ? code
        : foldedOf(code)
    if (folded !== code) {
      word += text.slice(copied, at) + String.fromCodePoint(folded)
      copied = end
    }
    at = end
  }
  word += text.slice(copied)
  return word.includes(' ') ? word.replace(/ +/g, ' ').trim() : word
}

const isSpace = (code: number) => kindOf(code) === Kind.separator && /\s/u.test(String.fromCodePoint(code))

/**
 * Whether folding would turn it into a different character: a list with `㉻` or `ⓐ` means exactly that character.
 * Full-width and half-width forms are still folded.
 */
function isCompatibilityForm(code: number): boolean {
  if (code < ASCII_END) return false
  const character = String.fromCodePoint(code)
  return !(code >= 0xff00 && code <= 0xffef) && character.normalize('NFKC') !== character.normalize('NFC')
}

function kindFlags(word: string): number {
  let kinds = 0
  let letters = 0
  for (let at = 0; at < word.length; at++) {
    const code = codeAt(word, at)
    if (code > LAST_UNIT) at++
    if (code === SEPARATOR) continue
    const kind = kindOf(code)
    kinds |= 1 << kind
    if (isWordKind(kind)) letters++
  }
  if (kinds === 1 << Kind.syllable) return Flag.hangul
  if (kinds === 1 << Kind.jamo) return Flag.jamo
  if (kinds !== 1 << Kind.letter || letters < MIN_FUZZY_LETTERS) return Flag.strict
  return letters >= MIN_INFLECTED_LETTERS && isLatin(word.charCodeAt(word.length - 1)) ? Flag.inflects : 0
}

export const codeAt = (word: string, at: number) => word.codePointAt(at) ?? 0
export const unitsOf = (code: number) => (code > LAST_UNIT ? 2 : 1)

export function lastCode(word: string): number {
  const code = codeAt(word, word.length - 2)
  return unitsOf(code) === 2 ? code : word.charCodeAt(word.length - 1)
}

const isLatin = (code: number) => code >= 0x61 && code <= 0x7a

/** Whether a word starts between two adjacent characters that no separator divides. */
export const changesScript = (kind: number, next: number) => isUnspaced(kind) && isSpaced(next)

const NOTHING = -1

/** Appends a row: the classes of the word with runs collapsed, as the automaton reads a text. */
export function appendClasses({ word, flags }: Pattern, classes: RaggedArray): void {
  if ((flags & Flag.openBefore) === 0 && isSpaced(kindOf(codeAt(word, 0)))) classes.push(SEPARATOR)
  let before = NOTHING
  let kindBefore: number = Kind.separator
  let isInWord = (flags & Flag.openBefore) !== 0
  for (let at = 0; at < word.length; at += unitsOf(before)) {
    const code = codeAt(word, at)
    const kind = kindOf(code)
    if (changesScript(kindBefore, kind)) classes.pushUnlessRepeated(SEPARATOR)
    isInWord = isWordKind(kind) || (isInWord && isLeet(code) && precedesWord(word, at + 1, flags))
    if (isUnspaced(kind)) appendJamoClasses(code, before, classes)
    else classes.pushUnlessRepeated(isInWord ? classOf(code) : SEPARATOR)
    before = code
    kindBefore = kind
  }
  classes.endRow()
}

function appendJamoClasses(code: number, before: number, classes: RaggedArray): void {
  const isAgain = code === before
  if (isAgain && kindOf(code) !== Kind.syllable) return
  const letters = jamoOf(code)
  for (const jamo of !isAgain && prolongsVowel(code, before) ? letters.slice(1) : letters)
    classes.pushUnlessRepeated(classOf(jamo.codePointAt(0) ?? 0))
}

/** As in a text, leetspeak punctuation is read as letters only between letters and in short runs. */
function precedesWord(word: string, from: number, flags: number): boolean {
  for (let at = from; at < from + MAX_LEET_RUN; at++) {
    if (at >= word.length) return (flags & Flag.openAfter) !== 0
    const code = codeAt(word, at)
    if (!isLeet(code) || isWordKind(kindOf(code))) return isWordKind(kindOf(code))
  }
  return false
}

const isLeet = (code: number) => classOf(code) !== code && !isJamo(code)

import { classOf, foldedOf, isJamo, isStretch, jamoOf, Kind, kindOf } from '../unicode/characters.ts'
import type { Rows } from './ragged-array.ts'

/** What an expression asks of a text. */
export interface Pattern {
  /** What has to be there in turn: folded letters, signs, and a space for any separators. */
  readonly word: string
  readonly flags: number
}

export const Flag = {
  /** The word may begin before the expression. */
  openBefore: 1,
  /** The word may go on after it. */
  openAfter: 2,
  /** Too short, or too far from words, for anything but itself. */
  strict: 4,
  /** Hangul syllables only. */
  hangul: 8,
  /** Hangul letters that make no syllables: they match nothing but such letters. */
  looseJamo: 16,
  /** Its hits are excused, not masked. */
  allowed: 32,
  /** May be bent: `s`, `ing` and their like may follow. */
  bends: 64,
  /** Is looked for within words that no dictionary has. */
  within: 128,
} as const

/** Whether a pattern takes nothing for its letters but these letters. */
export const isExact = (flags: number) => (flags & (Flag.strict | Flag.allowed)) !== 0

/** Stands for the place where a word begins, or for what separates words. */
export const SEPARATOR = 0x20

const STAR = '*'
/** Where Unicode begins beyond ASCII. */
const LATIN_ONE = 0x80
const LAST_UNIT = 0xffff
const MIN_OPEN_LETTERS = 2
const MIN_LOOSE_LETTERS = 3
const MIN_BENT_LETTERS = 4

/** Words that need neither normalising nor folding but for their case. */
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/

/**
 * Reads an expression: a literal word or phrase; a `*` at either end opens that side where at least two letters remain.
 * Undefined when nothing is left of it that could be seen.
 */
export function readExpression(expression: string): Pattern | undefined {
  const isPlain = PLAIN_WORDS.test(expression)
  const visible = isPlain ? expression : visibleOf(expression)
  const isOpenBefore = visible.startsWith(STAR) && countLetters(visible) >= MIN_OPEN_LETTERS
  const isOpenAfter =
    visible.endsWith(STAR) && visible.length > 1 && countLetters(visible) >= MIN_OPEN_LETTERS
  const inner = visible.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined)
  const word = PLAIN_WORDS.test(inner) ? inner.toLowerCase() : fold(inner)
  if (word === '' || (!isPlain && isTooBare(expression, visible))) return undefined
  const flags = (isOpenBefore ? Flag.openBefore : 0) | (isOpenAfter ? Flag.openAfter : 0) | shapeOf(word)
  return { word, flags }
}

/** Whether something dresses a letter that would be left bare: of so short an expression nothing would be left. */
const isTooBare = (expression: string, visible: string) =>
  visible.length < MIN_LOOSE_LETTERS * 2 &&
  Array.from(visible).length < MIN_LOOSE_LETTERS &&
  Array.from(expression.normalize('NFC')).some(
    (each) => kindOf(codeAt(each, 0)) === Kind.ignorable && /\p{M}/u.test(each),
  )

const VOICED_NARROW_KANA = /[\uff66-\uff9d][\uff9e\uff9f]/g

function visibleOf(expression: string): string {
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
  const mayBeStyled = text.normalize('NFKC') !== text
  let word = ''
  let copied = 0
  for (let at = 0; at < text.length; ) {
    const code = codeAt(text, at)
    const end = at + unitsOf(code)
    const folded = isSpace(code) ? SEPARATOR : mayBeStyled && isStyled(code) ? code : foldedOf(code)
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
 * Whether folding would make it another character: of lists that hold `㉻` or `ⓐ` it is that very sign that is meant. Wide
 * and narrow forms are only that.
 */
function isStyled(code: number): boolean {
  if (code < LATIN_ONE) return false
  const character = String.fromCodePoint(code)
  return !(code >= 0xff00 && code <= 0xffef) && character.normalize('NFKC') !== character.normalize('NFC')
}

function shapeOf(word: string): number {
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
  if (kinds === 1 << Kind.jamo) return Flag.looseJamo
  if (kinds !== 1 << Kind.letter || letters < MIN_LOOSE_LETTERS) return Flag.strict
  return letters >= MIN_BENT_LETTERS && isLatin(word.charCodeAt(word.length - 1)) ? Flag.bends : 0
}

export const codeAt = (word: string, at: number) => word.codePointAt(at) ?? 0
export const unitsOf = (code: number) => (code > LAST_UNIT ? 2 : 1)

/** The last character of a word. */
export function lastCode(word: string): number {
  const code = codeAt(word, word.length - 2)
  return unitsOf(code) === 2 ? code : word.charCodeAt(word.length - 1)
}

const isLatin = (code: number) => code >= 0x61 && code <= 0x7a

export const isUnspaced = (kind: number) =>
  kind === Kind.unspaced || kind === Kind.syllable || kind === Kind.jamo
export const isSpaced = (kind: number) => kind === Kind.letter || kind === Kind.digit

/** Whether a word begins between two neighbours although nothing separates them. */
export const changesScript = (kind: number, next: number) => isUnspaced(kind) && isSpaced(next)

const NOTHING = -1

/** Adds a row: the word by classes, runs collapsed, as the automaton sees a text. */
export function readClasses({ word, flags }: Pattern, classes: Rows): void {
  if ((flags & Flag.openBefore) === 0 && isSpaced(kindOf(codeAt(word, 0)))) classes.push(SEPARATOR)
  let before = NOTHING
  let kindBefore: number = Kind.separator
  let isInWord = (flags & Flag.openBefore) !== 0
  for (let at = 0; at < word.length; at += unitsOf(before)) {
    const code = codeAt(word, at)
    const kind = kindOf(code)
    if (changesScript(kindBefore, kind)) classes.pushOther(SEPARATOR)
    isInWord = isWordKind(kind) || (isInWord && isSign(code) && isBeforeWord(word, at + 1, flags))
    if (isUnspaced(kind)) readLetters(code, before, classes)
    else classes.pushOther(isInWord ? classOf(code) : SEPARATOR)
    before = code
    kindBefore = kind
  }
  classes.endRow()
}

function readLetters(code: number, before: number, classes: Rows): void {
  const isAgain = code === before
  if (isAgain && kindOf(code) !== Kind.syllable) return
  const letters = jamoOf(code)
  for (const jamo of !isAgain && isStretch(code, before) ? letters.slice(1) : letters)
    classes.pushOther(classOf(jamo.codePointAt(0) ?? 0))
}

/** So many signs in a row may be letters between others. */
export const MAX_SIGNS = 3

/** As in a text, a sign is taken for a letter where it stands between letters, few others beside it. */
function isBeforeWord(word: string, from: number, flags: number): boolean {
  for (let at = from; at < from + MAX_SIGNS; at++) {
    if (at >= word.length) return (flags & Flag.openAfter) !== 0
    const code = codeAt(word, at)
    if (!isSign(code) || isWordKind(kindOf(code))) return isWordKind(kindOf(code))
  }
  return false
}

const isSign = (code: number) => classOf(code) !== code && !isJamo(code)

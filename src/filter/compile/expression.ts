import { Flag } from '../compiled.ts'
import {
  baseOf,
  classOf,
  foldedOf,
  isSpaced,
  isUnspaced,
  Kind,
  kindOf,
  SEPARATOR,
  scriptOf,
} from '../unicode/characters.ts'
import { jamoOf, prolongsVowel } from '../unicode/hangul.ts'
import { mixesKana } from '../unicode/kana.ts'
import { normalize } from '../unicode/normalize.ts'
import { Script } from '../unicode/scripts.ts'
import type { RaggedArray } from './ragged-array.ts'

/** What an expression requires of a text. */
export interface Pattern {
  /** Folded letters and punctuation; a space stands for any separators. */
  readonly word: string
  readonly flags: number
  /** Rules that the expression turns off. */
  readonly without: ReadonlySet<Rule>
}

/** Rules that widen an expression. */
const RULES = ['inflection', 'compound', 'disguise', 'split'] as const
export type Rule = (typeof RULES)[number]

const STAR = '*'
const EXACT_MARK = /(?<=[\p{L}\p{M}\p{N}*])!((?:[a-z]+(?:,[a-z]+)*)?)$/u
const LAST_UNIT = 0xffff
/** The Greek letter under another code. */
const MICRO_SIGN = 0xb5
const MIN_OPEN_LETTERS = 2
const MIN_FUZZY_LETTERS = 3
const MIN_STRETCHED_LETTERS = 4
const MIN_UNACCENTED_LETTERS = 5

const NOTHING_OFF: ReadonlySet<Rule> = new Set()
const ALL_OFF: ReadonlySet<Rule> = new Set(RULES)

/** Expressions that need no normalization and no folding other than lower case. */
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/

/**
 * Parses an expression: a literal word or phrase. A `*` at either end opens that side if at least two letters remain.
 * `!` at the end turns off all rules, or those named after it. Returns undefined if nothing visible remains.
 */
export function parseExpression(expression: string): Pattern | undefined {
  const { body, without } = splitMark(expression)
  const visible = PLAIN_WORDS.test(body) ? body : normalize(body).text
  const isOpenBefore = visible.startsWith(STAR) && countLetters(visible) >= MIN_OPEN_LETTERS
  const isOpenAfter =
    visible.endsWith(STAR) && visible.length > 1 && countLetters(visible) >= MIN_OPEN_LETTERS
  const word = foldWord(visible.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined))
  if (word === '') return undefined
  const open = (isOpenBefore ? Flag.openBefore : 0) | (isOpenAfter ? Flag.openAfter : 0)
  const isStyled = visible !== body && (hasStyledLetters(body) || losesMarks(body, visible))
  const styled = isStyled ? Flag.styled | Flag.exact | Flag.literal : 0
  const exact = without.has('disguise') ? Flag.exact : 0
  const unsplit = without.has('split') ? Flag.unsplit : 0
  const kana = visible !== word && mixesKana(visible, 0, visible.length) ? Flag.mixedKana : 0
  return { word, flags: open | styled | exact | unsplit | kana | kindFlags(word), without }
}

function splitMark(expression: string): { readonly body: string; readonly without: ReadonlySet<Rule> } {
  const match = expression.endsWith('!') || expression.includes('!') ? EXACT_MARK.exec(expression) : null
  if (match === null) return { body: expression, without: NOTHING_OFF }
  const body = expression.slice(0, match.index)
  if (match[1] === '') return { body, without: ALL_OFF }
  const named = match[1]?.split(',') ?? []
  const known = RULES.filter((rule) => named.includes(rule))
  return known.length === named.length
    ? { body, without: new Set(known) }
    : { body: expression, without: NOTHING_OFF }
}

/** Whether normalization would reduce a short expression to bare letters, which it does not mean. */
const losesMarks = (expression: string, visible: string) =>
  Array.from(visible).length < MIN_FUZZY_LETTERS &&
  Array.from(expression.normalize('NFC')).some(
    (each) => kindOf(codeAt(each, 0)) === Kind.ignorable && MARK.test(each),
  )

/** Combining marks, but no variation selectors, which emoji have. */
const MARK = /(?![\ufe00-\ufe0f])\p{M}/u

const isWordKind = (kind: number) => kind !== Kind.separator && kind !== Kind.ignorable

function countLetters(text: string): number {
  let letters = 0
  for (const each of text) if (isWordKind(kindOf(each.codePointAt(0) ?? 0))) letters++
  return letters
}

/** Folds each letter and turns white space into single spaces. */
function foldWord(text: string): string {
  if (PLAIN_WORDS.test(text)) return text.toLowerCase()
  let word = ''
  for (let at = 0; at < text.length; ) {
    const code = codeAt(text, at)
    at += unitsOf(code)
    word += String.fromCodePoint(isSpace(code) ? SEPARATOR : foldedOf(code))
  }
  return word.replace(/ +/g, ' ').trim()
}

const isSpace = (code: number) => kindOf(code) === Kind.separator && /\s/u.test(String.fromCodePoint(code))

/** Whether a letter is written in a style that it means: a list with `㉻` or `ⓐ` means exactly that character. */
const hasStyledLetters = (expression: string): boolean =>
  Array.from(expression.normalize('NFC')).some((each) => {
    const code = codeAt(each, 0)
    const isSameLetter = (code >= 0xff00 && code <= 0xffef) || code === MICRO_SIGN
    return code > 0x7f && !isSameLetter && each.normalize('NFKC') !== each && isWordKind(kindOf(code))
  })

function kindFlags(word: string): number {
  let kinds = 0
  let letters = 0
  let isAccented = false
  let isGreek = false
  for (let at = 0; at < word.length; at++) {
    const code = codeAt(word, at)
    if (code > LAST_UNIT) at++
    if (code === SEPARATOR) continue
    const kind = kindOf(code)
    kinds |= 1 << kind
    if (isWordKind(kind)) letters++
    if (baseOf(code) !== code) isAccented = true
    if (scriptOf(code) === Script.greek) isGreek = true
  }
  // Greek capitals have no accents.
  const unaccented = isAccented && (isGreek || letters >= MIN_UNACCENTED_LETTERS) ? Flag.unaccented : 0
  if (kinds === 1 << Kind.syllable) return Flag.hangul
  if (kinds === 1 << Kind.jamo) return Flag.jamo | Flag.stretchable
  if (kinds !== 1 << Kind.letter || letters < MIN_FUZZY_LETTERS)
    return Flag.exact | Flag.literal | (isGreek ? unaccented : 0)
  return (letters >= MIN_STRETCHED_LETTERS ? Flag.stretchable : 0) | unaccented
}

export const codeAt = (word: string, at: number) => word.codePointAt(at) ?? 0
export const unitsOf = (code: number) => (code > LAST_UNIT ? 2 : 1)

export function lastCode(word: string): number {
  const code = codeAt(word, word.length - 2)
  return unitsOf(code) === 2 ? code : word.charCodeAt(word.length - 1)
}

/** Whether a word starts between two adjacent characters that no separator divides. */
export const changesScript = (kind: number, next: number) => isUnspaced(kind) && isSpaced(next)

const NOTHING = -1

/** Appends a row: the classes of the word with runs collapsed, as the automaton reads a text. */
export function appendClasses(word: string, startsWord: boolean, classes: RaggedArray): void {
  if (startsWord && isSpaced(kindOf(codeAt(word, 0)))) classes.push(SEPARATOR)
  let before = NOTHING
  let kindBefore: number = Kind.separator
  for (let at = 0; at < word.length; at += unitsOf(before)) {
    const code = codeAt(word, at)
    const kind = kindOf(code)
    if (changesScript(kindBefore, kind)) classes.pushUnlessRepeated(SEPARATOR)
    if (kind === Kind.syllable || kind === Kind.jamo) appendJamoClasses(code, before, classes)
    else if (isUnspaced(kind)) classes.push(classOf(code))
    else classes.pushUnlessRepeated(isWordKind(kind) ? classOf(code) : SEPARATOR)
    before = code
    kindBefore = kind
  }
  classes.endRow()
}

function appendJamoClasses(code: number, before: number, classes: RaggedArray): void {
  const letters = jamoOf(code)
  for (const jamo of prolongsVowel(code, before) ? letters.slice(1) : letters)
    classes.pushUnlessRepeated(classOf(jamo.codePointAt(0) ?? 0))
}

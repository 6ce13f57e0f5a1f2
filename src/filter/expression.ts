import { classOf, foldedOf, isJamo, isStretch, jamoOf, Kind, kindOf } from './unicode.ts'

/** What an expression asks of a text. */
export interface Pattern {
  /** What has to be there in turn. */
  readonly elements: readonly Element[]
  /** The same by classes, runs collapsed, as the automaton sees a text. */
  readonly classes: readonly number[]
  readonly flags: number
}

export interface Element {
  /** A folded letter, a sign, or a space for any separators. */
  readonly code: number
  /** How often it stands there. */
  readonly count: number
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

const STAR = 0x2a
/** Where Unicode begins beyond ASCII. */
const LATIN_ONE = 0x80
const MIN_OPEN_LETTERS = 2
const MIN_LOOSE_LETTERS = 3
const MIN_BENT_LETTERS = 4

/**
 * Reads an expression: a literal word or phrase; a `*` at either end opens that side where at least two letters remain.
 * Undefined when nothing is left of it that could be seen.
 */
export function readExpression(expression: string): Pattern | undefined {
  const codes = visibleCodes(expression)
  const isOpenBefore = codes[0] === STAR && countLetters(codes) >= MIN_OPEN_LETTERS
  const isOpenAfter = codes.at(-1) === STAR && codes.length > 1 && countLetters(codes) >= MIN_OPEN_LETTERS
  const inner = codes.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined)
  const elements = readElements(inner)
  if (elements.length === 0 || (codes.length < MIN_LOOSE_LETTERS && hasLooseMark(expression)))
    return undefined
  const flags = (isOpenBefore ? Flag.openBefore : 0) | (isOpenAfter ? Flag.openAfter : 0) | shapeOf(elements)
  return { elements, classes: readClasses(elements, flags), flags }
}

/** Whether something dresses a letter that would be left bare: of so short an expression nothing would be left. */
const hasLooseMark = (expression: string) =>
  Array.from(expression.normalize('NFC')).some(
    (each) => kindOf(each.codePointAt(0) ?? 0) === Kind.ignorable && /\p{M}/u.test(each),
  )

/** Code points, without those that nobody sees. */
function visibleCodes(expression: string): number[] {
  const text = expression.normalize('NFC')
  const codes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0
    if (code > 0xffff) at++
    if (kindOf(code) !== Kind.ignorable) codes.push(code)
  }
  return codes
}

const isWordKind = (kind: number) => kind !== Kind.separator && kind !== Kind.ignorable
const countLetters = (codes: readonly number[]) => codes.filter((code) => isWordKind(kindOf(code))).length

function readElements(codes: readonly number[]): Element[] {
  const elements: { code: number; count: number }[] = []
  for (const each of codes) {
    const code = isSpace(each) ? SEPARATOR : isStyled(each) ? each : foldedOf(each)
    const last = elements.at(-1)
    if (last?.code !== code) elements.push({ code, count: 1 })
    else if (code !== SEPARATOR) last.count++
  }
  if (elements[0]?.code === SEPARATOR) elements.shift()
  if (elements.at(-1)?.code === SEPARATOR) elements.pop()
  return elements
}

/**
 * Whether folding would make it another character: of lists that hold `㉻` or `ⓐ` it is that very sign that is meant. Wide
 * and narrow forms are only that.
 */
function isStyled(code: number): boolean {
  if (code < LATIN_ONE) return false
  const character = String.fromCodePoint(code)
  return !(code >= 0xff00 && code <= 0xffef) && character.normalize('NFKC') !== character.normalize('NFC')
}

const isSpace = (code: number) =>
  code === SEPARATOR || ((code < SEPARATOR || code >= LATIN_ONE) && /\s/u.test(String.fromCodePoint(code)))

function shapeOf(elements: readonly Element[]): number {
  let kinds = 0
  let letters = 0
  for (const { code, count } of elements) {
    if (code === SEPARATOR) continue
    const kind = kindOf(code)
    kinds |= 1 << kind
    if (isWordKind(kind)) letters += count
  }
  if (kinds === 1 << Kind.syllable) return Flag.hangul
  if (kinds === 1 << Kind.jamo) return Flag.looseJamo
  if (kinds !== 1 << Kind.letter || letters < MIN_LOOSE_LETTERS) return Flag.strict
  return letters >= MIN_BENT_LETTERS && isLatin(elements.at(-1)?.code ?? 0) ? Flag.bends : 0
}

const isLatin = (code: number) => code >= 0x61 && code <= 0x7a

export const isUnspaced = (kind: number) =>
  kind === Kind.unspaced || kind === Kind.syllable || kind === Kind.jamo
export const isSpaced = (kind: number) => kind === Kind.letter || kind === Kind.digit

/** Whether a word begins between two neighbours although nothing separates them. */
export const changesScript = (kind: number, next: number) => isUnspaced(kind) && isSpaced(next)

const NO_ELEMENT: Element = { code: SEPARATOR, count: 0 }

function readClasses(elements: readonly Element[], flags: number): number[] {
  const classes: number[] = []
  const push = (code: number) => {
    if (classes.at(-1) !== code) classes.push(code)
  }
  const first = elements[0]?.code ?? 0
  if ((flags & Flag.openBefore) === 0 && isSpaced(kindOf(first))) push(SEPARATOR)
  for (let place = 0; place < elements.length; place++) {
    const { code, count } = elements[place] ?? NO_ELEMENT
    const kind = kindOf(code)
    const before = elements[place - 1]?.code ?? 0
    if (changesScript(kindOf(before), kind)) push(SEPARATOR)
    if (!isWordKind(kind) && !(isSign(code) && isWithinWord(elements, place, flags))) {
      push(SEPARATOR)
      continue
    }
    if (!isUnspaced(kind)) {
      push(classOf(code))
      continue
    }
    const letters = jamoOf(code).repeat(kind === Kind.syllable ? count : 1)
    for (const jamo of isStretch(code, before) ? letters.slice(1) : letters)
      push(classOf(jamo.codePointAt(0) ?? 0))
  }
  return classes
}

/** As in a text, a sign is taken for a letter where it stands between letters. */
const isWithinWord = (elements: readonly Element[], place: number, flags: number) =>
  ((flags & Flag.openBefore) !== 0 || elements.slice(0, place).some(isWord)) &&
  ((flags & Flag.openAfter) !== 0 || elements.slice(place + 1).some(isWord))

const isWord = ({ code }: Element) => isWordKind(kindOf(code))
const isSign = (code: number) => classOf(code) !== code && !isJamo(code)

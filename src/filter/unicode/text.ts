import { classOf, equalsFolded, Kind, kindOf, SEPARATOR } from './characters.ts'

/** Reads spaces outside the text: NaN would slow down every other read. */
export const unitAt = (text: string, at: number) =>
  at >= 0 && at < text.length ? text.charCodeAt(at) : SEPARATOR

export const widthOf = (code: number) => (code > 0xffff ? 2 : 1)

export const isHighHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
export const isLowHalf = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The code point that ends at an index. */
export function codeBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1)
  return isLowHalf(unit) && index > 1 && isHighHalf(text.charCodeAt(index - 2))
    ? (text.codePointAt(index - 2) ?? unit)
    : unit
}

/** Skips combining marks, which belong to the letter before them. */
export function skipMarks(text: string, index: number): number {
  let at = index
  while (unitAt(text, at) >= FIRST_MARK && MARK.test(text.charAt(at))) at++
  return at
}

const FIRST_MARK = 0x300
const MARK = /\p{M}/u

/** A mask does not separate words, otherwise masking a word could join the words around it into a phrase. */
const STAR = 0x2a

/** The start of the separators that end at an index. Stops at the given punctuation. */
export function skipSeparators(text: string, index: number, punctuation: number): number {
  let at = index
  while (at > 0) {
    const code = codeBefore(text, at)
    const kind = kindOf(code)
    if (
      (kind !== Kind.separator && kind !== Kind.ignorable) ||
      code === STAR ||
      equalsFolded(code, punctuation)
    )
      break
    at -= widthOf(code)
  }
  return at
}

/** The kind of the last visible character before an index. */
export function kindBefore(text: string, index: number): number {
  let at = index
  while (at > 0) {
    const code = codeBefore(text, at)
    const kind = kindOf(code)
    if (kind !== Kind.ignorable) return kind
    at -= widthOf(code)
  }
  return Kind.separator
}

export function kindAfter(text: string, index: number): number {
  let at = index
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const kind = kindOf(code)
    if (kind !== Kind.ignorable) return kind
    at += widthOf(code)
  }
  return Kind.separator
}

/** Whether there is a standalone jamo on either side. */
export const isNearJamo = (text: string, at: number) =>
  kindBefore(text, at) === Kind.jamo || kindAfter(text, at) === Kind.jamo

const UNITS = 0x1_0000
const READ_CLASSES = new Uint32Array(UNITS)
for (let unit = 0; unit < UNITS; unit++)
  READ_CLASSES[unit] = kindOf(unit) === Kind.separator ? SEPARATOR : classOf(unit)

/** The class of a character as the automaton reads it: all signs separate words. */
export const readClassOf = (code: number): number =>
  code < UNITS ? (READ_CLASSES[code] ?? 0) : kindOf(code) === Kind.separator ? SEPARATOR : classOf(code)

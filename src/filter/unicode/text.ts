import { SEPARATOR } from '../compile/expression.ts'
import { isSame, Kind, kindOf } from './characters.ts'

/** Beyond its ends a text goes on with spaces: a number that is none would slow down every other look at it. */
export const unitAt = (text: string, at: number) =>
  at >= 0 && at < text.length ? text.charCodeAt(at) : SEPARATOR

export const widthOf = (code: number) => (code > 0xffff ? 2 : 1)

const isHighHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLowHalf = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff

/** The character that ends before an index. */
export function codeBefore(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1)
  return isLowHalf(unit) && index > 1 && isHighHalf(text.charCodeAt(index - 2))
    ? (text.codePointAt(index - 2) ?? unit)
    : unit
}

export const isIgnorable = (code: number) => code > 0x7f && kindOf(code) === Kind.ignorable

/** The unit before an index that anyone sees; 0 when there is none. */
export function unitBefore(text: string, index: number): number {
  let at = index
  while (at > 0 && isIgnorable(text.charCodeAt(at - 1))) at--
  return at > 0 ? text.charCodeAt(at - 1) : 0
}

/** Accents that stand behind the last letter belong to it. */
export function skipMarks(text: string, index: number): number {
  let at = index
  while (unitAt(text, at) >= FIRST_MARK && MARK.test(text.charAt(at))) at++
  return at
}

/** The same of those that are no letters themselves. */
export function skipAccents(text: string, index: number): number {
  let at = index
  while (unitAt(text, at) >= FIRST_MARK && kindOf(text.charCodeAt(at)) === Kind.ignorable) at++
  return at
}

const FIRST_MARK = 0x300
const MARK = /\p{M}/u

/** What is masked separates no words: else a mask would make a phrase of what is left. */
const STAR = 0x2a

/** Where the separators begin that end here; a sign that is looked for is none of them. */
export function skipSeparators(text: string, index: number, sign: number): number {
  let at = index
  while (at > 0) {
    const code = codeBefore(text, at)
    const kind = kindOf(code)
    if ((kind !== Kind.separator && kind !== Kind.ignorable) || code === STAR || isSame(code, sign)) break
    at -= widthOf(code)
  }
  return at
}

/** No word is longer, so nobody has to look further for its ends. */
export const MAX_WORD = 32

export function startOfWord(text: string, index: number): number {
  let at = index
  while (at > 0 && index - at < MAX_WORD && kindOf(text.charCodeAt(at - 1)) === Kind.letter) at--
  return at
}

export function endOfWord(text: string, index: number): number {
  let at = index
  while (at < text.length && at - index < MAX_WORD && kindOf(text.charCodeAt(at)) === Kind.letter) at++
  return at
}

/** The kind of the nearest character before an index that anyone sees. */
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

/** Letters within a syllable are not loose ones; those that follow may be. */
export const isJamoNear = (text: string, at: number) =>
  kindBefore(text, at) === Kind.jamo || kindAfter(text, at) === Kind.jamo

const MAX_SIGNS = 8

/** Signs are one class: goes on to the first one of a kind, if it is near. */
export function skipSigns(text: string, at: number, sign: number): number {
  for (let end = at; end < at + MAX_SIGNS && kindBefore(text, end) === Kind.separator; end++)
    if (isSame(codeBefore(text, end), sign)) return end
  return at
}

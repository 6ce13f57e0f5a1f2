import { Kind, kindOf } from '../unicode/characters.ts'
import { widthOf } from '../unicode/text.ts'

/** Equal signs in a row. */
export interface SignGroup {
  readonly start: number
  readonly end: number
  readonly sign: number
}

/** Text between spaces that has both letters and signs. */
export interface Token {
  readonly start: number
  readonly end: number
  readonly groups: readonly SignGroup[]
  /** Has digits, which may stand for letters. */
  readonly hasDigits: boolean
}

/** The tokens around signs, which must be in order. */
export function tokensAt(text: string, signs: readonly number[]): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const sign of signs) {
    if (sign < end) continue
    let start = sign
    while (start > end && !isSpace(text.charCodeAt(start - 1))) start--
    end = sign
    while (end < text.length && !isSpace(text.charCodeAt(end))) end++
    const token = readToken(text, start, end)
    if (token !== undefined) tokens.push(token)
  }
  return tokens
}

function readToken(text: string, start: number, end: number): Token | undefined {
  let groups: SignGroup[] | undefined
  let letters = 0
  let digits = 0
  for (let at = start; at < end; ) {
    const unit = text.charCodeAt(at)
    const code = unit >= FIRST_SURROGATE ? (text.codePointAt(at) ?? unit) : unit
    const kind = kindOf(code)
    if (kind === Kind.separator) {
      const next = endOfGroup(text, at, end, code)
      groups ??= []
      groups.push({ start: at, end: next, sign: code })
      at = next
      continue
    }
    // Signs between Hangul are read elsewhere.
    if (kind === Kind.digit) digits++
    else if (kind !== Kind.syllable && kind !== Kind.jamo) letters++
    at += widthOf(code)
  }
  return groups !== undefined && letters > 0 ? { start, end, groups, hasDigits: digits > 0 } : undefined
}

const FIRST_SURROGATE = 0xd800

function endOfGroup(text: string, from: number, end: number, sign: number): number {
  let at = from
  while (at < end && text.codePointAt(at) === sign) at += widthOf(sign)
  return at
}

const isSpace = (unit: number) =>
  unit <= 0x20 ||
  (unit >= 0x7f && (unit <= 0xa0 || (unit >= 0x2000 && unit <= 0x200a) || OTHER_SPACES.has(unit)))

const OTHER_SPACES: ReadonlySet<number> = new Set([0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000])

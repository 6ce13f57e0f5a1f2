import { ROLES } from './character-data.ts'
import { Kind, kindOf, plainOf, STYLED } from './characters.ts'
import { decodeRuns, TABLE_SIZE } from './tables.ts'

/** What a character does in normalization. */
export const Role = {
  /** Starts a letter, or is no letter. */
  plain: 0,
  /** Composes with the letter before it, or decorates it. */
  accent: 1,
  /** A letter that is written around the letter before it, such as a Thai vowel. */
  mark: 2,
  /** Conjoining Hangul. */
  jamo: 3,
  /** Invisible, and part of the character before it. */
  extender: 4,
  invisible: 5,
  /** Stands for several letters. */
  expanded: 6,
} as const

const UNITS = 0x1_0000
const PLANE_14 = 0xe_0000
const FIRST_LOW_HALF = 0xdc00
/** Compatibility ideographs, which the tables do not cover. */
const [FIRST_IDEOGRAPH, LAST_IDEOGRAPH] = [0x2_f800, 0x2_fa1d]

const roles = decodeRuns(ROLES, new Uint8Array(TABLE_SIZE))

export const roleOf = (code: number): number =>
  code < TABLE_SIZE ? (roles[code] ?? Role.plain) : code < PLANE_14 ? Role.plain : roleOfInvisible(code)

/** Tags and variation selectors extend the character before them. */
const roleOfInvisible = (code: number) =>
  (code >= 0xe_0020 && code <= 0xe_007f) || (code >= 0xe_0100 && code <= 0xe_01ef)
    ? Role.extender
    : Role.invisible

/** The plain letter of a character that stands for one. */
export const plainLetterOf = (code: number): number =>
  code >= FIRST_IDEOGRAPH && code <= LAST_IDEOGRAPH
    ? (String.fromCodePoint(code).normalize('NFC').codePointAt(0) ?? code)
    : plainOf(code)

/** The plain letters that a character stands for. */
export function lettersOf(code: number): number[] {
  if (roleOf(code) !== Role.expanded) return [plainLetterOf(code)]
  const character = String.fromCodePoint(code)
  const letters = SHARP_S.get(character) ?? character.normalize('NFKC')
  return Array.from(letters, (letter) => plainOf(letter.codePointAt(0) ?? 0)).filter(isVisibleLetter)
}

const SHARP_S = new Map([
  ['ß', 'ss'],
  ['ẞ', 'SS'],
])

function isVisibleLetter(code: number): boolean {
  const kind = kindOf(code)
  return kind !== Kind.separator && kind !== Kind.ignorable
}

/** For each code unit whether it may need normalization: 1 or 0. */
export const NEEDS_NORMALIZATION: Uint8Array = tableOfUnits()

function tableOfUnits(): Uint8Array {
  const units = new Uint8Array(UNITS)
  for (const code of STYLED) units[firstUnitOf(code)] = 1
  for (let code = 0; code < TABLE_SIZE; code++) if (roles[code] !== 0) units[firstUnitOf(code)] = 1
  units[firstUnitOf(FIRST_IDEOGRAPH)] = 1
  return units.fill(1, firstUnitOf(PLANE_14), FIRST_LOW_HALF)
}

function firstUnitOf(code: number): number {
  return code < UNITS ? code : 0xd7c0 + (code >> 10)
}

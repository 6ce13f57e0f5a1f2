import { EXPANSIONS, ROLES } from './character-data.ts'
import { plainOf, STYLED } from './characters.ts'
import { decodeRuns, forEachRow, forEachRun, TABLE_SIZE } from './tables.ts'

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

/** Marks that are half a Thai or Lao am if the vowel aa follows. */
const AM_MARKS = [0xe4d, 0xecd]

const roles = decodeRuns(ROLES, new Uint8Array(TABLE_SIZE))
const expansions = new Map<number, readonly number[]>()
forEachRow(EXPANSIONS, (row) => expansions.set(row[0] ?? 0, row.slice(1)))

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

/** The letters or marks that a character stands for, if there are several. */
export const expansionOf = (code: number): readonly number[] | undefined => expansions.get(code)

/** Whether a code unit needs normalization. */
export const Need = {
  never: 0,
  always: 1,
  /** A mark, which depends on what is before it, or half of a character. */
  depends: 2,
} as const

/** The `Need` of each code unit. */
export const NEEDS_NORMALIZATION: Uint8Array = tableOfUnits()

function tableOfUnits(): Uint8Array {
  const units = new Uint8Array(UNITS)
  const set = (code: number, need: number) => {
    units[firstUnitOf(code)] = code < UNITS ? need : Need.depends
  }
  for (const code of STYLED) set(code, Need.always)
  forEachRun(ROLES, (role, start, end) => {
    for (let code = start; code < end; code++) set(code, role === Role.mark ? Need.depends : Need.always)
  })
  for (const code of expansions.keys()) set(code, Need.always)
  for (const code of [...AM_MARKS, FIRST_IDEOGRAPH]) set(code, Need.always)
  return units.fill(Need.depends, firstUnitOf(PLANE_14), FIRST_LOW_HALF)
}

function firstUnitOf(code: number): number {
  return code < UNITS ? code : 0xd7c0 + (code >> 10)
}

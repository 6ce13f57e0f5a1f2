import { COMBINING_RANKS, COMPOSITIONS } from './character-data.ts'
import { FIRST_SYLLABLE, SYLLABLES } from './hangul.ts'
import { decodeRuns, forEachRow, TABLE_SIZE } from './tables.ts'

const LAST_UNIT = 0xffff
const ranks = decodeRuns(COMBINING_RANKS, new Uint8Array(TABLE_SIZE))
/** Set in addition to the rank of what composes with a character before it. */
const COMPOSES = 0x40
/** By both characters, which fit into 32 bits in plane 0. */
const compositions = new Map<number, number>()
const decompositions = new Map<number, readonly number[]>()
forEachRow(COMPOSITIONS, (row) => {
  const [first = 0, second = 0, composed = 0] = row
  compositions.set(keyOf(first, second), composed)
  decompositions.set(composed, row)
  ranks[second] = (ranks[second] ?? 0) | COMPOSES
})

/** No character of a higher plane composes with one of plane 0. */
function keyOf(first: number, second: number): number {
  return first <= LAST_UNIT && second <= LAST_UNIT ? (first << 16) | second : first * TABLE_SIZE + second
}

/** Whether there is a character with which a mark composes. */
export const canCompose = (mark: number): boolean => ((ranks[mark] ?? 0) & COMPOSES) !== 0

/** Marks on one letter are sorted by this rank, so that their order does not matter. 0 stays in its place. */
export const combiningRankOf = (code: number): number => (ranks[code] ?? 0) & ~COMPOSES

const [FIRST_INITIAL, INITIALS, FIRST_VOWEL, VOWELS] = [0x1100, 19, 0x1161, 21]
/** There is no final consonant with index 0. */
const [FINALS_START, FINALS] = [0x11a7, 28]

/** The character that two characters compose to, or 0. */
export function composePair(first: number, second: number): number {
  if (second >= FIRST_VOWEL && second < FINALS_START + FINALS) return composeJamo(first, second)
  return canCompose(second) ? (compositions.get(keyOf(first, second)) ?? 0) : 0
}

function composeJamo(first: number, second: number): number {
  const initial = first - FIRST_INITIAL
  if (initial >= 0 && initial < INITIALS && second < FIRST_VOWEL + VOWELS)
    return FIRST_SYLLABLE + (initial * VOWELS + second - FIRST_VOWEL) * FINALS
  const syllable = first - FIRST_SYLLABLE
  const isOpen = syllable >= 0 && syllable < SYLLABLES && syllable % FINALS === 0
  return isOpen && second > FINALS_START ? first + second - FINALS_START : 0
}

/** Adds a character to the first `count`, decomposed. Returns how many there are then. */
export function addDecomposed(codes: Int32Array, count: number, code: number): number {
  const [first, second = 0] = decompositions.get(code) ?? []
  const added = first === undefined ? count : addDecomposed(codes, count, first)
  codes[added] = first === undefined ? code : second
  return added + 1
}

/** Sorts and composes the first `count` characters in place. Returns how many are left. */
export function compose(codes: Int32Array, count: number): number {
  sortMarks(codes, count)
  let starter = 0
  let length = Math.min(count, 1)
  let lastRank = 0
  for (let at = 1; at < count; at++) {
    const code = codes[at] ?? 0
    const rank = combiningRankOf(code)
    const isBlocked = length - starter > 1 && lastRank >= rank
    const composed = isBlocked ? 0 : composePair(codes[starter] ?? 0, code)
    if (composed !== 0) codes[starter] = composed
    else {
      if (rank === 0) starter = length
      lastRank = rank
      codes[length++] = code
    }
  }
  return length
}

/** Stable insertion sort. The caller bounds the number of marks. */
function sortMarks(codes: Int32Array, count: number): void {
  for (let end = 1; end < count; end++) {
    const code = codes[end] ?? 0
    const rank = combiningRankOf(code)
    let at = end
    for (; rank > 0 && at > 0 && combiningRankOf(codes[at - 1] ?? 0) > rank; at--)
      codes[at] = codes[at - 1] ?? 0
    codes[at] = code
  }
}

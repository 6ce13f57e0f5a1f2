import { RIGHT_TO_LEFT_OVERRIDE, reverseOverrides } from './bidi.ts'
import { canCompose, combiningRankOf, composePair } from './composition.ts'
import { isAlphabetic, LetterCluster, MAX_MARKS } from './letter-cluster.ts'
import { type Reading, ReadingBuilder } from './reading.ts'
import { NEEDS_NORMALIZATION, Need, plainLetterOf, Role, roleOf } from './roles.ts'
import { isHighHalf, isLowHalf, unitAt, widthOf } from './text.ts'

export type { Reading } from './reading.ts'
export { NEEDS_NORMALIZATION, Need } from './roles.ts'

/** Whether a code unit may need normalization. A text without such a unit reads as it is. */
export const needsNormalization = (unit: number): boolean => NEEDS_NORMALIZATION[unit] !== Need.never

/** Whether a text certainly reads as it is. Costs far less than to normalize it. */
export function isNormalized(text: string): boolean {
  let marks = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const need = NEEDS_NORMALIZATION[unit]
    if (need === Need.never) marks = 0
    else if (need === Need.always || ++marks > MAX_MARKS || changesAt(text, at, unit)) return false
  }
  return true
}

function changesAt(text: string, at: number, unit: number): boolean {
  if (!isHighHalf(unit)) return changesAfter(unitAt(text, at - 1), unit)
  const code = text.codePointAt(at) ?? 0
  return roleOf(code) !== Role.plain || plainLetterOf(code) !== code
}

/** Whether a mark may change, or be dropped, after another character. */
function changesAfter(before: number, mark: number): boolean {
  const rankBefore = combiningRankOf(before)
  if (rankBefore > 0 && (canCompose(mark) || isSortedBefore(mark, rankBefore))) return true
  return isAlphabetic(before) || composePair(before, mark) !== 0
}

function isSortedBefore(mark: number, rankBefore: number): boolean {
  const rank = combiningRankOf(mark)
  return rank > 0 && rank < rankBefore
}

const LONE_HALF = /\p{Surrogate}/gu

/** Reads a text as players see it. Takes linear time and never throws, whatever the text contains. */
export function normalize(text: string): Reading {
  if (!text.includes(RIGHT_TO_LEFT_OVERRIDE)) return readInOrder(text)
  // Reversed halves of surrogate pairs could join to a character that nobody sees.
  const { visual, origins } = reverseOverrides(text.replace(LONE_HALF, '\ufffd'))
  const reading = readInOrder(visual)
  for (let at = 0; at < reading.text.length; at++) mapSpan(reading, at, origins)
  return reading
}

/** Maps the span of a unit to the smallest span of the source that contains it. */
function mapSpan({ starts, ends }: Reading, at: number, origins: Int32Array): void {
  let start = Number.MAX_SAFE_INTEGER
  let end = 0
  for (let index = starts[at] ?? 0; index < (ends[at] ?? 0); index++) {
    const origin = origins[index] ?? 0
    if (origin < start) start = origin
    if (origin >= end) end = origin + 1
  }
  starts[at] = start
  ends[at] = end
}

function readInOrder(text: string): Reading {
  const reading = new ReadingBuilder(text.length)
  let cluster: LetterCluster | undefined
  let at = 0
  while (at < text.length) {
    const plainEnd = endOfPlain(text, at)
    if (plainEnd > at) {
      reading.copy(text, at, plainEnd)
      at = plainEnd
      continue
    }
    const code = text.codePointAt(at) ?? 0
    const end = at + widthOf(code)
    const role = roleOf(code)
    if (role === Role.plain && isEndOfLetter(text, end)) reading.addCode(plainLetterOf(code), at, end)
    else if (role !== Role.invisible && role !== Role.extender) {
      cluster ??= new LetterCluster()
      cluster.start(code, at, end)
      at = collectMarks(text, end, cluster)
      cluster.writeTo(reading)
      continue
    }
    at = end
  }
  return reading.finish()
}

/** The end of the characters that read as they are. The last one before others may belong to them, so it is left out. */
function endOfPlain(text: string, from: number): number {
  let at = from
  while (at < text.length && NEEDS_NORMALIZATION[text.charCodeAt(at)] === Need.never) at++
  if (at === text.length || at <= from + 1) return at === text.length ? at : from
  return isLowHalf(text.charCodeAt(at - 1)) && at - 1 > from ? at - 2 : at - 1
}

function isEndOfLetter(text: string, at: number): boolean {
  if (at >= text.length || NEEDS_NORMALIZATION[text.charCodeAt(at)] === Need.never) return true
  const role = roleOf(text.codePointAt(at) ?? 0)
  return role === Role.plain || role === Role.expanded
}

/** Collects what belongs to a letter. Returns the index after it. */
function collectMarks(text: string, from: number, cluster: LetterCluster): number {
  let at = from
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const end = at + widthOf(code)
    if (cluster.addAm(code, end)) return end
    if (!cluster.add(code, at, end)) return at
    at = end
  }
  return at
}

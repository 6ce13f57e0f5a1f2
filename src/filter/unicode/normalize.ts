import { RIGHT_TO_LEFT_OVERRIDE, reverseOverrides } from './bidi.ts'
import { LetterCluster } from './letter-cluster.ts'
import { type Reading, ReadingBuilder } from './reading.ts'
import { lettersOf, NEEDS_NORMALIZATION, plainLetterOf, Role, roleOf } from './roles.ts'
import { widthOf } from './text.ts'

export type { Reading } from './reading.ts'
export { NEEDS_NORMALIZATION } from './roles.ts'

/** Whether a code unit may need normalization. A text without such a unit reads as it is. */
export const needsNormalization = (unit: number): boolean => NEEDS_NORMALIZATION[unit] === 1

/** Reads a text as players see it. Takes linear time and never throws, whatever the text contains. */
export function normalize(text: string): Reading {
  if (!text.includes(RIGHT_TO_LEFT_OVERRIDE)) return readInOrder(text)
  const { visual, origins } = reverseOverrides(text)
  const reading = readInOrder(visual)
  for (let at = 0; at < reading.text.length; at++) mapSpan(reading, at, origins)
  return reading
}

/** Maps the span of a unit to the smallest span of the source that contains it. */
function mapSpan({ starts, ends }: Reading, at: number, origins: Int32Array): void {
  let start = Number.POSITIVE_INFINITY
  let end = 0
  for (let index = starts[at] ?? 0; index < (ends[at] ?? 0); index++) {
    start = Math.min(start, origins[index] ?? 0)
    end = Math.max(end, (origins[index] ?? 0) + 1)
  }
  starts[at] = start
  ends[at] = end
}

function readInOrder(text: string): Reading {
  const reading = new ReadingBuilder(text.length)
  const cluster = new LetterCluster()
  let at = 0
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const end = at + widthOf(code)
    const role = roleOf(code)
    if (role === Role.extender) reading.extendOver(at, end)
    else if (role === Role.plain && isEndOfLetter(text, end)) reading.addCode(plainLetterOf(code), at, end)
    else if (role !== Role.invisible) {
      cluster.start(lettersOf(code), at, end)
      at = collectMarks(text, end, cluster)
      cluster.writeTo(reading)
      continue
    }
    at = end
  }
  return reading.finish()
}

function isEndOfLetter(text: string, at: number): boolean {
  const role = at < text.length ? roleOf(text.codePointAt(at) ?? 0) : Role.plain
  return role === Role.plain || role === Role.expanded
}

/** Collects what belongs to a letter. Returns the index after it. */
function collectMarks(text: string, from: number, cluster: LetterCluster): number {
  let at = from
  while (at < text.length) {
    const code = text.codePointAt(at) ?? 0
    const end = at + widthOf(code)
    if (cluster.addAm(code, at, end)) return end
    if (!cluster.add(code, at, end)) return at
    at = end
  }
  return at
}

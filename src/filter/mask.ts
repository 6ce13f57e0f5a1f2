import { graphemeSegments } from 'unicode-segmenter/grapheme'
import { unitAt } from './unicode/text.ts'

interface Span {
  readonly start: number
  readonly end: number
}

/** Code units that are always one user-perceived character: ASCII, kana, Han and Hangul in their usual forms. */
const isSimple = (unit: number) =>
  (unit >= 0x20 && unit <= 0x7e) ||
  unit === 0x0a ||
  (unit >= 0x3041 && unit <= 0x3096) ||
  (unit >= 0x30a1 && unit <= 0x30fa) ||
  (unit >= 0x3131 && unit <= 0x3163) ||
  (unit >= 0x4e00 && unit <= 0x9fff) ||
  (unit >= 0xac00 && unit <= 0xd7a3)

/**
 * Replaces each user-perceived character that a span touches by `*`. Spans must be in order of both their starts and
 * their ends; they may overlap.
 */
export function maskSpans(text: string, spans: readonly Span[]): string {
  for (const { start, end } of spans)
    if (!areSimple(text, start - 1, end + 1)) return maskGraphemes(text, spans)
  return maskUnits(text, spans)
}

/** The range includes the neighbours of a span, which could combine with it. */
function areSimple(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSimple(unitAt(text, at))) return false
  return true
}

const MAX_STARS = 64
const STARS: readonly string[] = Array.from({ length: MAX_STARS }, (_, count) => '*'.repeat(count))

function maskUnits(text: string, spans: readonly Span[]): string {
  let masked = ''
  let at = 0
  for (const { start, end } of spans) {
    const from = Math.max(at, start)
    masked += text.slice(at, from) + (STARS[end - from] ?? '*'.repeat(end - from))
    at = end
  }
  return at === text.length ? masked : masked + text.slice(at)
}

function maskGraphemes(text: string, spans: readonly Span[]): string {
  let masked = ''
  let next = 0
  for (const { segment, index } of graphemeSegments(text)) {
    while ((spans[next]?.end ?? text.length) <= index) next++
    masked += index + segment.length > (spans[next]?.start ?? text.length) ? '*' : segment
  }
  return masked
}

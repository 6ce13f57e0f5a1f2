import { graphemeSegments } from 'unicode-segmenter/grapheme'

interface Span {
  readonly start: number
  readonly end: number
}

/** Characters that a person sees as one each: ASCII, kana, Han and Hangul as they are mostly written. */
const SIMPLE = /^[\n\x20-\x7e\u3041-\u3096\u30a1-\u30fa\u3131-\u3163\u4e00-\u9fff\uac00-\ud7a3]*$/

/** Puts a `*` for each character that a person sees and that any of the spans touches; they are in order. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  return SIMPLE.test(text) ? maskUnits(text, spans) : maskGraphemes(text, spans)
}

function maskUnits(text: string, spans: readonly Span[]): string {
  let masked = ''
  let at = 0
  for (const { start, end } of spans) {
    masked += text.slice(at, start) + '*'.repeat(end - start)
    at = end
  }
  return masked + text.slice(at)
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

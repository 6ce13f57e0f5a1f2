import { splitGraphemes } from 'unicode-segmenter/grapheme'

export const RIGHT_TO_LEFT_OVERRIDE = '\u202e'
const POP = '\u202c'
const EMBEDDINGS = '\u202a\u202b\u202d\u202e'
const NEWLINES = '\n\r\u0085\u2028\u2029'

/** A text in the order in which it is displayed, and the index in the source of each of its code units. */
interface VisualText {
  readonly visual: string
  readonly origins: Int32Array
}

/** Reverses what a right-to-left override applies to, grapheme by grapheme, and drops the override. */
export function reverseOverrides(text: string): VisualText {
  const parts: string[] = []
  const origins = new Int32Array(text.length)
  let length = 0
  const append = (start: number, end: number) => {
    parts.push(text.slice(start, end))
    for (let at = start; at < end; at++) origins[length++] = at
  }
  let at = 0
  while (at < text.length) {
    const override = text.indexOf(RIGHT_TO_LEFT_OVERRIDE, at)
    append(at, override < 0 ? text.length : override)
    if (override < 0) break
    const end = endOfOverride(text, override + 1)
    let last = end
    for (const length of graphemeLengths(text.slice(override + 1, end)).reverse()) {
      append(last - length, last)
      last -= length
    }
    at = text[end] === POP ? end + 1 : end
  }
  return { visual: parts.join(''), origins: origins.subarray(0, length) }
}

const SIMPLE = /^[ -~]*$/

/** The lengths of the grapheme clusters of a text. */
const graphemeLengths = (text: string): number[] =>
  SIMPLE.test(text)
    ? new Array(text.length).fill(1)
    : Array.from(splitGraphemes(text), (grapheme) => grapheme.length)

/** The index of whatever ends an override that starts before `from`. */
function endOfOverride(text: string, from: number): number {
  let depth = 1
  let at = from
  for (; at < text.length; at++) {
    const character = text.charAt(at)
    if (NEWLINES.includes(character)) break
    if (EMBEDDINGS.includes(character)) depth++
    else if (character === POP && --depth === 0) break
  }
  return at
}

/**
 * A plain matcher: whole words, whatever their case, one leading or trailing `*` opens that side. It imports nothing, so
 * its types stand here again in the shape that the core asks for.
 */
interface List {
  readonly language: string
  readonly expressions: readonly string[]
}

interface Hit {
  readonly start: number
  readonly end: number
  readonly expression: string
  readonly language: string
}

interface Pattern {
  readonly language: string
  readonly expression: string
  readonly folded: string
  readonly isOpenBefore: boolean
  readonly isOpenAfter: boolean
}

const EVERY_LANGUAGE = 'all'
const WORD = /[\p{L}\p{N}\p{M}]/u
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** In lower case, unit by unit: a few letters would change their length, and then nothing could be pointed at. */
function fold(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  const foldOne = (letter: string) =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter
  return Array.from(text, foldOne).join('')
}

const keyOf = (language: string) => fold(language).replaceAll('_', '-')

/** The patterns of one language by the first unit of their word, so that a long list costs a message little. */
type Index = ReadonlyMap<number, readonly Pattern[]>

export function compilePlainFilter(lists: readonly List[]) {
  const byLanguage = new Map(lists.map((list) => [keyOf(list.language), index(list)]))
  return {
    clean(text: string, language: string) {
      const indexes = applicable(language).flatMap((key) => byLanguage.get(key) ?? [])
      const hits = indexes.length === 0 ? [] : find(text, indexes)
      return { text: hits.length === 0 ? text : mask(text, hits), hits }
    },
  }
}

function index(list: List): Index {
  const patterns = list.expressions.map((each) => compile(each, list)).filter(({ folded }) => folded !== '')
  return Map.groupBy(patterns, ({ folded }) => folded.charCodeAt(0))
}

/** `all`, the tag and its parents. */
function applicable(language: string): string[] {
  const parts = keyOf(language).split('-')
  return [...new Set([EVERY_LANGUAGE, ...parts.map((_, index) => parts.slice(0, index + 1).join('-'))])]
}

function compile(expression: string, { language }: List): Pattern {
  const isOpenBefore = expression.length > 1 && expression.startsWith('*')
  const isOpenAfter = expression.length > 1 && expression.endsWith('*')
  const word = expression.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined)
  return { language, expression, folded: fold(word), isOpenBefore, isOpenAfter }
}

function find(text: string, indexes: readonly Index[]): Hit[] {
  const folded = fold(text)
  const hits: Hit[] = []
  for (let start = 0; start < folded.length; start++) {
    for (const patterns of indexes) {
      for (const { language, expression, folded: word, ...sides } of patterns.get(folded.charCodeAt(start)) ??
        []) {
        const end = start + word.length
        if (!folded.startsWith(word, start)) continue
        const begins = sides.isOpenBefore || !isWithinWord(folded, start)
        if (begins && (sides.isOpenAfter || !isWithinWord(folded, end)))
          hits.push({ start, end, expression, language })
      }
    }
  }
  return hits
}

/** Whether a word goes on across a place in the text. */
function isWithinWord(text: string, index: number): boolean {
  const before = [...text.slice(Math.max(0, index - 2), index)].at(-1)
  const after = String.fromCodePoint(text.codePointAt(index) ?? 0x20)
  return before !== undefined && WORD.test(before) && WORD.test(after)
}

export function mask(text: string, hits: readonly Hit[]): string {
  let masked = ''
  for (const { segment, index } of GRAPHEMES.segment(text)) {
    const isHit = hits.some(({ start, end }) => index < end && index + segment.length > start)
    masked += isHit ? '*' : segment
  }
  return masked
}

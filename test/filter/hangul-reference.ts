import { INVISIBLE, spell } from './hangul.ts'
import { type Span, settle } from './reference.ts'

interface Seen {
  readonly kind: 'syllable' | 'jamo' | 'digit' | 'separator'
  readonly letters: string
  readonly start: number
}

const isSyllable = (character: string) => /[가-힣]/.test(character)
const isHangul = (each: Seen | undefined) => each?.kind === 'syllable' || each?.kind === 'jamo'

function look(text: string): Seen[] {
  return Array.from(text, (character, start): Seen & { character: string } => ({
    character,
    kind: isSyllable(character)
      ? 'syllable'
      : /[ㄱ-ㅣ]/.test(character)
        ? 'jamo'
        : /\d/.test(character)
          ? 'digit'
          : 'separator',
    letters: spell(character),
    start,
  })).filter(({ character }) => character !== INVISIBLE)
}

/** A letter of an expression, and whether a syllable begins with it; or a gap between two words. */
type Part = { readonly letter: string; readonly isStart: boolean } | 'gap'

const MAX_FILLERS = 2

/** What the expressions forbid in a text of Hangul. */
export function findHangulByForce(expressions: readonly string[], text: string): Span[] {
  const seen = look(text)
  const spans = expressions.flatMap((each) => findOne(each, seen))
  const hangul = seen.filter(isHangul)
  const closed = hangul.map((each, start) => ({ ...each, start }))
  const gapped = expressions
    .flatMap((each) => findOne(each, closed))
    .map(({ start, end }) => ({
      start: hangul[start]!.start,
      end: hangul[end - 1]!.start + 1,
      length: end - start,
    }))
    .filter(({ start, end, length }) => end - start > length && isWholeGap(text, start, end))
  return settle([...spans, ...gapped].map(({ start, end }) => ({ start, end })))
}

/** Signs and digits may stand between letters, or spaces between letters that stand alone. */
function isWholeGap(text: string, start: number, end: number): boolean {
  const inner = text.slice(start, end)
  const before = look(text.slice(0, start)).at(-1)?.kind ?? 'separator'
  const after = look(text.slice(end)).at(0)?.kind
  if (/[,()[\]\n]/.test(inner)) return false
  if (!inner.includes(' ')) return before !== 'digit'
  const isAlone = before === 'separator' && after !== 'syllable'
  return isAlone && inner.split(/ +/).every((piece) => piece.length === 1)
}

const findOne = (expression: string, seen: readonly Seen[]): Span[] =>
  isSyllable(expression.charAt(0)) ? findSyllables(expression, seen) : findLoose(expression, seen)

/** Loose letters, each at least as often as listed. One by itself must stand alone. */
function findLoose(expression: string, seen: readonly Seen[]): Span[] {
  const runs = Array.from(expression.matchAll(/(.)\1*/g), ([run, letter]) => ({ letter, count: run.length }))
  return seen.flatMap((first, from) => {
    const isLetter = (at: number, letter: string | undefined) =>
      seen[at]?.kind === 'jamo' && seen[at].letters === letter
    if (isLetter(from - 1, runs[0]?.letter)) return []
    let at = from
    for (const { letter, count } of runs) {
      const start = at
      while (isLetter(at, letter)) at++
      if (at - start < count) return []
    }
    const isAlone = [seen[from - 1], seen[at]].every(
      (each) => each === undefined || each.kind === 'separator',
    )
    return expression.length > 1 || isAlone ? [{ start: first.start, end: seen[at - 1]!.start + 1 }] : []
  })
}

function findSyllables(expression: string, seen: readonly Seen[]): Span[] {
  const parts = Array.from(expression, (syllable): Part[] =>
    syllable === ' '
      ? ['gap']
      : Array.from(spell(syllable), (letter, place) => ({ letter, isStart: place === 0 })),
  ).flat()
  const isSingle = parts.filter((part) => part !== 'gap' && part.isStart).length === 1
  return seen.flatMap((first, from) => {
    const before = seen[from - 1]?.kind
    const isRepeated = seen[from - 1]?.letters === first.letters
    if (before === 'digit' || (before === 'syllable' && isSingle && !isRepeated)) return []
    const match = new Match(seen, parts)
    return match.endsFrom(from, 0, 0).map((end) => ({ start: first.start, end: seen[end - 1]!.start + 1 }))
  })
}

/** Every way to read characters as the letters of an expression. */
class Match {
  readonly #seen: readonly Seen[]
  readonly #parts: readonly Part[]

  constructor(seen: readonly Seen[], parts: readonly Part[]) {
    this.#seen = seen
    this.#parts = parts
  }

  endsFrom(at: number, place: number, fillers: number): number[] {
    const part = this.#parts[place]
    if (part === undefined) return [at]
    if (part === 'gap') return this.#endsBehindGap(at, place, fillers)
    const each = this.#seen[at]
    if (each === undefined || !isHangul(each)) return []
    const { letters } = each
    return [
      ...(this.#canTake(at, place) ? this.endsFrom(at + 1, place + letters.length, fillers) : []),
      ...(this.#isFiller(at, place) && fillers < MAX_FILLERS
        ? this.endsFrom(at + 1, place, fillers + 1)
        : []),
      ...(this.#isDrawnOut(at, place) ? this.#endsBehindFinal(at, place, fillers) : []),
    ]
  }

  #endsBehindGap(at: number, place: number, fillers: number): number[] {
    let next = at
    while (this.#seen[next]?.kind === 'separator') next++
    if (next > at) return this.endsFrom(next, place + 1, fillers)
    const isDrawnOut = isHangul(this.#seen[at]) && this.#isDrawnOut(at, place)
    return isDrawnOut && this.#seen[at]?.letters.length === 2 ? this.endsFrom(at + 1, place, fillers) : []
  }

  /** A syllable must begin where one of the expression does. */
  #canTake(at: number, place: number): boolean {
    const { kind, letters } = this.#seen[at]!
    const isThere = Array.from(letters).every((letter, index) => this.#letterAt(place + index) === letter)
    if (kind === 'syllable') return isThere && this.#isStart(place)
    const before = this.#seen[at - 1]
    const isEcho = before?.kind === 'syllable' && before.letters.endsWith(letters)
    return isThere && !(this.#isStart(place + 1) && isEcho)
  }

  /** A loose letter behind a syllable that says its end again, or the beginning of the next one before. */
  #isFiller(at: number, place: number): boolean {
    const [before, { kind, letters }] = [this.#seen[at - 1], this.#seen[at]!]
    if (kind === 'jamo' && this.#isRepeated(at, place)) return true
    if (kind === 'jamo' && place > 0 && this.#isAgain(at) && this.#isFiller(at - 1, place)) return true
    const isBetween = kind === 'jamo' && place > 0 && this.#isStart(place) && before?.kind === 'syllable'
    return isBetween && (before.letters.endsWith(letters) || this.#letterAt(place) === letters)
  }

  /** A loose letter that stands there once more. */
  #isRepeated(at: number, place: number): boolean {
    const { letters } = this.#seen[at]!
    return (
      place > 1 &&
      this.#isAgain(at) &&
      this.#letterAt(place - 1) === letters &&
      this.#letterAt(place - 2) !== letters
    )
  }

  #isAgain(at: number): boolean {
    const [before, each] = [this.#seen[at - 1], this.#seen[at]!]
    return before?.kind === 'jamo' && before.letters === each.letters
  }

  /** A syllable that only draws out the vowel of the one before: `이` in `시이발`. */
  #isDrawnOut(at: number, place: number): boolean {
    const [before, each] = [this.#seen[at - 1], this.#seen[at]!]
    const isNext = before?.kind === 'syllable' && before.letters.length === 2
    return (
      place > 0 &&
      isNext &&
      each.kind === 'syllable' &&
      each.letters.startsWith(`ㅇ${before.letters.charAt(1)}`)
    )
  }

  #endsBehindFinal(at: number, place: number, fillers: number): number[] {
    const final = this.#seen[at]!.letters.slice(2)
    if (final === '') return this.endsFrom(at + 1, place, fillers)
    return this.#letterAt(place) === final ? this.endsFrom(at + 1, place + 1, fillers) : []
  }

  #letterAt(place: number): string | undefined {
    const part = this.#parts[place]
    return part === 'gap' ? undefined : part?.letter
  }

  #isStart(place: number): boolean {
    const part = this.#parts[place]
    return part !== undefined && part !== 'gap' && part.isStart
  }
}

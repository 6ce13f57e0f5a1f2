/**
 * The expressions of a list as one text with one on each line; none holds a line break. A text goes from thread to
 * thread at next to no cost, where an array of a hundred thousand would hold the loop.
 */
export interface Expressions {
  readonly text: string
  readonly count: number
}

const LINE_BREAK = '\n'

export const packExpressions = (expressions: readonly string[]): Expressions => ({
  text: expressions.join(LINE_BREAK),
  count: expressions.length,
})

export const unpackExpressions = ({ text, count }: Expressions): string[] =>
  count === 0 ? [] : text.split(LINE_BREAK)

/** What a piece is at least, in UTF-16 units. */
const PIECE = 16_384

/** The expressions in pieces, each of them work for less than a millisecond. */
export function* chunksOf({ text, count }: Expressions): Generator<string[]> {
  for (let start = 0; count > 0 && start <= text.length; ) {
    const found = text.indexOf(LINE_BREAK, start + PIECE)
    const end = found === -1 ? text.length : found
    yield text.slice(start, end).split(LINE_BREAK)
    start = end + LINE_BREAK.length
  }
}

/** Finds expressions by their place in the list. */
export class ExpressionIndex {
  readonly #expressions: Expressions
  /** Where each line begins, once one was asked for. */
  #starts: Int32Array | undefined

  constructor(expressions: Expressions) {
    this.#expressions = expressions
  }

  at(place: number): string | undefined {
    this.#starts ??= this.#findStarts()
    const [start, next] = [this.#starts[place], this.#starts[place + 1]]
    if (start === undefined || next === undefined) return undefined
    return this.#expressions.text.slice(start, next - LINE_BREAK.length)
  }

  #findStarts(): Int32Array {
    const { text, count } = this.#expressions
    const starts = new Int32Array(count + 1)
    for (let place = 1; place < count; place++)
      starts[place] = text.indexOf(LINE_BREAK, starts[place - 1]) + LINE_BREAK.length
    starts[count] = text.length + LINE_BREAK.length
    return starts
  }
}

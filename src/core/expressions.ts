/**
 * The expressions of a list, one per line; expressions contain no line breaks. Passing one string between workers is
 * cheap, while cloning an array of a hundred thousand strings would block the event loop.
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

/** Minimum size of a chunk in UTF-16 code units. */
const CHUNK_SIZE = 16_384

/** Yields the expressions in chunks that each take less than a millisecond to process. */
export function* chunksOf({ text, count }: Expressions): Generator<string[]> {
  for (let start = 0; count > 0 && start <= text.length; ) {
    const found = text.indexOf(LINE_BREAK, start + CHUNK_SIZE)
    const end = found === -1 ? text.length : found
    yield text.slice(start, end).split(LINE_BREAK)
    start = end + LINE_BREAK.length
  }
}

/** Looks up expressions by their index in the list. */
export class ExpressionIndex {
  readonly #expressions: Expressions
  /** Start offsets of the lines, computed on first use. */
  #starts: Int32Array | undefined

  constructor(expressions: Expressions) {
    this.#expressions = expressions
  }

  at(index: number): string | undefined {
    this.#starts ??= this.#findStarts()
    const [start, next] = [this.#starts[index], this.#starts[index + 1]]
    if (start === undefined || next === undefined) return undefined
    return this.#expressions.text.slice(start, next - LINE_BREAK.length)
  }

  #findStarts(): Int32Array {
    const { text, count } = this.#expressions
    const starts = new Int32Array(count + 1)
    for (let index = 1; index < count; index++)
      starts[index] = text.indexOf(LINE_BREAK, starts[index - 1]) + LINE_BREAK.length
    starts[count] = text.length + LINE_BREAK.length
    return starts
  }
}

import { TimeSlice } from '../core/time-slice.ts'
import type { CompressedVariants } from './compression.ts'
import { RequestError } from './errors.ts'

/** Where an item stands in its list, so that the next page begins behind it even when it is gone. */
export type Position = readonly (string | number)[]

/** A position and the name of the list it belongs to. */
export type Cursor = readonly [list: string, ...position: Position]

/** The part of a list that a caller asked for. */
export interface Page {
  readonly limit: number
  readonly cursor: Cursor | undefined
}

/** How a list of one kind is shown and paged. */
export interface ListShape<T> {
  readonly name: string
  /** An item as JSON, in pieces when it may be long. */
  readonly render: (item: T) => Iterable<string>
  readonly position: (item: T) => Position
  readonly isAfter: (item: T, position: Position) => boolean
  /** The types that a position is made of. */
  readonly positionTypes: readonly ('string' | 'number')[]
}

export interface RenderedList {
  readonly body: string
  /** Where the next page begins, when there is one. */
  readonly next: Cursor | undefined
  /** Of a list that is kept. */
  readonly variants?: CompressedVariants
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

/** `limit` and `cursor` of a query; undefined when neither is there, which asks for the whole list. */
export function readPage({ limit, cursor }: Readonly<Record<string, string>>): Page | undefined {
  if (limit === undefined && cursor === undefined) return undefined
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : readLimit(limit),
    cursor: cursor === undefined ? undefined : readCursor(cursor),
  }
}

function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX_LIMIT) throw new RequestError('invalid', 'limit')
  return limit
}

export const writeCursor = (cursor: Cursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

function readCursor(text: string): Cursor {
  const cursor = decodeCursor(text)
  if (!isCursor(cursor)) throw new RequestError('bad-cursor')
  return cursor
}

const isCursor = (value: unknown): value is Cursor => Array.isArray(value) && typeof value[0] === 'string'

function decodeCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** The position behind which a page begins. Refuses the cursor of another list. */
export function startOf<T>(
  { name, positionTypes }: ListShape<T>,
  page: Page | undefined,
): Position | undefined {
  if (page?.cursor === undefined) return undefined
  const [list, ...position] = page.cursor
  const fits =
    position.length === positionTypes.length && position.every((part, i) => typeof part === positionTypes[i])
  if (list !== name || !fits) throw new RequestError('bad-cursor')
  return position
}

/** Renders the page of a list that is all in `items`. */
export function renderPage<T>(
  shape: ListShape<T>,
  items: readonly T[],
  page: Page | undefined,
): Promise<RenderedList> {
  const after = startOf(shape, page)
  const start = after === undefined ? 0 : items.findIndex((item) => shape.isAfter(item, after))
  return renderFirst(shape, start === -1 ? [] : items.slice(start), page?.limit)
}

/** Renders the first `limit` items; that there are more of them makes a next page. */
export async function renderFirst<T>(
  shape: ListShape<T>,
  items: readonly T[],
  limit = items.length,
): Promise<RenderedList> {
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  const next =
    items.length > limit && last !== undefined ? ([shape.name, ...shape.position(last)] as const) : undefined
  return { body: await renderArray(shown, shape.render), next }
}

/** Renders the first `limit` items of a list that comes in slices, of which none is kept. */
export async function renderSlices<T>(
  shape: ListShape<T>,
  slices: AsyncIterable<readonly T[]>,
  limit = Number.POSITIVE_INFINITY,
): Promise<RenderedList> {
  const pieces: string[] = []
  let left = limit
  let last: T | undefined
  for await (const slice of slices) {
    const shown = slice.slice(0, left)
    left -= shown.length
    last = shown.at(-1) ?? last
    const piece = (await renderArray(shown, shape.render)).slice(1, -1)
    if (piece !== '') pieces.push(piece)
    if (shown.length < slice.length && last !== undefined)
      return { body: `[${pieces.join()}]`, next: [shape.name, ...shape.position(last)] }
  }
  return { body: `[${pieces.join()}]`, next: undefined }
}

/** Keeps what was rendered of whole lists, and its compressed variants, for as long as they stay the same array. */
export class RenderCache {
  readonly #kept = new WeakMap<object, RenderedList | Promise<RenderedList>>()

  render<T>(
    shape: ListShape<T>,
    items: readonly T[],
    page: Page | undefined,
  ): RenderedList | Promise<RenderedList> {
    if (page !== undefined) return renderPage(shape, items, page)
    return this.#kept.get(items) ?? this.#keep(shape, items)
  }

  /** Whoever asks while it is being rendered waits for the same. */
  #keep<T>(shape: ListShape<T>, items: readonly T[]): Promise<RenderedList> {
    const rendering = renderFirst(shape, items).then((rendered) => {
      const kept = { ...rendered, variants: new Map() }
      this.#kept.set(items, kept)
      return kept
    })
    this.#kept.set(items, rendering)
    rendering.catch(() => this.#kept.delete(items))
    return rendering
  }
}

/** A JSON array, made in slices. */
export async function renderArray<T>(
  items: readonly T[],
  render: (item: T) => Iterable<string>,
): Promise<string> {
  return renderPieces(arrayPieces(items, render))
}

/** A text of many pieces, made in slices. */
export async function renderPieces(pieces: Iterable<string>): Promise<string> {
  const made: string[] = []
  const slice = new TimeSlice()
  for (const piece of pieces) {
    made.push(piece)
    if (slice.isOver) await slice.renew()
  }
  return made.join('')
}

function* arrayPieces<T>(items: readonly T[], render: (item: T) => Iterable<string>): Generator<string> {
  let opening = '['
  for (const item of items) {
    yield opening
    yield* render(item)
    opening = ','
  }
  yield items.length === 0 ? '[]' : ']'
}

import { RequestError } from './errors.ts'

/** Where an item stands in its list, so that the next page begins behind it even when it is gone. */
export type Position = readonly (string | number)[]

/** The part of a list that a caller asked for. */
export interface Page {
  readonly limit: number
  readonly after: Position | undefined
}

/** How a list of one kind is shown and paged. */
export interface ListShape<T> {
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
  readonly next: Position | undefined
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

/** `limit` and `cursor` of a query; undefined when neither is there, which asks for the whole list. */
export function readPage(query: URLSearchParams): Page | undefined {
  const limit = query.get('limit')
  const cursor = query.get('cursor')
  if (limit === null && cursor === null) return undefined
  return {
    limit: limit === null ? DEFAULT_LIMIT : readLimit(limit),
    after: cursor === null ? undefined : readCursor(cursor),
  }
}

function readLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX_LIMIT) throw new RequestError('invalid', 'limit')
  return limit
}

export const writeCursor = (position: Position) => Buffer.from(JSON.stringify(position)).toString('base64url')

function readCursor(text: string): Position {
  const position = decodeCursor(text)
  const isPosition =
    Array.isArray(position) && position.every((part) => typeof part === 'string' || Number.isFinite(part))
  if (!isPosition) throw new RequestError('bad-cursor')
  return position
}

function decodeCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** The position behind which a page begins. Refuses the cursor of another kind of list. */
export function startOf<T>({ positionTypes }: ListShape<T>, page: Page | undefined): Position | undefined {
  const after = page?.after
  if (after === undefined) return undefined
  const fits =
    after.length === positionTypes.length && after.every((part, i) => typeof part === positionTypes[i])
  if (!fits) throw new RequestError('bad-cursor')
  return after
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
  const next = items.length > limit && last !== undefined ? shape.position(last) : undefined
  return { body: await join(shown, shape.render), next }
}

/** Keeps what was rendered of whole lists for as long as they stay the same array. */
export class KeptLists {
  readonly #kept = new WeakMap<object, RenderedList>()

  render<T>(
    shape: ListShape<T>,
    items: readonly T[],
    page: Page | undefined,
  ): RenderedList | Promise<RenderedList> {
    if (page !== undefined) return renderPage(shape, items, page)
    return this.#kept.get(items) ?? this.#keep(shape, items)
  }

  async #keep<T>(shape: ListShape<T>, items: readonly T[]): Promise<RenderedList> {
    const rendered = await renderFirst(shape, items)
    this.#kept.set(items, rendered)
    return rendered
  }
}

/** After this long at work on one list, other requests get their turn. */
const SLICE_MS = 5

async function join<T>(items: readonly T[], render: (item: T) => Iterable<string>): Promise<string> {
  const pieces: string[] = []
  let sliceEnd = performance.now() + SLICE_MS
  for (const [index, item] of items.entries()) {
    if (index > 0) pieces.push(',')
    for (const piece of render(item)) {
      pieces.push(piece)
      if (performance.now() < sliceEnd) continue
      await new Promise((resolve) => setImmediate(resolve))
      sliceEnd = performance.now() + SLICE_MS
    }
  }
  return `[${pieces.join('')}]`
}

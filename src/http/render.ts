import { TimeSlice } from '../core/time-slice.ts'
import type { CompressedVariants } from './compression.ts'
import { type Cursor, cursorAfter, type ListShape, type Page, startOf } from './paging.ts'
import type { ChunkSource } from './streams/stream.ts'
import type { Turns } from './turns.ts'

/** Rendering of lists as JSON in time slices, so that a long list never blocks the event loop. */

export interface RenderedList {
  readonly body: string
  /** The cursor of the next page, if there is one. */
  readonly next: Cursor | undefined
  /** Set when the body is cached. */
  readonly variants?: CompressedVariants
}

/** Renders the requested page of a list whose items are all in `items`. */
export function renderPage<T>(
  shape: ListShape<T>,
  items: readonly T[],
  page: Page | undefined,
): Promise<RenderedList> {
  const after = startOf(shape, page)
  const start = after === undefined ? 0 : items.findIndex((item) => shape.isAfter(item, after))
  return renderFirst(shape, start === -1 ? [] : items.slice(start), page?.limit)
}

/** Renders the first `limit` items. If there are more, the result has a next page. */
export async function renderFirst<T>(
  shape: ListShape<T>,
  items: readonly T[],
  limit = items.length,
): Promise<RenderedList> {
  const shown = items.slice(0, limit)
  const last = shown.at(-1)
  const next = items.length > limit && last !== undefined ? cursorAfter(shape, last) : undefined
  return { body: await renderArray(shown, shape.render), next }
}

type Slices<T> = AsyncGenerator<readonly T[], void> | Generator<readonly T[], void>

/** Renders a list that is read in slices: the first `limit` items, or a stream of all, which takes turns with others. */
export const renderSlices = <T>(
  shape: ListShape<T>,
  slices: Slices<T>,
  { limit, turns }: { limit?: number | undefined; turns: Turns },
) => (limit === undefined ? streamSlices(shape, slices, turns) : collectSlices(shape, slices, limit))

async function collectSlices<T>(
  shape: ListShape<T>,
  slices: Slices<T>,
  limit: number,
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
      return { body: `[${pieces.join()}]`, next: cursorAfter(shape, last) }
  }
  return { body: `[${pieces.join()}]`, next: undefined }
}

/**
 * Streams a list that is read in slices, so that memory holds two of them, however long the list is. A list of one slice
 * is a plain body. Resolves when the first slices are read: a store that fails by then gives an error response.
 */
async function streamSlices<T>(
  { render }: ListShape<T>,
  slices: Slices<T>,
  turns: Turns,
): Promise<RenderedList | { readonly stream: ChunkSource }> {
  await turns.next()
  const first = await slices.next()
  await turns.next()
  const second = await slices.next()
  const head = await renderArray(first.value ?? [], render)
  if (second.done) return { body: head, next: undefined }
  return { stream: arrayChunks(head.slice(0, -1), second.value, { slices, render, turns }) }
}

/** Continues an array whose beginning is `head`. Reading and rendering a slice take a turn each. */
async function* arrayChunks<T>(
  head: string,
  second: readonly T[],
  { slices, render, turns }: { slices: Slices<T>; render: ListShape<T>['render']; turns: Turns },
): AsyncGenerator<string> {
  yield head
  try {
    let separator = head === '[' ? '' : ','
    for (let slice = second; ; ) {
      await turns.next()
      if (slice.length > 0) {
        yield separator + (await renderArray(slice, render)).slice(1, -1)
        separator = ','
      }
      await turns.next()
      const next = await slices.next()
      if (next.done) return yield ']'
      slice = next.value
    }
  } finally {
    await slices.return(undefined)
  }
}

export async function renderArray<T>(
  items: readonly T[],
  render: (item: T) => Iterable<string>,
): Promise<string> {
  return joinPieces(arrayPieces(items, render))
}

/** Concatenates pieces in time slices. */
export async function joinPieces(pieces: Iterable<string>): Promise<string> {
  const joined: string[] = []
  const slice = new TimeSlice()
  for (const piece of pieces) {
    joined.push(piece)
    if (slice.isOver) await slice.renew()
  }
  return joined.join('')
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

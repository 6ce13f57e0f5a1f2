import { RequestError } from './errors.ts'

/** The sort key of an item. The next page starts after it, even if the item was deleted since. */
export type Position = readonly (string | number)[]

/** A position and the name of the list it belongs to. */
export type Cursor = readonly [list: string, ...position: Position]

/** The page that a client requested. */
export interface Page {
  readonly limit: number
  readonly cursor: Cursor | undefined
}

/** How the items of a list are rendered and ordered. */
export interface ListShape<T> {
  readonly name: string
  /** Renders an item as JSON, in pieces when it may be long. */
  readonly render: (item: T) => Iterable<string>
  readonly position: (item: T) => Position
  readonly isAfter: (item: T, position: Position) => boolean
  /** The types of the parts of a position, to validate cursors with. */
  readonly positionTypes: readonly ('string' | 'number')[]
}

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000

/** Reads `limit` and `cursor` of a query; undefined when both are absent, which requests the whole list. */
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

/** The cursor of the page after an item. */
export const cursorAfter = <T>({ name, position }: ListShape<T>, item: T): Cursor => [name, ...position(item)]

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

/** The position that a page starts after. Rejects the cursor of another list. */
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

import type { Timestamp } from '../model.ts'
import type { FactStore, StoredFilterList } from '../ports/fact-store.ts'
import { BanIndex } from './ban-index.ts'
import { ChannelIndex } from './channel-index.ts'
import { StateTables } from './tables.ts'

/** Bounds how long one page blocks the event loop. */
const CHANNELS_PER_PAGE = 1000
const BANS_PER_PAGE = 10_000
export const CHANGES_PER_PAGE = 1000

export type StateSource = Pick<
  FactStore,
  'readVersion' | 'listChannels' | 'listActiveBans' | 'listFilterLists' | 'readChanges'
>

/**
 * Loads the state in slices. Pages may contain writes that were committed after the first page was read. The changes
 * since then are applied on top, so that the result is consistent.
 */
export async function loadTables(store: StateSource, at: Timestamp): Promise<StateTables> {
  for (;;) {
    const tables = await loadPages(store, at)
    if (await applyChanges(store, tables)) return tables
  }
}

async function loadPages(store: StateSource, at: Timestamp): Promise<StateTables> {
  const version = await store.readVersion()
  const channels = await ChannelIndex.load(
    readPages(CHANNELS_PER_PAGE, (after, limit) => store.listChannels({ after, limit })),
  )
  const bans = await BanIndex.load(
    readPages(BANS_PER_PAGE, (after, limit) => store.listActiveBans({ at, after, limit })),
  )
  const tables = new StateTables(version, channels, bans)
  const filterLists = readPages<StoredFilterList>(1, (after, limit) =>
    store.listFilterLists({ after: after?.list, limit }),
  )
  for await (const page of filterLists)
    for (const { list, version: edited } of page) tables.filters[list.kind].set(list, edited)
  return tables
}

/** Returns false if changes were already deleted from the store. */
async function applyChanges(store: StateSource, tables: StateTables): Promise<boolean> {
  for (;;) {
    const changes = await store.readChanges(tables.version, CHANGES_PER_PAGE)
    if (changes === undefined) return false
    for (const change of changes) tables.apply(change)
    if (changes.length < CHANGES_PER_PAGE) return true
  }
}

/** Reads the next page while the caller handles the current one. */
async function* readPages<T>(
  limit: number,
  read: (after: T | undefined, limit: number) => Promise<readonly T[]>,
): AsyncGenerator<readonly T[]> {
  let next: Promise<readonly T[]> | undefined = read(undefined, limit)
  while (next !== undefined) {
    const page: readonly T[] = await next
    next = page.length < limit ? undefined : read(page.at(-1), limit)
    // Awaited in the next iteration, unless the caller stops before.
    next?.catch(() => undefined)
    yield page
  }
}

import { describe, expect, spyOn, test } from 'bun:test'
import type { Change } from '../events.ts'
import { packExpressions } from '../expressions.ts'
import type { Ban, Channel } from '../model.ts'
import { CHANGES_PER_PAGE, loadTables, type StateSource } from './loader.ts'

const ban = (playerId: string, seq: number, endsAt = 1000 + seq): Ban => ({
  seq,
  playerId,
  count: 1,
  startsAt: 0,
  endsAt,
})
const channel = (name: string, isFallback = false): Channel => ({
  group: 'g',
  name,
  incarnation: 1,
  maxMembers: 50,
  isFallback,
  isAutoscaling: true,
  createdAt: 0,
})
const list = (text: string) =>
  ({ kind: 'forbidden', language: 'en', expressions: packExpressions([text]) }) as const

const EMPTY: StateSource = {
  readVersion: async () => 0,
  listChannels: async () => [],
  listActiveBans: async () => [],
  listFilterLists: async () => [],
  readChanges: async () => [],
}

describe('loadTables', () => {
  test('reads every page, in the order in which bans end, and indexes bans by seq', async () => {
    const byEnd = Array.from({ length: 24_000 }, (_, index) =>
      ban(`p${index}`, (index * 7919) % 24_007, 5000 + index),
    )
    const listActiveBans: StateSource['listActiveBans'] = async ({ at, after, limit }) => {
      const start = after === undefined ? 0 : byEnd.findIndex(({ seq }) => seq === after.seq) + 1
      return byEnd.filter(({ endsAt }) => endsAt > at).slice(start, start + limit)
    }
    const { bans } = await loadTables({ ...EMPTY, listActiveBans }, 0)
    expect(bans.list(0)).toEqual(byEnd.toSorted((a, b) => b.seq - a.seq))
    bans.evict(5001, 10)
    expect(bans.size).toBe(byEnd.length - 2)
  })

  test('lets other work run after every few bans when loading is slow', async () => {
    // Every look at the clock finds the slice over.
    let time = 0
    using _clock = spyOn(performance, 'now').mockImplementation(() => time++ * 1000)
    let [inTurn, most, loaded] = [0, 0, 0]
    const counted = (index: number): Ban => ({
      ...ban('', index),
      get playerId() {
        most = Math.max(most, ++inTurn)
        loaded++
        // Some were replaced between two pages.
        return `p${index % 24_000}`
      },
    })
    let immediate = setImmediate(function next() {
      inTurn = 0
      immediate = setImmediate(next)
    })
    const listActiveBans: StateSource['listActiveBans'] = async ({ after, limit }) => {
      const first = after?.seq ?? 0
      return Array.from({ length: Math.min(limit, 25_000 - first) }, (_, index) => counted(first + index + 1))
    }
    const { bans } = await loadTables({ ...EMPTY, listActiveBans }, 0)
    clearImmediate(immediate)
    expect(bans.size).toBe(24_000)
    expect(loaded).toBeGreaterThanOrEqual(25_000)
    expect(most).toBeLessThan(200)
  })

  test('applies the changes that were committed while it was reading', async () => {
    const changes: Change[] = [
      { kind: 'channel-deleted', key: { group: 'g', name: 'deleted' }, version: 6 },
      { kind: 'channel-set', channel: channel('old'), version: 7 },
      { kind: 'channel-set', channel: channel('new', true), version: 8 },
      { kind: 'ban-lifted', playerId: 'lifted', version: 9 },
      { kind: 'filter-list-set', list: list('new'), version: 10 },
    ]
    const tables = await loadTables(
      {
        readVersion: async () => 5,
        listChannels: async () => [channel('deleted'), channel('new', true), channel('old', true)],
        listActiveBans: async () => [ban('lifted', 1), ban('replaced', 2), ban('replaced', 3)],
        listFilterLists: async ({ after }) =>
          after === undefined ? [{ list: list('new'), version: 10 }] : [],
        readChanges: async (after) => changes.filter(({ version }) => version > after),
      },
      0,
    )
    expect(tables.version).toBe(10)
    expect(Array.from(tables.channels.ofGroup('g'), ({ name }) => name)).toEqual(['new', 'old'])
    expect(tables.channels.findFallback('g')?.name).toBe('new')
    expect(tables.bans.list(0)).toEqual([ban('replaced', 3)])
    expect(tables.filters.forbidden.list()).toEqual([list('new')])
    expect(tables.filters.forbidden.version).toBe(10)
  })

  test('applies them page by page', async () => {
    const last = 2 * CHANGES_PER_PAGE + 1
    const readChanges = async (after: number, limit: number) =>
      Array.from({ length: Math.min(limit, last - after) }, (_, n): Change => {
        const version = after + n + 1
        return { kind: 'ban-set', ban: ban(`p${version}`, version), version }
      })
    const { version, bans } = await loadTables({ ...EMPTY, readChanges }, 0)
    expect([version, bans.size]).toEqual([last, last])
  })

  test('starts over if the changes were deleted while it was reading', async () => {
    const versions = [1, 7]
    const tables = await loadTables(
      {
        ...EMPTY,
        readVersion: async () => versions.shift() ?? 0,
        readChanges: async (after) => (after < 7 ? undefined : []),
      },
      0,
    )
    expect(tables.version).toBe(7)
  })

  test('fails if a page cannot be read', async () => {
    const failure = new Error('disk')
    const source: StateSource = {
      ...EMPTY,
      listChannels: async ({ after, limit }) => {
        if (after !== undefined) throw failure
        return Array.from({ length: limit }, (_, index) => channel(`c${index}`))
      },
    }
    expect(await loadTables(source, 0).catch((thrown: unknown) => thrown)).toBe(failure)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestServer } from '../support/server.ts'
import {
  DAY,
  expectError,
  expectSuccess,
  HOUR,
  invalid,
  MINUTE,
  required,
  SECOND,
  startClockedServer,
  tooLong,
} from './helpers.ts'

let s: Awaited<ReturnType<typeof startClockedServer>>

beforeAll(async () => {
  s = await startClockedServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

interface Entry {
  readonly gamer_id: string
  readonly count: number
  readonly start_time: string
  readonly end_time: string
}

const ban = (gamer_id: string, days: number) =>
  s.call('PUT', '/block_user_chat', { body: { gamer_id, days } })
const lift = (gamer_id: string) => s.call('DELETE', '/block_user_chat', { body: { gamer_id } })
const list = async (): Promise<Entry[]> => (await s.call('GET', '/block_user_list')).json
const entryOf = async (gamer_id: string) => (await list()).find((each) => each.gamer_id === gamer_id)
const secondsOf = (entry: Entry | undefined) =>
  entry && (Date.parse(entry.end_time) - Date.parse(entry.start_time)) / SECOND

describe('applying a ban', () => {
  test('accepts a player who has never connected', async () => {
    expectSuccess(await ban('never-seen', 1), { gamer_id: 'never-seen', days: 1 })
    expect(await entryOf('never-seen')).toMatchObject({ count: 1 })
  })

  test('replaces an active ban, starting now, and increments count', async () => {
    await ban('twice', 10)
    s.pass(HOUR)
    const now = `${new Date(s.clock()).toISOString().slice(0, 19)}Z`
    await ban('twice', 1)
    const entries = (await list()).filter((each) => each.gamer_id === 'twice')
    expect(entries).toMatchObject([{ count: 2, start_time: now }])
    expect(secondsOf(entries[0])).toBe(86_400)
  })

  test('lists bans newest first, counting a replaced ban as new', async () => {
    for (const id of ['order-a', 'order-b', 'order-c']) await ban(id, 1)
    await ban('order-a', 1)
    const ids = (await list()).map((each) => each.gamer_id).filter((id) => id.startsWith('order-'))
    expect(ids).toEqual(['order-a', 'order-c', 'order-b'])
  })

  test.each([
    [0.5, 43_200],
    [1 / 3, 28_800],
    [1e-9, 1],
    [1.25, 108_000],
    [36_500, 36_500 * 86_400],
  ])('sets end_time for %d days to %d seconds after start_time', async (days, seconds) => {
    await ban('fraction', days)
    expect(secondsOf(await entryOf('fraction'))).toBe(seconds)
  })

  test('increments count once for each concurrent ban', async () => {
    await Promise.all(Array.from({ length: 20 }, () => ban('race', 1)))
    expect(await entryOf('race')).toMatchObject({ count: 20 })
  })

  test('lists the ban in the next request', async () => {
    for (let round = 0; round < 20; round++) {
      await ban(`at-once-${round}`, 1)
      expect((await list())[0]?.gamer_id).toBe(`at-once-${round}`)
    }
  })
})

describe('the end of a ban', () => {
  test('comes automatically at end_time, to the second', async () => {
    await ban('short', 1 / 1440)
    const { start_time, end_time } = (await entryOf('short'))!
    expect(Date.parse(end_time) - Date.parse(start_time)).toBe(MINUTE)
    s.pass(Date.parse(end_time) - s.clock() - 1)
    expect(await entryOf('short')).toBeDefined()
    s.pass(1)
    expect(await entryOf('short')).toBeUndefined()
  })

  test('keeps count when the ban expires', async () => {
    await ban('expires', 1)
    s.pass(2 * DAY)
    await ban('expires', 1)
    expect(await entryOf('expires')).toMatchObject({ count: 2 })
  })

  test('keeps count when the ban is lifted', async () => {
    await ban('lifted', 1)
    await lift('lifted')
    expect(await entryOf('lifted')).toBeUndefined()
    await ban('lifted', 1)
    expect(await entryOf('lifted')).toMatchObject({ count: 2 })
  })

  test('lifting succeeds where there is no ban', async () => {
    expectSuccess(await lift('nobody'), { gamer_id: 'nobody' })
    await ban('lift-twice', 1)
    await lift('lift-twice')
    expectSuccess(await lift('lift-twice'), { gamer_id: 'lift-twice' })
  })

  test('lifting one ban keeps the others', async () => {
    await ban('stays', 1)
    await ban('goes', 1)
    await lift('goes')
    expect(await entryOf('stays')).toBeDefined()
  })
})

describe('bounds', () => {
  test.each(['x', 'x'.repeat(128), '한'.repeat(42), 'two words', '__proto__'])(
    'accepts gamer_id %j',
    async (id) => {
      expectSuccess(await ban(id, 1), { gamer_id: id, days: 1 })
      expect(await entryOf(id)).toBeDefined()
      expectSuccess(await lift(id), { gamer_id: id })
      expect(await entryOf(id)).toBeUndefined()
    },
  )

  test.each(['x'.repeat(129), '한'.repeat(43)])(
    'rejects a gamer_id over 128 bytes with 400110',
    async (id) => {
      expectError(await ban(id, 1), 400110, tooLong('gamer_id'))
      expectError(await lift(id), 400110, tooLong('gamer_id'))
    },
  )

  test.each(['', 'a\nb', '\u0000', 'a\udc00'])('rejects gamer_id %j with 400111', async (id) => {
    expectError(await ban(id, 1), 400111, invalid('gamer_id'))
    expectError(await lift(id), 400111, invalid('gamer_id'))
  })

  test.each([0, -1, -0.5, 36_500.1, 1e300])('rejects %d days with 400111 and bans nobody', async (days) => {
    expectError(await ban('not-banned', days), 400111, invalid('days'))
    expect(await entryOf('not-banned')).toBeUndefined()
  })

  test('requires gamer_id and days', async () => {
    const put = (body: object) => s.call('PUT', '/block_user_chat', { body })
    expectError(await put({ days: 1 }), 400105, required('gamer_id'))
    expectError(await put({ gamer_id: 'x' }), 400105, required('days'))
    expectError(await s.call('DELETE', '/block_user_chat', { body: {} }), 400105, required('gamer_id'))
  })

  test('are configurable', async () => {
    await using own = await startTestServer({ PARLEY_MAX_GAMER_ID_BYTES: '4', PARLEY_MAX_BAN_DAYS: '7' })
    const put = (body: object) => own.call('PUT', '/block_user_chat', { body })
    expect((await put({ gamer_id: 'four', days: 7 })).status).toBe(200)
    expectError(await put({ gamer_id: 'fives', days: 7 }), 400110, tooLong('gamer_id'))
    expectError(await put({ gamer_id: 'four', days: 7.5 }), 400111, invalid('days'))
  })
})

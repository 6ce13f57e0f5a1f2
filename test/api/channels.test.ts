import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  expectError,
  expectSuccess,
  listChannels,
  MINUTE,
  makeChannel,
  required,
  seat,
  shardOf,
  startClockedServer,
} from './helpers.ts'

let s: Awaited<ReturnType<typeof startClockedServer>>

beforeAll(async () => {
  s = await startClockedServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const list = (group: string) => listChannels(s.call, group)
const make = (group: string, name: string, settings: object = {}) =>
  makeChannel(s.call, group, name, settings)
const seatIn = (group: string, name: string, ...ids: string[]) =>
  seat({ app: s.server.app, roster: s.roster }, { group, name }, ...ids)
const remove = (group: string, name: string) =>
  s.call('DELETE', '/open_channels', { body: { channel_group: group, channel_name: name } })

interface Entry {
  readonly channel_name: string
  readonly channel_id: number
  readonly is_default: boolean
}
const fallbacksOf = async (group: string) =>
  (await list(group)).json.filter((each: Entry) => each.is_default).map((each: Entry) => each.channel_name)

describe('create', () => {
  test('applies the defaults: max_count 50, is_default false, is_autoscaling true, channel_id 1', async () => {
    const { json } = await make('defaults', 'a')
    expect(json).toMatchObject({ channel_id: 1, max_count: 50, is_default: false })
    expect((await list('defaults')).json).toMatchObject([
      { max_count: 50, is_default: false, is_autoscaling: true },
    ])
  })

  test('stores is_autoscaling and omits it from the response', async () => {
    const { json } = await make('scaling', 'fixed', { is_autoscaling: false })
    expect(Object.keys(json)).toEqual([
      'channel_group',
      'channel_name',
      'channel_id',
      'max_count',
      'is_default',
      'create_at',
    ])
    expect((await list('scaling')).json).toMatchObject([{ channel_name: 'fixed', is_autoscaling: false }])
  })

  test('returns the existing channel for the same create again', async () => {
    const first = await make('again', 'a', { max_count: 3 })
    s.pass(MINUTE)
    const second = await make('again', 'a', { max_count: 3 })
    expectSuccess(second, first.json)
    expect((await list('again')).json).toHaveLength(1)
  })

  test('treats an explicit default like an omitted one', async () => {
    const first = await make('again', 'defaults')
    expectSuccess(
      await make('again', 'defaults', { max_count: 50, is_default: false, is_autoscaling: true }),
      first.json,
    )
  })

  test.each([{ max_count: 4 }, { is_default: true }, { is_autoscaling: false }])(
    'rejects an existing name with other settings (%j) with 400202 and changes nothing',
    async (other) => {
      await make('taken', 'a', { max_count: 3 })
      const before = await list('taken')
      const response = await s.call('PUT', '/open_channels', {
        body: { channel_group: 'taken', channel_name: 'a', max_count: 3, ...other },
      })
      expectError(response, 400202, 'The channel already exists.')
      expect((await list('taken')).json).toEqual(before.json)
    },
  )

  test('moves the FALLBACK flag within the group and leaves other groups alone', async () => {
    await make('flag', 'old', { is_default: true })
    await make('flag-elsewhere', 'old', { is_default: true })
    await make('flag', 'new', { is_default: true })
    expect(await fallbacksOf('flag')).toEqual(['new'])
    expect(await fallbacksOf('flag-elsewhere')).toEqual(['old'])
  })

  test('keeps the FALLBACK flag when a create is rejected', async () => {
    await make('flag-kept', 'fallback', { is_default: true })
    await make('flag-kept', 'plain')
    await s.call('PUT', '/open_channels', {
      body: { channel_group: 'flag-kept', channel_name: 'plain', is_default: true },
    })
    expect(await fallbacksOf('flag-kept')).toEqual(['fallback'])
  })

  test('leaves one FALLBACK after concurrent creates', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => make('race', name, { is_default: true })))
    expect(await fallbacksOf('race')).toHaveLength(1)
  })

  test('treats names as case-sensitive and scopes them to their group', async () => {
    await make('Case', 'Lobby')
    await make('Case', 'lobby')
    await make('case', 'lobby')
    expect((await list('Case')).json).toHaveLength(2)
    expect((await list('case')).json).toHaveLength(1)
  })
})

describe('list', () => {
  test('returns an empty array for an unknown group', async () => {
    expectSuccess(await list('nobody-made-it'), [])
  })

  test('requires channel_group', async () => {
    expectError(await s.call('GET', '/open_channels'), 400105, required('channel_group'))
  })

  test('orders channels by name, then by channel number', async () => {
    for (const name of ['b', 'a', 'C', 'é']) await make('order', name, { max_count: 1 })
    await seatIn('order', 'b', 'b1', 'b2', 'b3')
    const { json } = await list('order')
    expect(json.map((each: Entry) => [each.channel_name, each.channel_id])).toEqual([
      ['C', 1],
      ['a', 1],
      ['b', 1],
      ['b', 2],
      ['b', 3],
      ['é', 1],
    ])
  })

  test('orders groups by name and drops a group with its last channel', async () => {
    await make('zz-b', 'one')
    await make('zz-a', 'one')
    await make('zz-a', 'two')
    const own = async () => {
      const { json } = await s.call('GET', '/open_channel_groups')
      return json.filter((name: string) => name.startsWith('zz-'))
    }
    expect(await own()).toEqual(['zz-a', 'zz-b'])
    await remove('zz-a', 'one')
    expect(await own()).toEqual(['zz-a', 'zz-b'])
    await remove('zz-a', 'two')
    expect(await own()).toEqual(['zz-b'])
  })

  test('has an entry with its own players for each channel number', async () => {
    await make('seats', 'a', { max_count: 2 })
    await seatIn('seats', 'a', 'p1', 'p2', 'p3')
    expect((await list('seats')).json).toMatchObject([
      {
        channel_id: 1,
        max_count: 2,
        players: [
          { gamer_id: 'p1', gamer_name: 'Name of p1' },
          { gamer_id: 'p2', gamer_name: 'Name of p2' },
        ],
      },
      { channel_id: 2, max_count: 2, players: [{ gamer_id: 'p3', gamer_name: 'Name of p3' }] },
    ])
  })

  test('includes channel number 1 even when it is empty and a higher number is open', async () => {
    await make('empty', 'a', { max_count: 1 })
    await seatIn('empty', 'a', 'q1', 'q2')
    const q1 = { player: { id: 'q1', name: 'Name of q1' }, sessionId: 'session of q1' }
    await s.roster.leaveSeat(shardOf(s.server.app, { group: 'empty', name: 'a' }, 1), q1)
    expect((await list('empty')).json).toMatchObject([
      { channel_id: 1, players: [] },
      { channel_id: 2, players: [{ gamer_id: 'q2' }] },
    ])
  })

  test('reports create_at as last_chat_time of a silent channel', async () => {
    await make('silent', 'a')
    s.pass(MINUTE)
    const [{ last_chat_time, create_at }] = (await list('silent')).json
    expect(last_chat_time).toBe(create_at)
  })

  test('lists more than a thousand players in one entry', async () => {
    await make('crowd', 'players":[]', { max_count: 2000 })
    const ids = Array.from({ length: 1201 }, (_, index) => `crowd-${index}`)
    await seatIn('crowd', 'players":[]', ...ids)
    const [{ players }] = (await list('crowd')).json
    expect(players.map((each: { gamer_id: string }) => each.gamer_id)).toEqual(ids)
  })
})

describe('delete', () => {
  test('returns an entry for each channel number, ascending, and removes the channel', async () => {
    await make('gone', 'a', { max_count: 1 })
    await seatIn('gone', 'a', 'g1', 'g2', 'g3')
    expectSuccess(
      await remove('gone', 'a'),
      [1, 2, 3].map((channel_id) => ({ channel_group: 'gone', channel_name: 'a', channel_id })),
    )
    expectSuccess(await list('gone'), [])
  })

  test('leaves no seats behind for a recreated channel', async () => {
    await make('recreated', 'a', { max_count: 1 })
    await seatIn('recreated', 'a', 'n1', 'n2')
    await remove('recreated', 'a')
    await make('recreated', 'a', { max_count: 1 })
    expect((await list('recreated')).json).toMatchObject([{ channel_id: 1, players: [] }])
  })

  test('rejects an unknown channel with 400201', async () => {
    await make('known', 'a')
    expectError(await remove('known', 'b'), 400201, 'The channel was not found.')
    expectError(await remove('unknown', 'a'), 400201, 'The channel was not found.')
  })

  test('removes the FALLBACK while protection is off', async () => {
    await make('unprotected', 'a', { is_default: true })
    expect((await remove('unprotected', 'a')).status).toBe(200)
  })

  test('succeeds once among concurrent deletes', async () => {
    await make('delete-race', 'a')
    const responses = await Promise.all(Array.from({ length: 8 }, () => remove('delete-race', 'a')))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(responses.filter(({ json }) => json.code === 400201)).toHaveLength(7)
  })
})

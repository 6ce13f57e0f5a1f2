import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import { shardTopic } from '../../src/core/events.ts'
import { startTestServer, type TestServer, TOKEN } from '../support/server.ts'
import {
  createTestClock,
  DAY,
  expectError,
  HOUR,
  invalid,
  listChannels,
  makeChannel,
  required,
  seat,
  shardOf,
} from './helpers.ts'

const { clock, pass } = createTestClock()
const roster = new MemorySeats(clock).join()
const network = new MemoryNetwork(clock)
const players = network.join()
const LOBBY = { channel_group: 'main', channel_name: 'lobby' }
let heard: string[] = []
let key = ''
let s: TestServer

beforeAll(async () => {
  s = await startTestServer({}, { clock, roster, bus: network.join() })
  await players.open({
    applyChanges: async () => undefined,
    restore: async () => undefined,
    deliver: (_, event) => {
      if (event.kind === 'message') heard.push(event.message.text)
    },
  })
  await makeChannel(s.call, 'main', 'lobby')
  await players.subscribe(shardTopic(shardOf(s.server.app, { group: 'main', name: 'lobby' }, 1)))
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})
beforeEach(() => {
  heard = []
  key = crypto.randomUUID()
})

const send = (method: string, path: string, body: object, own = key) =>
  s.call(method, path, { body, headers: { 'Idempotency-Key': own } })
const countOf = async (id: string) => {
  const { json } = await s.call('GET', '/block_user_list')
  return json.find((each: { gamer_id: string }) => each.gamer_id === id)?.count
}
const other = (name: string) => ({ channel_group: 'main', channel_name: name })

describe('replays the first response', () => {
  test('apply chat ban: does not increment count or reapply a lifted ban', async () => {
    const body = { gamer_id: 'retried', days: 1 }
    const first = await send('PUT', '/block_user_chat', body)
    pass(HOUR)
    expect((await send('PUT', '/block_user_chat', body)).text).toBe(first.text)
    expect(await countOf('retried')).toBe(1)
    await s.call('DELETE', '/block_user_chat', { body: { gamer_id: 'retried' } })
    expect((await send('PUT', '/block_user_chat', body)).status).toBe(200)
    expect(await countOf('retried')).toBeUndefined()
  })

  test('apply chat ban: counts concurrent retries once', async () => {
    const body = { gamer_id: 'at-once', days: 1 }
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => send('PUT', '/block_user_chat', body)),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await countOf('at-once')).toBe(1)
  })

  test('lift chat ban: keeps a ban applied in the meantime', async () => {
    await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'again', days: 1 } })
    await send('DELETE', '/block_user_chat', { gamer_id: 'again' })
    await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'again', days: 1 } })
    expect((await send('DELETE', '/block_user_chat', { gamer_id: 'again' })).json).toEqual({
      gamer_id: 'again',
    })
    expect(await countOf('again')).toBe(2)
  })

  test('create open channel: even after the channel was changed or deleted', async () => {
    const body = { ...other('created'), max_count: 3 }
    const first = await send('PUT', '/open_channels', body)
    await s.call('PATCH', '/open_channels', { body: { ...body, max_count: 4 } })
    expect((await send('PUT', '/open_channels', body)).text).toBe(first.text)
    await s.call('DELETE', '/open_channels', { body })
    expect((await send('PUT', '/open_channels', body)).text).toBe(first.text)
    const { json } = await listChannels(s.call, 'main')
    expect(json.map((each: { channel_name: string }) => each.channel_name)).not.toContain('created')
  })

  test('create open channel: the error 400202, even after the name became free', async () => {
    await makeChannel(s.call, 'main', 'taken')
    const body = { ...other('taken'), max_count: 3 }
    expectError(await send('PUT', '/open_channels', body), 400202, 'The channel already exists.')
    await s.call('DELETE', '/open_channels', { body: other('taken') })
    expectError(await send('PUT', '/open_channels', body), 400202, 'The channel already exists.')
    expect((await send('PUT', '/open_channels', body, crypto.randomUUID())).status).toBe(200)
  })

  test('delete open channel: every deleted channel number, and keeps a channel recreated in the meantime', async () => {
    await makeChannel(s.call, 'main', 'numbered', { max_count: 1 })
    await seat({ app: s.server.app, roster }, { group: 'main', name: 'numbered' }, 'p1', 'p2')
    const first = await send('DELETE', '/open_channels', other('numbered'))
    expect(first.json).toHaveLength(2)
    expect((await send('DELETE', '/open_channels', other('numbered'))).text).toBe(first.text)
    await makeChannel(s.call, 'main', 'numbered')
    await seat({ app: s.server.app, roster }, { group: 'main', name: 'numbered' }, 'p3')
    expect((await send('DELETE', '/open_channels', other('numbered'))).text).toBe(first.text)
    const { json } = await listChannels(s.call, 'main')
    const made = json.filter((each: { channel_name: string }) => each.channel_name === 'numbered')
    expect(made).toMatchObject([{ channel_id: 1, players: [{ gamer_id: 'p3' }] }])
  })

  test('delete open channel: with query parameters', async () => {
    await makeChannel(s.call, 'main', 'by-query')
    const headers = { 'Idempotency-Key': key }
    const path = '/open_channels?channel_group=main&channel_name=by-query'
    const first = await s.call('DELETE', path, { headers })
    expect(first.status).toBe(200)
    expect((await s.call('DELETE', path, { headers })).text).toBe(first.text)
  })

  test('delete open channel: the error 400201, even after the channel was created', async () => {
    expectError(await send('DELETE', '/open_channels', other('later')), 400201, 'The channel was not found.')
    await makeChannel(s.call, 'main', 'later')
    expectError(await send('DELETE', '/open_channels', other('later')), 400201, 'The channel was not found.')
  })

  test('change open channel: keeps a later change', async () => {
    const first = await send('PATCH', '/open_channels', { ...LOBBY, max_count: 5 })
    await s.call('PATCH', '/open_channels', { body: { ...LOBBY, max_count: 6 } })
    expect((await send('PATCH', '/open_channels', { ...LOBBY, max_count: 5 })).text).toBe(first.text)
    expect((await s.call('PATCH', '/open_channels', { body: LOBBY })).json.max_count).toBe(6)
  })

  test('change open channel: the error 400201', async () => {
    const body = { ...other('patched-later'), max_count: 5 }
    expectError(await send('PATCH', '/open_channels', body), 400201, 'The channel was not found.')
    await makeChannel(s.call, 'main', 'patched-later')
    expectError(await send('PATCH', '/open_channels', body), 400201, 'The channel was not found.')
  })

  test('edit profanity list: keeps a later edit', async () => {
    const body = { language: 'en', filters: ['first'] }
    await send('PUT', '/bad_word_list', body)
    await s.call('PUT', '/bad_word_list', { body: { language: 'en', filters: ['second'] } })
    expect((await send('PUT', '/bad_word_list', body)).json).toEqual(body)
    expect((await s.call('GET', '/bad_word_list')).json).toEqual([{ language: 'en', filters: ['second'] }])
  })

  test('edit profanity list: a successful edit with If-Match', async () => {
    const etag = (await s.call('GET', '/bad_word_list')).headers.get('etag')!
    const headers = { 'Idempotency-Key': key, 'If-Match': etag }
    const body = { language: 'de', filters: ['eins'] }
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await s.call('PUT', '/bad_word_list', { body, headers })).status).toBe(200)
  })

  test('system message: delivers it once', async () => {
    const body = { channel_type: 1, ...LOBBY, message: 'once' }
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await send('POST', '/system_message', body)).json).toEqual(body)
    expect(heard).toEqual(['once'])
  })

  test('system message: the error 400201', async () => {
    const body = { channel_type: 1, ...other('unheard'), message: 'x' }
    expectError(await send('POST', '/system_message', body), 400201, 'The channel was not found.')
    await makeChannel(s.call, 'main', 'unheard')
    expectError(await send('POST', '/system_message', body), 400201, 'The channel was not found.')
  })
})

describe('the Idempotency-Key', () => {
  test('of an edit that got 412 can be used again with another If-Match', async () => {
    const body = { language: 'fr', filters: ['un'] }
    const edit = (etag: string) =>
      s.call('PUT', '/bad_word_list', { body, headers: { 'Idempotency-Key': key, 'If-Match': etag } })
    expect((await edit('"999999"')).status).toBe(412)
    const etag = (await s.call('GET', '/bad_word_list')).headers.get('etag')!
    const edited = await edit(etag)
    expect([edited.status, edited.json]).toEqual([200, body])
    // The outcome of the edit is now that of the key, whatever the retry expects.
    const repeated = await edit('"999999"')
    expect([repeated.status, repeated.headers.get('etag')]).toEqual([200, edited.headers.get('etag')])
  })

  test('is rejected with 400111 for another body, and nothing changes', async () => {
    await send('PUT', '/block_user_chat', { gamer_id: 'body-1', days: 1 })
    expectError(
      await send('PUT', '/block_user_chat', { gamer_id: 'body-2', days: 1 }),
      400111,
      invalid('Idempotency-Key'),
    )
    expect(await countOf('body-2')).toBeUndefined()
  })

  test('is rejected with 400111 for another operation', async () => {
    await send('PUT', '/block_user_chat', { gamer_id: 'operation', days: 1 })
    expectError(
      await send('DELETE', '/block_user_chat', { gamer_id: 'operation', days: 1 }),
      400111,
      invalid('Idempotency-Key'),
    )
    expectError(
      await send('POST', '/system_message', { channel_type: 1, ...LOBBY, message: 'x' }),
      400111,
      invalid('Idempotency-Key'),
    )
    expect([await countOf('operation'), heard]).toEqual([1, []])
  })

  test('expires after 24 hours', async () => {
    const body = { gamer_id: 'expires', days: 10 }
    await send('PUT', '/block_user_chat', body)
    pass(DAY - 1)
    await send('PUT', '/block_user_chat', body)
    expect(await countOf('expires')).toBe(1)
    pass(1)
    await send('PUT', '/block_user_chat', body)
    expect(await countOf('expires')).toBe(2)
  })

  test('of an invalid request can be used again', async () => {
    expectError(await send('PUT', '/block_user_chat', { gamer_id: 'formed' }), 400105, required('days'))
    expect((await send('PUT', '/block_user_chat', { gamer_id: 'formed', days: 1 })).status).toBe(200)
  })

  test.each(['k', 'k'.repeat(255), 'a/b+c=="{}"'])(
    'accepts up to 255 visible ASCII characters: %s',
    async (own) => {
      expect((await send('PUT', '/block_user_chat', { gamer_id: 'keyed', days: 1 }, own)).status).toBe(200)
    },
  )

  test.each(['k'.repeat(256), 'two words', '\u00e9'])(
    'rejects any other value with 400111: %s',
    async (own) => {
      expectError(
        await send('PUT', '/block_user_chat', { gamer_id: 'x', days: 1 }, own),
        400111,
        invalid('Idempotency-Key'),
      )
    },
  )

  test('is shared by the tokens of one holder', async () => {
    const next = 'second-master-token-of-44-characters-xxxxxxx'
    await using own = await startTestServer({ PARLEY_MASTER_TOKEN: `${TOKEN},${next}` })
    const options = { body: { gamer_id: 'rotated', days: 1 }, headers: { 'Idempotency-Key': 'k' } }
    for (const token of [TOKEN, next])
      expect((await own.call('PUT', '/block_user_chat', { ...options, token })).status).toBe(200)
    expect((await own.call('GET', '/block_user_list')).json).toMatchObject([
      { gamer_id: 'rotated', count: 1 },
    ])
  })

  test('is ignored on reads', async () => {
    expect(
      (await s.call('GET', '/report_list', { headers: { 'Idempotency-Key': 'two words' } })).status,
    ).toBe(200)
  })
})

describe('an operation that stores nothing', () => {
  const samples = [
    {
      path: '/player_tokens',
      body: { gamer_id: 'p', gamer_name: 'P' },
      other: { gamer_id: 'q', gamer_name: 'Q' },
    },
    {
      path: '/filter_check',
      body: { language: 'en', texts: ['a'] },
      other: { language: 'en', texts: ['b'] },
    },
    {
      path: '/filter_backtest',
      body: { language: 'en', filters: ['a'] },
      other: { language: 'en', filters: ['a'], days: 'x' },
    },
  ]

  test.each(samples)('ignores the key: POST $path', async ({ path, body, other }) => {
    expect((await send('POST', path, body)).status).toBe(200)
    expect((await send('POST', path, other)).text).not.toContain('Idempotency-Key')
    const malformed = await send('POST', path, other, 'k'.repeat(256))
    expect(malformed.text).not.toContain('Idempotency-Key')
  })

  test.each(samples)('does not document the key: POST $path', async ({ path }) => {
    const { paths } = (await s.call('GET', '/openapi.json')).json
    expect(JSON.stringify(paths[path].post)).not.toMatch(/idempotency/i)
    expect(JSON.stringify(paths['/block_user_chat'].put)).toMatch(/idempotencyKey/)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestServer, type TestServer } from '../support/server.ts'
import { expectError, invalid, listChannels, makeChannel, tooLong } from './helpers.ts'

let s: TestServer

beforeAll(async () => {
  s = await startTestServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const create = (body: object, server: TestServer = s) => server.call('PUT', '/open_channels', { body })
const key = (channel_group: string, channel_name: string) => ({ channel_group, channel_name })
const LIMIT = 'The limit for this resource is reached.'

describe.each(['channel_group', 'channel_name'])('%s', (property) => {
  const withName = (name: string) => ({ ...key('g', 'n'), [property]: name })

  test.each([
    'x',
    'x'.repeat(128),
    '한'.repeat(42),
    '👾'.repeat(32),
    'in the middle',
    '__proto__',
    'constructor',
  ])('accepts %j', async (name) => {
    const response = await create(withName(name))
    expect(response.status).toBe(200)
    expect(response.json[property]).toBe(name)
  })

  test.each(['x'.repeat(129), '한'.repeat(43), '👾'.repeat(33)])(
    'rejects more than 128 bytes of UTF-8 with 400110',
    async (name) => {
      expectError(await create(withName(name)), 400110, tooLong(property))
    },
  )

  test.each([
    '',
    ' ',
    ' x',
    'x ',
    '\u3000x',
    'x\u00a0',
    'a\nb',
    'a\u0000b',
    'a\u007fb',
    'a\u0085b',
    'a\ud800b',
  ])('rejects empty, untrimmed and control-character names with 400111: %j', async (name) => {
    expectError(await create(withName(name)), 400111, invalid(property))
  })
})

test.each([1, 2, 100_000, 5.0])('accepts max_count %d', async (max_count) => {
  const { status, json } = await create({ ...key('max', `of-${max_count}-${Math.random()}`), max_count })
  expect([status, json.max_count]).toEqual([200, max_count])
})

test.each([0, -1, 1.5, 100_001, 1e21])('rejects max_count %d with 400111', async (max_count) => {
  expectError(await create({ ...key('max', 'bad'), max_count }), 400111, invalid('max_count'))
})

test('the limits for names and max_count are configurable', async () => {
  await using own = await startTestServer({
    PARLEY_MAX_NAME_BYTES: '3',
    PARLEY_DEFAULT_MAX_COUNT: '7',
    PARLEY_MAX_MAX_COUNT: '8',
  })
  expect((await create(key('abc', 'abc'), own)).json.max_count).toBe(7)
  expectError(await create(key('abcd', 'abc'), own), 400110, tooLong('channel_group'))
  expectError(await create({ ...key('abc', 'x'), max_count: 9 }, own), 400111, invalid('max_count'))
})

test('rejects a group over the quota with 400205 until a group is deleted', async () => {
  await using own = await startTestServer({ PARLEY_MAX_GROUPS: '2' })
  await makeChannel(own.call, 'one', 'a')
  await makeChannel(own.call, 'two', 'a')
  expectError(await create(key('three', 'a'), own), 400205, LIMIT)
  await makeChannel(own.call, 'two', 'b')
  await own.call('DELETE', '/open_channels', { body: key('one', 'a') })
  await makeChannel(own.call, 'three', 'a')
})

test('rejects a channel over the quota with 400205, but not an existing one', async () => {
  await using own = await startTestServer({ PARLEY_MAX_CHANNELS: '2' })
  await makeChannel(own.call, 'one', 'a')
  await makeChannel(own.call, 'two', 'b')
  expectError(await create(key('one', 'c'), own), 400205, LIMIT)
  await makeChannel(own.call, 'one', 'a')
  expect((await own.call('GET', '/open_channels?channel_group=one')).json).toHaveLength(1)
})

describe('the strict name profile', () => {
  let strict: TestServer
  beforeAll(async () => {
    strict = await startTestServer({ PARLEY_NAME_PROFILE: 'strict' })
  })
  afterAll(async () => {
    await strict[Symbol.asyncDispose]()
  })

  test.each(['abcd', '0-9a', 'x'.repeat(48)])('accepts %j', async (name) => {
    expect((await create(key(name, name), strict)).status).toBe(200)
  })

  test.each(['abc', 'x'.repeat(49), 'Abcd', 'ab_cd', 'ab cd', 'äbcd'])(
    'rejects %j with 400111',
    async (name) => {
      expectError(await create(key(name, 'lobby'), strict), 400111, invalid('channel_group'))
      expectError(await create(key('main-group', name), strict), 400111, invalid('channel_name'))
    },
  )

  test.each(['language', 'country', 'countrycode', 'guild', 'whisper'])(
    'reserves the group %s, but not the channel name',
    async (name) => {
      expectError(await create(key(name, 'lobby'), strict), 400111, invalid('channel_group'))
      expect((await create(key('main-group', name), strict)).status).toBe(200)
    },
  )
})

test('the open name profile accepts the groups that the strict one reserves', async () => {
  expect((await create(key('guild', 'lobby'))).status).toBe(200)
})

test('fallback protection keeps the FALLBACK flag until another channel takes it', async () => {
  await using own = await startTestServer({ PARLEY_PROTECT_FALLBACK: 'on' })
  await makeChannel(own.call, 'g', 'fallback', { is_default: true })
  await makeChannel(own.call, 'g', 'other')
  const change = (channel_name: string, settings: object) =>
    own.call('PATCH', '/open_channels', { body: { channel_group: 'g', channel_name, ...settings } })
  const message = 'The FALLBACK channel is protected.'
  expectError(await change('fallback', { is_default: false, max_count: 9 }), 400204, message)
  expect((await listChannels(own.call, 'g')).json).toMatchObject([
    { channel_name: 'fallback', is_default: true, max_count: 50 },
    { channel_name: 'other', is_default: false },
  ])
  expect((await change('other', { is_default: false })).status).toBe(200)
  expect((await change('other', { is_default: true })).status).toBe(200)
  expect((await change('fallback', { is_default: false })).status).toBe(200)
})

test('fallback protection rejects deleting the FALLBACK with 400204, but not other channels', async () => {
  await using own = await startTestServer({ PARLEY_PROTECT_FALLBACK: 'on' })
  await makeChannel(own.call, 'g', 'fallback', { is_default: true })
  await makeChannel(own.call, 'g', 'other')
  const remove = (name: string) => own.call('DELETE', '/open_channels', { body: key('g', name) })
  expectError(await remove('fallback'), 400204, 'The FALLBACK channel is protected.')
  expect((await remove('other')).status).toBe(200)
  expect((await own.call('GET', '/open_channels?channel_group=g')).json).toHaveLength(1)
})

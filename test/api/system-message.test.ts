import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import { shardTopic, type Topic } from '../../src/core/events.ts'
import type { SequencedMessage } from '../../src/core/model.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import {
  createTestClock,
  expectError,
  expectSuccess,
  invalid,
  makeChannel,
  required,
  seat,
  shardOf,
  tooLong,
} from './helpers.ts'

const { clock } = createTestClock()
const roster = new MemorySeats(clock).join()
const network = new MemoryNetwork(clock)
const players = network.join()
let heard: { readonly topic: Topic; readonly message: SequencedMessage }[] = []
let s: TestServer

beforeAll(async () => {
  s = await startTestServer({}, { clock, roster, bus: network.join() })
  await players.open({
    applyChanges: async () => undefined,
    restore: async () => undefined,
    deliver: (topic, event) => {
      if (event.kind === 'message') heard.push({ topic, message: event.message })
    },
  })
  await makeChannel(s.call, 'g', 'full', { max_count: 1 })
  await makeChannel(s.call, 'g', 'empty')
  await makeChannel(s.call, 'other', 'full')
  await seat({ app: s.server.app, roster }, { group: 'g', name: 'full' }, 'p1', 'p2', 'p3')
  const { app } = s.server
  const subscribe = (group: string, name: string, number: number) =>
    players.subscribe(shardTopic(shardOf(app, { group, name }, number)))
  for (const number of [1, 2, 3, 4]) await subscribe('g', 'full', number)
  await subscribe('g', 'empty', 1)
  await subscribe('other', 'full', 1)
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const FULL = { channel_type: 1, channel_group: 'g', channel_name: 'full' }
const NOT_FOUND = 'The channel was not found.'

async function send(body: object) {
  heard = []
  return await s.call('POST', '/system_message', { body })
}

/** Sorted, because channel numbers receive a message in any order. */
const heardIn = () => heard.map(({ message: { shard } }) => [shard.name, shard.number]).sort()

describe('delivery', () => {
  test('trims surrounding white space before measuring and delivering, but not in the echo', async () => {
    const body = { ...FULL, channel_group: 'other', message: ` \n${'x'.repeat(1000)}\t ` }
    expectSuccess(await send(body), body)
    expect(heard).toMatchObject([{ message: { text: 'x'.repeat(1000), original: 'x'.repeat(1000) } }])
    expectError(await send({ ...body, message: ` ${'x'.repeat(1001)}` }), 400110, tooLong('message'))
    expectError(await send({ ...body, message: ' \n\t ' }), 400111, invalid('message'))
  })

  test('reaches only the channel number in channel_id', async () => {
    const body = { ...FULL, channel_id: 2, message: 'to the second' }
    expectSuccess(await send(body), body)
    const shard = shardOf(s.server.app, { group: 'g', name: 'full' }, 2)
    const text = 'to the second'
    expect(heard).toMatchObject([
      {
        topic: shardTopic(shard),
        message: { shard, player: undefined, text, original: text, at: clock(), seq: 1 },
      },
    ])
  })

  test.each([{ channel_id: 0 }, {}, { channel_id: null }])(
    'reaches every channel number without channel_id: %j',
    async (number) => {
      const response = await send({ ...FULL, ...number, message: 'to all' })
      expect(response.status).toBe(200)
      expect(heardIn()).toEqual([
        ['full', 1],
        ['full', 2],
        ['full', 3],
      ])
    },
  )

  test('echoes the request body, with channel_id only if it was sent', async () => {
    const body = { ...FULL, message: 'echo' }
    expectSuccess(await send(body), body)
    expectSuccess(await send({ ...body, channel_id: 0 }), { ...body, channel_id: 0 })
  })

  test('reaches channel number 1 of an empty channel', async () => {
    expect((await send({ ...FULL, channel_name: 'empty', channel_id: 1, message: 'x' })).status).toBe(200)
    expect(heardIn()).toEqual([['empty', 1]])
  })

  test('bypasses the filter', async () => {
    await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: ['rude'] } })
    await send({ ...FULL, channel_id: 1, message: 'a rude word' })
    expect(heard.map(({ message }) => message.text)).toEqual(['a rude word'])
  })

  test('keeps line breaks', async () => {
    await send({ ...FULL, channel_id: 1, message: 'one\r\ntwo' })
    expect(heard.map(({ message }) => message.text)).toEqual(['one\r\ntwo'])
  })
})

describe('rejected requests, which deliver nothing', () => {
  test.each([
    { channel_group: 'unknown' },
    { channel_name: 'unknown' },
    { channel_id: 4 },
    { channel_id: 9_007_199_254_740_991 },
  ])('an unknown channel or channel number: 400201 for %j', async (unknown) => {
    expectError(await send({ ...FULL, message: 'x', ...unknown }), 400201, NOT_FOUND)
    expect(heard).toEqual([])
  })

  test.each([0, 2, 3, 1.5])('channel_type %d: 400111', async (channel_type) => {
    expectError(await send({ ...FULL, channel_type, message: 'x' }), 400111, invalid('channel_type'))
  })

  test.each([-1, 1.5, 1e300])('channel_id %d: 400111', async (channel_id) => {
    expectError(await send({ ...FULL, channel_id, message: 'x' }), 400111, invalid('channel_id'))
  })

  test.each(['', ' ', '\n', 'a\u0000', 'a\tb', '\ud800'])('message %j: 400111', async (message) => {
    expectError(await send({ ...FULL, message }), 400111, invalid('message'))
    expect(heard).toEqual([])
  })

  test('a message over 1000 bytes: 400110', async () => {
    expect((await send({ ...FULL, message: '한'.repeat(333) })).status).toBe(200)
    expectError(await send({ ...FULL, message: '한'.repeat(334) }), 400110, tooLong('message'))
  })

  test.each(['channel_type', 'channel_group', 'channel_name', 'message'])(
    'a missing %s: 400105',
    async (name) => {
      expectError(await send({ ...FULL, message: 'x', [name]: null }), 400105, required(name))
    },
  )

  test('values of the wrong type: 400100 and 400101', async () => {
    const wrong = async (property: object) => (await send({ ...FULL, message: 'x', ...property })).json.code
    expect(await wrong({ channel_type: '1' })).toBe(400101)
    expect(await wrong({ channel_id: '1' })).toBe(400101)
    expect(await wrong({ message: 3 })).toBe(400100)
  })
})

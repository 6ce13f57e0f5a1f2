import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type CallOptions, startTestServer, type TestServer } from '../support/server.ts'
import {
  BAD_CREDENTIALS,
  createTestClock,
  expectError,
  invalid,
  makeChannel,
  NOT_OBJECT,
  required,
} from './helpers.ts'

const MAX_BODY = 2048
const TOO_LARGE = 'x'.repeat(MAX_BODY + 1)
const NOT_FOUND = 'The requested path was not found.'
const NO_METHOD = 'The method is not allowed.'
const LARGE = 'The request body is too large.'
const UNSUPPORTED_ENCODING = 'The content encoding of the request body is not supported.'

let s: TestServer

beforeAll(async () => {
  s = await startTestServer({ PARLEY_MAX_BODY_BYTES: String(MAX_BODY) })
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const ban = (options: CallOptions) => s.call('PUT', '/block_user_chat', options)

describe('a request that fails several checks gets the error of the first', () => {
  test('credentials before route', async () => {
    expectError(await s.call('GET', '/nowhere', { token: null }), 400701, BAD_CREDENTIALS)
  })

  test('credentials before method', async () => {
    expectError(await s.call('POST', '/block_user_list', { token: null }), 400701, BAD_CREDENTIALS)
    expectError(await s.call('OPTIONS', '/block_user_list', { token: null }), 400701, BAD_CREDENTIALS)
  })

  test('credentials before size, JSON and types', async () => {
    for (const raw of [TOO_LARGE, '{', '{}'])
      expectError(await ban({ raw, token: null }), 400701, BAD_CREDENTIALS)
  })

  test('route before method and size', async () => {
    expectError(await s.call('PUT', '/nowhere', { raw: TOO_LARGE }), 404100, NOT_FOUND)
  })

  test('method before size', async () => {
    expectError(await s.call('POST', '/block_user_chat', { raw: TOO_LARGE }), 405100, NO_METHOD)
  })

  test('route and method before rate, rate before size', async () => {
    const { clock } = createTestClock()
    await using own = await startTestServer(
      { PARLEY_RATE_LIMIT: 'on', PARLEY_RATE_PER_SECOND: '1', PARLEY_MAX_BODY_BYTES: String(MAX_BODY) },
      { clock },
    )
    for (let taken = 0; taken < 2; taken++) await own.call('GET', '/block_user_list')
    expectError(await own.call('GET', '/nowhere'), 404100, NOT_FOUND)
    expectError(await own.call('POST', '/block_user_list'), 405100, NO_METHOD)
    expectError(await own.call('PUT', '/block_user_chat', { raw: TOO_LARGE }), 429100, 'Too many requests.')
  })

  test('credentials, route, method and rate before the content encoding', async () => {
    const headers = { 'Content-Encoding': 'gzip' }
    expectError(await ban({ raw: '{}', headers, token: null }), 400701, BAD_CREDENTIALS)
    expectError(await s.call('PUT', '/nowhere', { raw: '{}', headers }), 404100, NOT_FOUND)
    expectError(await s.call('POST', '/block_user_chat', { raw: '{}', headers }), 405100, NO_METHOD)
    const { clock } = createTestClock()
    await using own = await startTestServer(
      { PARLEY_RATE_LIMIT: 'on', PARLEY_RATE_PER_SECOND: '1' },
      { clock },
    )
    for (let taken = 0; taken < 2; taken++) await own.call('GET', '/block_user_list')
    const response = await own.call('PUT', '/block_user_chat', { raw: '{}', headers })
    expectError(response, 429100, 'Too many requests.')
  })

  test('content encoding before size and JSON', async () => {
    const headers = { 'Content-Encoding': 'gzip' }
    for (const raw of [TOO_LARGE, '{', ''])
      expectError(await ban({ raw, headers }), 415100, UNSUPPORTED_ENCODING)
  })

  test('size before JSON', async () => {
    expectError(await ban({ raw: TOO_LARGE }), 413100, LARGE)
  })

  test('JSON before types', async () => {
    expectError(await ban({ raw: '{"gamer_id": 3' }), 400103, NOT_OBJECT)
  })

  test('types before values, in any order of the properties', async () => {
    const message = '"days" must be a number.'
    expectError(await ban({ body: { gamer_id: '', days: '3' } }), 400101, message)
    expectError(await ban({ body: { days: '3', gamer_id: '' } }), 400101, message)
    expectError(await ban({ body: { gamer_id: '' } }), 400105, required('days'))
  })

  test('values before state', async () => {
    const body = { channel_group: 'unknown', channel_name: ' ' }
    expectError(await s.call('DELETE', '/open_channels', { body }), 400111, invalid('channel_name'))
  })

  test('Idempotency-Key syntax before state', async () => {
    const response = await s.call('DELETE', '/open_channels', {
      body: { channel_group: 'unknown', channel_name: 'x' },
      headers: { 'Idempotency-Key': 'k'.repeat(256) },
    })
    expectError(response, 400111, invalid('Idempotency-Key'))
  })

  test('a rejected request changes nothing', async () => {
    await makeChannel(s.call, 'kept', 'a')
    await s.call('DELETE', '/open_channels', {
      body: { channel_group: 'kept', channel_name: 'a' },
      token: 'no',
    })
    await s.call('DELETE', '/open_channels', { body: { channel_group: 'kept' } })
    expect((await s.call('GET', '/open_channels?channel_group=kept')).json).toHaveLength(1)
  })
})

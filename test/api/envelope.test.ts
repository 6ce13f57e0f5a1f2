import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import { ChatError } from '../../src/core/errors.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { startTestServer, type TestServer, TOKEN } from '../support/server.ts'
import { expectError, MESSAGE_ID, makeChannel, newMessage, OPERATIONS, rawHead, sendRaw } from './helpers.ts'

let s: TestServer

beforeAll(async () => {
  s = await startTestServer()
  await makeChannel(s.call, 'main', 'lobby')
  s.server.app.messages.add(newMessage(MESSAGE_ID, systemClock()))
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const json = { 'content-type': 'application/json; charset=utf-8' }
const fetchApi = (path: string, init: RequestInit = {}) =>
  fetch(new URL(`/chat/v1${path}`, s.url), {
    ...init,
    headers: { Authorization: `Bearer ${TOKEN}`, ...(init.headers as Record<string, string>) },
  })

describe('codes and messages', () => {
  const ban = (body: object) => s.call('PUT', '/block_user_chat', { body })

  test.each([
    { body: { gamer_id: 3, days: 1 }, code: 400100, message: '"gamer_id" must be a string.' },
    { body: { gamer_id: 'x', days: '3' }, code: 400101, message: '"days" must be a number.' },
    { body: { gamer_id: 'x' }, code: 400105, message: '"days" is required.' },
    { body: { gamer_id: 'x'.repeat(129), days: 1 }, code: 400110, message: '"gamer_id" is too long.' },
    { body: { gamer_id: '', days: 1 }, code: 400111, message: '"gamer_id" has an invalid value.' },
  ])('$code: $message', async ({ body, code, message }) => {
    expectError(await ban(body), code, message)
  })

  test('400102: "filters" must be an array of strings.', async () => {
    const response = await s.call('PUT', '/bad_word_list', { body: { language: 'en', filters: 'x' } })
    expectError(response, 400102, '"filters" must be an array of strings.')
  })

  test('400104: "is_default" must be a boolean.', async () => {
    const body = { channel_group: 'g', channel_name: 'n', is_default: 1 }
    expectError(await s.call('PUT', '/open_channels', { body }), 400104, '"is_default" must be a boolean.')
  })

  test('404100 inside and outside the base path', async () => {
    for (const path of ['', '/', '/open_channels/', '/OPEN_CHANNELS', '/open%5Fchannels', '/messages/'])
      expectError(await s.call('GET', path), 404100, 'The requested path was not found.')
    const outside = await fetch(new URL('/chat/v10/open_channels', s.url))
    expect(outside.status).toBe(404)
    expect(await outside.json()).toEqual({
      message: 'The requested path was not found.',
      code: 404100,
      error: true,
    })
  })

  test('500100 does not disclose its cause', async () => {
    const roster = new MemorySeats(systemClock).join()
    roster.listShards = () => Promise.reject(new Error('the secret cause'))
    await using own = await startTestServer({}, { roster })
    await makeChannel(own.call, 'g', 'a')
    const response = await own.call('GET', '/open_channels?channel_group=g')
    expectError(response, 500100, 'An internal error occurred.')
    expect(response.headers.get('x-request-id')).toBeTruthy()
  })

  test('503100 comes with Retry-After', async () => {
    const roster = new MemorySeats(systemClock).join()
    roster.listShards = () => Promise.reject(new ChatError('unavailable'))
    await using own = await startTestServer({}, { roster })
    await makeChannel(own.call, 'g', 'a')
    const response = await own.call('GET', '/open_channels?channel_group=g')
    expectError(response, 503100, 'The service is temporarily unavailable.')
    expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  })
})

describe('content types', () => {
  const body = JSON.stringify({ gamer_id: 'typed', days: 1 })

  test.each([
    'application/json; charset=utf8',
    'application/json; charset=utf-8',
    'application/json',
    'text/plain',
    'nonsense',
  ])('accepts %s: only the body itself has to parse', async (type) => {
    const put = await fetchApi('/block_user_chat', { method: 'PUT', body, headers: { 'Content-Type': type } })
    expect([put.status, await put.json()]).toEqual([200, { gamer_id: 'typed', days: 1 }])
    const lift = { method: 'DELETE', body: '{"gamer_id":"typed"}', headers: { 'Content-Type': type } }
    expect((await fetchApi('/block_user_chat', lift)).status).toBe(200)
    expect((await fetchApi('/block_user_list', { headers: { 'Content-Type': type } })).status).toBe(200)
  })

  test('accepts a request without Content-Type', async () => {
    const response = await sendRaw(
      s.url,
      rawHead('PUT', '/block_user_chat', `Content-Length: ${body.length}`),
      body,
    )
    expect(response).toStartWith('HTTP/1.1 200')
  })

  test.each(OPERATIONS)(
    '$method $path responds with application/json; charset=utf-8',
    async ({ method, path, body }) => {
      const response = await s.call(method, path, { body })
      expect(Object.fromEntries(response.headers)).toMatchObject(json)
      expect(response.status).toBe(200)
    },
  )
})

describe('HEAD, OPTIONS and 405', () => {
  const READS = OPERATIONS.filter(({ method }) => method === 'GET')

  test.each(READS)('HEAD $path responds like GET without a body', async ({ path }) => {
    const get = await s.call('GET', path)
    const head = await s.call('HEAD', path)
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'etag', 'content-length'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
  })

  test('HEAD of a rejected request has the status and no body', async () => {
    const head = await s.call('HEAD', '/open_channels')
    expect([head.status, head.text]).toEqual([400, ''])
  })

  test.each([
    ['/open_channel_groups', 'GET, HEAD, OPTIONS'],
    ['/open_channels', 'DELETE, GET, HEAD, OPTIONS, PATCH, PUT'],
    ['/block_user_list', 'GET, HEAD, OPTIONS'],
    ['/block_user_chat', 'DELETE, OPTIONS, PUT'],
    ['/bad_word_list', 'GET, HEAD, OPTIONS, PUT'],
    ['/report_list', 'GET, HEAD, OPTIONS'],
    ['/system_message', 'OPTIONS, POST'],
    [`/messages/${MESSAGE_ID}`, 'DELETE, OPTIONS'],
  ])('%s lists %s in Allow, on 405 and on OPTIONS with 204', async (path, allowed) => {
    const allowOf = (headers: Headers) => headers.get('allow')?.split(', ').sort().join(', ')
    const options = await s.call('OPTIONS', path)
    expect([options.status, options.text, allowOf(options.headers)]).toEqual([204, '', allowed])
    for (const method of ['GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE']) {
      if (allowed.split(', ').includes(method)) continue
      const rejected = await s.call(method, path)
      expect([method, rejected.status, allowOf(rejected.headers)]).toEqual([method, 405, allowed])
      if (method !== 'HEAD') expectError(rejected, 405100, 'The method is not allowed.')
    }
  })

  test.each(['/openapi.json', '/docs'])('rejects a write to %s with 405 and Allow', async (path) => {
    const response = await s.call('POST', path)
    expectError(response, 405100, 'The method is not allowed.')
    expect(response.headers.get('allow')).toContain('GET')
  })
})

describe('X-Request-Id', () => {
  const idOf = async (path: string, init: RequestInit = {}) =>
    (await fetch(new URL(path, s.url), init)).headers.get('x-request-id')

  test('is unique on every response', async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` }
    const ids = [
      await idOf('/chat/v1/block_user_list', { headers }),
      await idOf('/chat/v1/block_user_list', { headers, method: 'HEAD' }),
      await idOf('/chat/v1/block_user_list', { headers, method: 'OPTIONS' }),
      await idOf('/chat/v1/block_user_list'),
      await idOf('/chat/v1/nowhere', { headers }),
      await idOf('/chat/v1/block_user_list', { headers, method: 'POST' }),
      await idOf('/chat/v1/block_user_chat', { headers, method: 'PUT', body: '{' }),
      await idOf('/chat/v1/openapi.json'),
      await idOf('/nowhere'),
      await idOf('/livez'),
    ]
    for (const id of ids) expect(id).toMatch(/^[\w.:-]{1,128}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(['my-id', '0af7651916cd43dd8448eb211c80319c', 'a.b:c_d-9', 'x'.repeat(128)])(
    'is taken from a valid request header: %s',
    async (id) => {
      expect(await idOf('/livez', { headers: { 'X-Request-Id': id } })).toBe(id)
      expect(await idOf('/chat/v1/nowhere', { headers: { 'X-Request-Id': id } })).toBe(id)
    },
  )

  test.each(['two words', '<script>', 'x'.repeat(129), '"'])(
    'replaces an invalid request header: %s',
    async (id) => {
      const given = await idOf('/livez', { headers: { 'X-Request-Id': id } })
      expect(given).not.toBe(id)
      expect(given).toMatch(/^[\w.:-]{1,128}$/)
    },
  )
})

describe('malformed HTTP gets an empty response from the runtime, and the connection closes', () => {
  test.each([
    { name: 'headers over 16 KiB', more: [`X-Long: ${'x'.repeat(17_000)}`], body: '', status: 431 },
    {
      name: 'conflicting lengths',
      more: ['Content-Length: 5', 'Transfer-Encoding: chunked'],
      body: '0\r\n\r\n',
      status: 400,
    },
    { name: 'a malformed chunk', more: ['Transfer-Encoding: chunked'], body: 'zz\r\n', status: 400 },
  ])('$name: $status', async ({ more, body, status }) => {
    const response = await sendRaw(s.url, rawHead('PUT', '/block_user_chat', ...more), body)
    expect(response).toStartWith(`HTTP/1.1 ${status} `)
    expect(response).toEndWith('\r\n\r\n')
  })

  test('trailers: 400, whether or not the request was already processed', async () => {
    const body = '19\r\n{"gamer_id":"x","days":1}\r\n0\r\nX-T: 1\r\n\r\n'
    const response = await sendRaw(
      s.url,
      rawHead('PUT', '/block_user_chat', 'Transfer-Encoding: chunked'),
      body,
    )
    expect(response).toStartWith('HTTP/1.1 400 ')
    expect(response).toEndWith('\r\n\r\n')
  })

  test('no Host: 400', async () => {
    const response = await sendRaw(s.url, [
      'GET /chat/v1/block_user_list HTTP/1.1',
      `Authorization: Bearer ${TOKEN}`,
    ])
    expect(response).toStartWith('HTTP/1.1 400 ')
  })
})

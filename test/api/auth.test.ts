import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { Authenticator, hashToken, permits, ROLES } from '../../src/http/authenticator.ts'
import { Dispatcher } from '../../src/http/dispatcher.ts'
import { createOperations } from '../../src/http/operations.ts'
import { FailureBackoff } from '../../src/http/rate-limit.ts'
import { startTestServer, type TestServer, TOKEN } from '../support/server.ts'
import { BAD_CREDENTIALS, createTestClock, expectError, MINUTE, OPERATIONS, sendRaw } from './helpers.ts'

const NEXT_TOKEN = 'next-master-token-of-43-characters-xxxxxxxx'

let s: TestServer

beforeAll(async () => {
  s = await startTestServer({ PARLEY_MASTER_TOKEN: `${TOKEN} , ${NEXT_TOKEN}` })
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const withHeader = (header: string) =>
  s.call('GET', '/block_user_list', { token: null, headers: { Authorization: header } })

describe('the Authorization header', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('accepts the scheme %s', async (scheme) => {
    expect((await withHeader(`${scheme} ${TOKEN}`)).status).toBe(200)
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    TOKEN,
    `Basic ${btoa(`user:${TOKEN}`)}`,
    `Basic ${TOKEN}`,
    `Token ${TOKEN}`,
    `Digest ${TOKEN}`,
    `Bearer${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN},${NEXT_TOKEN}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer "${TOKEN}"`,
    'Bearer (hidden)',
    `Bearer ${'x'.repeat(5000)}`,
  ])('rejects "%s" with 400701', async (header) => {
    expectError(await withHeader(header), 400701, BAD_CREDENTIALS)
  })

  test('ignores a token in the query', async () => {
    const response = await s.call('GET', `/block_user_list?token=${TOKEN}&access_token=${TOKEN}`, {
      token: null,
    })
    expectError(response, 400701, BAD_CREDENTIALS)
  })

  test('accepts each of several comma-separated tokens', async () => {
    for (const token of [TOKEN, NEXT_TOKEN])
      expect((await s.call('GET', '/block_user_list', { token })).status).toBe(200)
  })

  test('rejects a token that was removed from the configuration', async () => {
    await using own = await startTestServer({ PARLEY_MASTER_TOKEN: NEXT_TOKEN })
    expectError(await own.call('GET', '/block_user_list', { token: TOKEN }), 400701, BAD_CREDENTIALS)
  })
})

describe('under the base path, credentials are checked before', () => {
  test.each(['', '/', '/nowhere', '/open_channels/'])('the path "%s"', async (path) => {
    expectError(await s.call('GET', path, { token: null }), 400701, BAD_CREDENTIALS)
  })

  test.each(['POST', 'OPTIONS', 'PATCH'])('the method %s', async (method) => {
    expectError(await s.call(method, '/block_user_list', { token: 'unknown' }), 400701, BAD_CREDENTIALS)
  })

  test('the size and syntax of the body', async () => {
    for (const raw of ['x'.repeat(9_000_000), '{'])
      expectError(await s.call('PUT', '/block_user_chat', { raw, token: null }), 400701, BAD_CREDENTIALS)
  })

  test('the Host of an HTTP/1.0 request', async () => {
    const response = await sendRaw(s.url, ['GET /chat/v1/block_user_list HTTP/1.0'])
    expect(response).toStartWith('HTTP/1.1 400')
    expect(response).toContain('"code":400701')
  })

  test('the body of HEAD, which has only the status', async () => {
    const head = await s.call('HEAD', '/block_user_list', { token: null })
    expect([head.status, head.text]).toEqual([400, ''])
  })
})

describe('more than 100 credential failures a minute from one address', () => {
  test('are delayed increasingly, up to one second, after the first hundred', () => {
    const { clock } = createTestClock()
    const backoff = new FailureBackoff(clock)
    const delays = Array.from({ length: 1000 }, () => backoff.delayMs('address'))
    expect(delays.slice(0, 100)).toEqual(Array(100).fill(0))
    expect(delays[100]).toBeGreaterThan(0)
    expect(delays.slice(100)).toEqual(delays.slice(100).sort((a, b) => a - b))
    expect(Math.max(...delays)).toBe(1000)
  })

  test('do not delay other addresses, and the count resets after a minute', () => {
    const { clock, pass } = createTestClock()
    const backoff = new FailureBackoff(clock)
    for (let failure = 0; failure < 500; failure++) backoff.delayMs('address')
    expect(backoff.delayMs('another')).toBe(0)
    pass(MINUTE)
    expect(backoff.delayMs('address')).toBe(0)
  })

  test('are counted for at most ten thousand addresses, then all counts reset', () => {
    const { clock } = createTestClock()
    const backoff = new FailureBackoff(clock)
    for (let failure = 0; failure < 200; failure++) backoff.delayMs('address')
    for (let other = 1; other < 10_000; other++) backoff.delayMs(`other-${other}`)
    expect(backoff.delayMs('address')).toBe(1000)
    backoff.delayMs('one more')
    expect(backoff.delayMs('address')).toBe(0)
  })

  test('are delayed but never get 429, and a valid token is not delayed', async () => {
    await using own = await startTestServer({ PARLEY_RATE_LIMIT: 'on' })
    const startedAt = performance.now()
    const failures = Array.from({ length: 150 }, async () => {
      const response = await own.call('GET', '/block_user_list', { token: 'unknown' })
      return { response, after: performance.now() - startedAt }
    })
    const settled = Promise.all(failures)
    const first = await Promise.race([
      settled.then(() => 'failures'),
      own.call('GET', '/block_user_list').then(() => 'good'),
    ])
    const responses = await settled
    expect(first).toBe('good')
    for (const { response } of responses) expectError(response, 400701, BAD_CREDENTIALS)
    expect(Math.max(...responses.map(({ after }) => after))).toBeGreaterThanOrEqual(450)
  })
})

describe('roles', () => {
  const rows = createOperations(readConfig({ flags: {}, env: {} }).limits)
  const MATRIX: Record<string, readonly string[]> = {
    listOpenChannelGroups: ['viewer', 'moderator', 'operator', 'master'],
    listOpenChannels: ['viewer', 'moderator', 'operator', 'master'],
    createOpenChannel: ['operator', 'master'],
    deleteOpenChannel: ['operator', 'master'],
    listRestrictedUsers: ['viewer', 'moderator', 'operator', 'master'],
    applyChatBan: ['moderator', 'operator', 'master'],
    liftChatBan: ['moderator', 'operator', 'master'],
    listProfanity: ['viewer', 'moderator', 'operator', 'master'],
    editProfanityList: ['operator', 'master'],
    listReports: ['viewer', 'moderator', 'operator', 'master'],
    changeOpenChannel: ['operator', 'master'],
    listAllowed: ['viewer', 'moderator', 'operator', 'master'],
    editAllowList: ['operator', 'master'],
    checkFilter: ['moderator', 'operator', 'master'],
    startBacktest: ['operator', 'master'],
    showBacktest: ['operator', 'master'],
    sendSystemMessage: ['moderator', 'operator', 'master'],
    deleteMessage: ['moderator', 'operator', 'master'],
    mintPlayerToken: ['operator', 'master'],
  }

  test('cover every operation', () => {
    expect(rows.map(({ id }) => id).sort()).toEqual(Object.keys(MATRIX).sort())
  })

  test.each(Object.entries(MATRIX))('%s is allowed for %j only', (id, allowed) => {
    const needed = rows.find((row) => row.id === id)!.role
    expect(ROLES.filter((held) => permits(held, needed))).toEqual(allowed as (typeof ROLES)[number][])
  })

  test.each(ROLES)('a token with the role %s is denied every other operation', async (role) => {
    const config = readConfig({ flags: {}, env: {} })
    const options = {
      ...config,
      operations: rows,
      readOnlyPaths: new Set<string>(),
      authenticator: new Authenticator([{ id: 'own', holder: 'own', role, tokenHash: hashToken(TOKEN) }]),
      clock: systemClock,
      monotonicClock: systemClock,
      bodyBytes: config.limits.bodyBytes,
      bodyParser: { parse: () => Promise.reject(new Error('No body in this test is long.')) },
    }
    const dispatcher = new Dispatcher(s.server.app, options)
    const rejected: string[] = []
    for (const { id, method, path } of rows) {
      const target = `/chat/v1${path.replace(/\{\w+\}/, 'unknown')}`
      const request = new Request(new URL(target, s.url).href, {
        method,
        headers: { Authorization: `Bearer ${TOKEN}` },
        ...(method !== 'GET' && { body: '{}' }),
      })
      const incoming = {
        request,
        requestId: 'id',
        path: target,
        query: '',
        address: () => '',
        draining: new AbortController().signal,
      }
      const { body } = await dispatcher.handle(incoming)
      if (String(body).includes('400701')) rejected.push(id)
    }
    const forbidden = Object.entries(MATRIX).flatMap(([id, allowed]) => (allowed.includes(role) ? [] : [id]))
    expect(rejected.sort()).toEqual(forbidden.sort())
  })

  test.each(OPERATIONS)('the master token is allowed to $method $path', async ({ method, path, body }) => {
    const response = await s.call(method, path, { body })
    expect(response.json?.code).not.toBe(400701)
  })
})

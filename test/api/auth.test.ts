import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { hashToken, permits, ROLES } from '../../src/http/auth.ts'
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

describe('the header', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('the scheme %s is taken', async (scheme) => {
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
    `Bearer${TOKEN}`,
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(0, -1)}`,
    `Bearer ${TOKEN.toUpperCase()}`,
    `Bearer ${TOKEN},${NEXT_TOKEN}`,
    `Bearer ${TOKEN} ${TOKEN}`,
    `Bearer "${TOKEN}"`,
    'Bearer (hidden)',
    `Bearer ${'x'.repeat(5000)}`,
  ])('"%s" answers 400701', async (header) => {
    expectError(await withHeader(header), 400701, BAD_CREDENTIALS)
  })

  test('a token in the query is none', async () => {
    const response = await s.call('GET', `/block_user_list?token=${TOKEN}&access_token=${TOKEN}`, {
      token: null,
    })
    expectError(response, 400701, BAD_CREDENTIALS)
  })

  test('several tokens, separated by commas, are live at once', async () => {
    for (const token of [TOKEN, NEXT_TOKEN])
      expect((await s.call('GET', '/block_user_list', { token })).status).toBe(200)
  })

  test('a token that was taken out of the configuration is unknown', async () => {
    await using own = await startTestServer({ PARLEY_MASTER_TOKEN: NEXT_TOKEN })
    expectError(await own.call('GET', '/block_user_list', { token: TOKEN }), 400701, BAD_CREDENTIALS)
  })
})

describe('the check comes before everything else under the base path', () => {
  test.each(['', '/', '/nowhere', '/open_channels/'])('an unknown path "%s"', async (path) => {
    expectError(await s.call('GET', path, { token: null }), 400701, BAD_CREDENTIALS)
  })

  test.each(['POST', 'OPTIONS', 'PATCH'])('a method that is not allowed: %s', async (method) => {
    expectError(await s.call(method, '/block_user_list', { token: 'unknown' }), 400701, BAD_CREDENTIALS)
  })

  test('a body that is too large or no JSON', async () => {
    for (const raw of ['x'.repeat(9_000_000), '{'])
      expectError(await s.call('PUT', '/block_user_chat', { raw, token: null }), 400701, BAD_CREDENTIALS)
  })

  test('a request of HTTP/1.0 without a Host', async () => {
    const response = await sendRaw(s.url, ['GET /chat/v1/block_user_list HTTP/1.0'])
    expect(response).toStartWith('HTTP/1.1 400')
    expect(response).toContain('"code":400701')
  })

  test('HEAD has the status and no body', async () => {
    const head = await s.call('HEAD', '/block_user_list', { token: null })
    expect([head.status, head.text]).toEqual([400, ''])
  })
})

describe('over 100 failures a minute from one address', () => {
  test('the first hundred are not slowed, and then the answers wait longer and longer, up to a second', () => {
    const { clock } = createTestClock()
    const backoff = new FailureBackoff(clock)
    const delays = Array.from({ length: 1000 }, () => backoff.delayMs('address'))
    expect(delays.slice(0, 100)).toEqual(Array(100).fill(0))
    expect(delays[100]).toBeGreaterThan(0)
    expect(delays.slice(100)).toEqual(delays.slice(100).sort((a, b) => a - b))
    expect(Math.max(...delays)).toBe(1000)
  })

  test('another address is not slowed, and after a minute the count begins anew', () => {
    const { clock, pass } = createTestClock()
    const backoff = new FailureBackoff(clock)
    for (let failure = 0; failure < 500; failure++) backoff.delayMs('address')
    expect(backoff.delayMs('another')).toBe(0)
    pass(MINUTE)
    expect(backoff.delayMs('address')).toBe(0)
  })

  test('of ten thousand addresses the counts begin anew, so that they never take more memory', () => {
    const { clock } = createTestClock()
    const backoff = new FailureBackoff(clock)
    for (let failure = 0; failure < 200; failure++) backoff.delayMs('address')
    for (let other = 1; other < 10_000; other++) backoff.delayMs(`other-${other}`)
    expect(backoff.delayMs('address')).toBe(1000)
    backoff.delayMs('one more')
    expect(backoff.delayMs('address')).toBe(0)
  })

  test('failing answers come late but are never 429, and a good token is not slowed', async () => {
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

  test('every operation is in the matrix', () => {
    expect(rows.map(({ id }) => id).sort()).toEqual(Object.keys(MATRIX).sort())
  })

  test.each(Object.entries(MATRIX))('%s is for %j and for no other', (id, allowed) => {
    const needed = rows.find((row) => row.id === id)!.role
    expect(ROLES.filter((held) => permits(held, needed))).toEqual(allowed as (typeof ROLES)[number][])
  })

  test.each(ROLES)(
    'a token of the role %s is rejected by the API what the matrix does not give it',
    async (role) => {
      const config = readConfig({ flags: {}, env: {} })
      const options = {
        ...config,
        operations: rows,
        readOnlyPaths: new Set<string>(),
        credentials: [{ id: 'own', holder: 'own', role, tokenHash: hashToken(TOKEN) }],
        clock: systemClock,
        monotonicClock: systemClock,
        bodyBytes: config.limits.bodyBytes,
        bodyParser: { parse: () => Promise.reject(new Error('No body here is long.')) },
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
        const incoming = { request, path: target, query: '', address: () => '', isDraining: false }
        const { body } = await dispatcher.handle(incoming)
        if (String(body).includes('400701')) rejected.push(id)
      }
      const forbidden = Object.entries(MATRIX).flatMap(([id, allowed]) =>
        allowed.includes(role) ? [] : [id],
      )
      expect(rejected.sort()).toEqual(forbidden.sort())
    },
  )

  test.each(OPERATIONS)('the master token may $method $path', async ({ method, path, body }) => {
    const response = await s.call(method, path, { body })
    expect(response.json?.code).not.toBe(400701)
  })
})

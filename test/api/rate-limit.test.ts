import { expect, test } from 'bun:test'
import { type ApiResponse, startTestServer, TOKEN } from '../support/server.ts'
import { BAD_CREDENTIALS, createTestClock, expectError, SECOND } from './helpers.ts'

const OTHER_TOKEN = 'second-master-token-of-44-characters-xxxxxxx'
const TOO_MANY = 'Too many requests.'

async function startLimited(env: Record<string, string> = { PARLEY_RATE_PER_SECOND: '2' }) {
  const { monotonicClock, pass } = createTestClock()
  const server = await startTestServer({ PARLEY_RATE_LIMIT: 'on', ...env }, { monotonicClock })
  const list = (token = TOKEN) => server.call('GET', '/block_user_list', { token })
  return { ...server, pass, list }
}

const remainingOf = ({ headers }: ApiResponse) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])

test('allows bursts of twice the rate, then rejects with 429100 and Retry-After', async () => {
  await using s = await startLimited()
  for (let taken = 0; taken < 4; taken++) expect((await s.list()).status).toBe(200)
  const response = await s.list()
  expectError(response, 429100, TOO_MANY)
  expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
})

test('refills the bucket at the rate, up to twice the rate', async () => {
  await using s = await startLimited()
  for (let taken = 0; taken < 4; taken++) await s.list()
  s.pass(SECOND / 2)
  expect([(await s.list()).status, (await s.list()).status]).toEqual([200, 429])
  s.pass(60 * SECOND)
  const statuses: number[] = []
  for (let taken = 0; taken < 5; taken++) statuses.push((await s.list()).status)
  expect(statuses).toEqual([200, 200, 200, 200, 429])
})

test('sends RateLimit and RateLimit-Policy with every response', async () => {
  await using s = await startLimited()
  const responses: ApiResponse[] = []
  for (let taken = 0; taken < 5; taken++) responses.push(await s.list())
  expect(responses.map(remainingOf)).toEqual([3, 2, 1, 0, 0])
  for (const { headers } of responses) expect(headers.get('ratelimit-policy')).toMatch(/^"[^"]+";q=2;w=1$/)
})

test('defaults to 5,000 requests a second with bursts of twice that', async () => {
  await using s = await startLimited({})
  const response = await s.list()
  expect(response.headers.get('ratelimit-policy')).toContain('q=5000;w=1')
  expect(remainingOf(response)).toBe(9999)
})

test('applies no limit and sends no headers when disabled', async () => {
  await using s = await startLimited({ PARLEY_RATE_LIMIT: 'off', PARLEY_RATE_PER_SECOND: '1' })
  for (let taken = 0; taken < 20; taken++) {
    const { status, headers } = await s.list()
    expect([status, headers.has('ratelimit'), headers.has('ratelimit-policy')]).toEqual([200, false, false])
  }
})

test('keeps a separate bucket for each token', async () => {
  await using s = await startLimited({
    PARLEY_RATE_PER_SECOND: '2',
    PARLEY_MASTER_TOKEN: `${TOKEN},${OTHER_TOKEN}`,
  })
  for (let taken = 0; taken < 5; taken++) await s.list(TOKEN)
  expect((await s.list(TOKEN)).status).toBe(429)
  expect((await s.list(OTHER_TOKEN)).status).toBe(200)
})

test('rejects bad credentials with 400701, never 429, without consuming the bucket', async () => {
  await using s = await startLimited()
  for (let failure = 0; failure < 10; failure++) expectError(await s.list('unknown'), 400701, BAD_CREDENTIALS)
  for (let taken = 0; taken < 4; taken++) expect((await s.list()).status).toBe(200)
  expect((await s.list()).status).toBe(429)
  expectError(await s.list('unknown'), 400701, BAD_CREDENTIALS)
})

test('does not limit health, metrics and documentation', async () => {
  await using s = await startLimited({ PARLEY_RATE_PER_SECOND: '1' })
  for (let taken = 0; taken < 3; taken++) await s.list()
  for (const path of ['/livez', '/readyz', '/metrics', '/chat/v1/openapi.json', '/chat/v1/docs'])
    expect((await fetch(new URL(path, s.url))).status).toBe(200)
})

test('changes nothing for a rejected request', async () => {
  await using s = await startLimited({ PARLEY_RATE_PER_SECOND: '1' })
  for (let taken = 0; taken < 2; taken++) await s.list()
  const body = { gamer_id: 'x', days: 1 }
  expectError(await s.call('PUT', '/block_user_chat', { body }), 429100, TOO_MANY)
  s.pass(10 * SECOND)
  expect((await s.list()).json).toEqual([])
})

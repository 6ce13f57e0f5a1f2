import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { startTestServer, type TestServer, TOKEN } from '../support/server.ts'
import { rawHead, sendRaw } from './helpers.ts'

const FILTERS = Array.from({ length: 1000 }, (_, index) => `욕설 ${index}`)
const CHANGED = 'The word lists have changed since this ETag was issued.'
const LONG = '/bad_word_list'
const SHORT = '/block_user_list'

let s: TestServer

beforeAll(async () => {
  s = await startTestServer({ PARLEY_MAX_NICKNAME_BYTES: '1024' })
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await edit(FILTERS)
})

/** Fetches without decompressing. */
async function get(path: string, accepted: string, init: RequestInit = {}) {
  const response = await fetch(new URL(`/chat/v1${path}`, s.url), {
    ...init,
    headers: { Authorization: `Bearer ${TOKEN}`, 'Accept-Encoding': accepted, ...init.headers },
    decompress: false,
  } as RequestInit)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

const edit = (filters: readonly string[], headers: Record<string, string> = {}) =>
  s.call('PUT', LONG, { body: { language: 'ko', filters }, headers })
const EXPECTED = JSON.stringify([{ language: 'ko', filters: FILTERS }])

describe('a response', () => {
  test.each([
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('is compressed with %s when the client accepts it', async (coding, decode) => {
    const { headers, bytes } = await get(LONG, coding)
    expect(headers.get('content-encoding')).toBe(coding)
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('content-length')).toBe(String(bytes.length))
    expect(decode(bytes).toString()).toBe(EXPECTED)
    expect(bytes.length).toBeLessThan(EXPECTED.length / 2)
    expect((await get(LONG, coding)).bytes).toEqual(bytes)
  })

  test.each(['identity', 'gzip;q=0', 'br', '*;q=0', 'gzip;q=0.1, identity'])(
    'is not compressed for %j',
    async (accepted) => {
      const { headers, bytes } = await get(LONG, accepted)
      expect(headers.get('content-encoding')).toBeNull()
      expect(headers.get('vary')).toBe('Accept-Encoding')
      expect(bytes.toString()).toBe(EXPECTED)
    },
  )

  test('is not compressed without Accept-Encoding', async () => {
    const response = await sendRaw(s.url, rawHead('GET', LONG))
    expect(response).not.toMatch(/content-encoding/i)
    expect(response).toEndWith(EXPECTED)
  })

  test('is compressed with gzip when the client rejects identity', async () => {
    expect((await get(LONG, 'identity;q=0, gzip;q=0.1')).headers.get('content-encoding')).toBe('gzip')
  })

  test('that is short is not compressed', async () => {
    const { headers, bytes } = await get(SHORT, 'gzip')
    expect([headers.get('content-encoding'), headers.get('vary'), bytes.toString()]).toEqual([
      null,
      null,
      '[]',
    ])
  })

  test('to a write is compressed too', async () => {
    const body = JSON.stringify({ language: 'ko', filters: FILTERS })
    const { headers, bytes } = await get(LONG, 'gzip', { method: 'PUT', body })
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(bytes).toString()).toBe(body)
  })

  test('with a player token is never compressed', async () => {
    const body = JSON.stringify({ gamer_id: 'x', gamer_name: 'n'.repeat(1024) })
    const { status, headers, bytes } = await get('/player_tokens', 'gzip', { method: 'POST', body })
    expect([status, headers.get('content-encoding')]).toEqual([200, null])
    expect(bytes.length).toBeGreaterThan(1024)
  })

  test.each(['/chat/v1/openapi.json', '/metrics'])('from %s is compressed', async (path) => {
    const response = await fetch(new URL(path, s.url), { headers: { 'Accept-Encoding': 'gzip' } })
    expect(response.headers.get('content-encoding')).toBe('gzip')
  })

  test.each(['gzip', 'identity'])('to HEAD has the headers of GET for %s', async (accepted) => {
    const names = ['content-encoding', 'content-length', 'content-type', 'etag', 'vary']
    const seen = async (method: string) => {
      const { headers } = await get(LONG, accepted, { method })
      return names.map((name) => headers.get(name))
    }
    expect(await seen('HEAD')).toEqual(await seen('GET'))
    expect((await get(LONG, accepted, { method: 'HEAD' })).bytes.length).toBe(0)
  })
})

describe('an ETag', () => {
  const tagOf = async (accepted: string) => (await get(LONG, accepted)).headers.get('etag') ?? ''

  test('is strong and differs between content codings', async () => {
    const tags = [await tagOf('identity'), await tagOf('gzip'), await tagOf('zstd')]
    for (const tag of tags) expect(tag).toMatch(/^"\d+(-gzip|-zstd)?"$/)
    expect(new Set(tags).size).toBe(3)
  })

  test.each(['identity', 'gzip', 'zstd'])(
    'of the %s variant matches If-None-Match with 304 and no body',
    async (accepted) => {
      const tag = await tagOf(accepted)
      for (const known of [tag, `W/${tag}`, `"0", ${tag}`, '*']) {
        const { status, headers, bytes } = await get(LONG, accepted, { headers: { 'If-None-Match': known } })
        expect([status, bytes.length, headers.get('vary')]).toEqual([304, 0, 'Accept-Encoding'])
        expect(headers.get('content-encoding')).toBeNull()
        expect(headers.get('etag')).toBe(known === '*' ? await tagOf('identity') : tag)
      }
      await edit(['other'])
      expect((await get(LONG, accepted, { headers: { 'If-None-Match': tag } })).status).toBe(200)
    },
  )

  test.each(['identity', 'gzip', 'zstd'])('of the %s variant satisfies If-Match once', async (accepted) => {
    const tag = await tagOf(accepted)
    expect((await edit(['first'], { 'If-Match': tag })).status).toBe(200)
    const second = await edit(['second'], { 'If-Match': tag })
    expect([second.status, second.json.message]).toEqual([412, CHANGED])
    expect((await s.call('GET', LONG)).json).toEqual([{ language: 'ko', filters: ['first'] }])
  })

  test('that is weak never satisfies If-Match', async () => {
    expect((await edit(['x'], { 'If-Match': `W/${await tagOf('gzip')}` })).status).toBe(412)
  })

  test('in the response to an edit satisfies If-Match for the next edit', async () => {
    const first = (await edit(['first'])).headers.get('etag') ?? ''
    expect(first).toBe(await tagOf('identity'))
    expect((await edit(['second'], { 'If-Match': first })).status).toBe(200)
    expect((await edit(['third'], { 'If-Match': first })).status).toBe(412)
  })

  test('of a retried edit is the original one, even after a later edit', async () => {
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    const first = (await edit(['first'], key)).headers.get('etag') ?? ''
    await edit(['since'])
    expect((await edit(['first'], key)).headers.get('etag')).toBe(first)
    expect((await edit(['lost'], { 'If-Match': first })).status).toBe(412)
  })
})

import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { BodyParser } from '../../src/http/body/body-parser.ts'
import { until } from '../faults/support.ts'
import { startTestServer, type TestServer, TOKEN } from '../support/server.ts'
import { expectError, expectSuccess, rawHead } from './helpers.ts'

/** Longer bodies are parsed in a worker. */
const LONG = 65_536
const MAX = 8 * 1024 * 1024

let s: TestServer

beforeAll(async () => {
  s = await startTestServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const words = (count: number, size = 20) =>
  Array.from({ length: count }, (_, index) => `${index} ${'x'.repeat(size)}`)

describe('a long body is validated like a short one', () => {
  test.each([
    ['PUT', '/block_user_chat', '{"gamer_id":"p","days":1}'],
    ['PUT', '/block_user_chat', '{"gamer_id":"p","days":1,"more":{"deep":[[1]]},"":0}'],
    ['PUT', '/block_user_chat', '{"gamer_id":"p","days":"1"}'],
    ['PUT', '/block_user_chat', '{"gamer_id":"p"}'],
    ['PUT', '/block_user_chat', '{"gamer_id":null,"days":1}'],
    ['PUT', '/block_user_chat', '{"gamer_id":"p","days":-1}'],
    ['PUT', '/block_user_chat', '{"gamer_id":"first","gamer_id":"last","days":1}'],
    ['PUT', '/block_user_chat', '{"__proto__":{"gamer_id":"p"},"days":1}'],
    ['PUT', '/block_user_chat', '['],
    ['PUT', '/block_user_chat', '[]'],
    ['PUT', '/block_user_chat', ''],
    ['PUT', '/block_user_chat', '\ufeff{"gamer_id":"\\u00e9","days":1}'],
    ['PUT', '/block_user_chat', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['DELETE', '/block_user_chat', '{"gamer_id":"p"}'],
    ['DELETE', '/block_user_chat?gamer_id=query', '{"gamer_id":"body"}'],
    ['DELETE', '/messages/unknown', '{"message_id":"other"}'],
    ['PUT', '/bad_word_list', '{"language":"fr","filters":["a"," b ","\\"","\\\\","a"]}'],
    ['PUT', '/bad_word_list', '{"language":"fr","filters":[]}'],
    ['PUT', '/bad_word_list', '{"language":"fr","filters":["a",1]}'],
    ['PUT', '/bad_word_list', '{"language":"fr","filters":["a",""]}'],
    ['PUT', '/bad_word_list', '{"language":"nonsense","filters":[]}'],
    ['POST', '/filter_check', '{"language":"fr","texts":["a b",""],"filters":["b"]}'],
    ['POST', '/filter_check', '{"language":"fr","texts":{}}'],
  ])('%s %s %s', async (method, path, raw) => {
    const short = await s.call(method, path, { raw })
    const long = await s.call(method, path, { raw: raw + ' '.repeat(LONG) })
    expect([long.status, long.text]).toEqual([short.status, short.text])
  })

  test('when it is not UTF-8', async () => {
    const raw = Buffer.concat([Buffer.from('{"gamer_id":"'), Buffer.from([0xff]), Buffer.alloc(LONG, ' ')])
    expectError(
      await s.call('PUT', '/block_user_chat', { raw }),
      400103,
      'The request body must be a JSON object.',
    )
  })

  test('when it is chunked', async () => {
    const body = JSON.stringify({ language: 'it', filters: words(5000) })
    const response = await fetch(new URL('/chat/v1/bad_word_list', s.url), {
      method: 'PUT',
      headers: { Authorization: `Bearer ${TOKEN}` },
      body: new ReadableStream({
        start(controller) {
          for (let start = 0; start < body.length; start += 10_000)
            controller.enqueue(new TextEncoder().encode(body.slice(start, start + 10_000)))
          controller.close()
        },
      }),
    })
    expect([response.status, await response.text()]).toEqual([200, body])
  })
})

test('a body of more than 64 KiB is parsed off the event loop', async () => {
  using parse = spyOn(BodyParser.prototype, 'parse')
  const ban = (bytes: number) =>
    s.call('PUT', '/block_user_chat', { raw: '{"gamer_id":"p","days":1}'.padEnd(bytes) })
  expect((await ban(LONG)).status).toBe(200)
  expect(parse).toHaveBeenCalledTimes(0)
  expect((await ban(LONG + 1)).status).toBe(200)
  expect(parse).toHaveBeenCalledTimes(1)
})

describe('a long list', () => {
  test('is returned exactly, in the response and in the list', async () => {
    const filters = [...words(20_000), '한 글', '👾', ' "quoted" ', '\\', '*open*']
    expectSuccess(await s.call('PUT', '/bad_word_list', { body: { language: 'de', filters } }), {
      language: 'de',
      filters,
    })
    const entries: { language: string; filters: string[] }[] = (await s.call('GET', '/bad_word_list')).json
    expect(entries.find(({ language }) => language === 'de')?.filters).toEqual(filters)
    const body = { language: 'de', texts: ['12345 xxxxxxxxxxxxxxxxxxxx'] }
    expect((await s.call('POST', '/filter_check', { body })).json.results[0].hits).toMatchObject([
      { expression: '12345 xxxxxxxxxxxxxxxxxxxx', language: 'de' },
    ])
  })

  test('can be retried with its Idempotency-Key, unlike another list', async () => {
    const put = (filters: string[]) =>
      s.call('PUT', '/bad_word_list', {
        body: { language: 'nl', filters },
        headers: { 'Idempotency-Key': 'long-list' },
      })
    const first = await put(words(5000))
    const again = await put(words(5000))
    expect([again.status, again.text]).toEqual([200, first.text])
    expectError(await put(words(5001)), 400111, '"Idempotency-Key" has an invalid value.')
  })
})

describe('a body of 8 MiB', () => {
  const fill = (open: string, element: string, close: string) => {
    const count = Math.floor((MAX - open.length - close.length) / (element.length + 1))
    return `${open}${`${element},`.repeat(count).slice(0, -1)}${close}`
  }

  test.each([
    ['of numbers', 'PUT', '/bad_word_list', fill('{"language":"en","filters":[', '0', ']}'), 400102],
    [
      'of too many strings',
      'PUT',
      '/bad_word_list',
      fill('{"language":"en","filters":[', '"a"', ']}'),
      400110,
    ],
    ['of arrays as texts', 'POST', '/filter_check', fill('{"language":"en","texts":[', '[]', ']}'), 400102],
    ['of nesting', 'PUT', '/block_user_chat', '['.repeat(MAX), 400103],
    ['of keys', 'PUT', '/block_user_chat', fill('{', '"a":0', '}'), 400103],
  ])('%s is rejected without delaying other requests', async (_, method, path, raw, code) => {
    const rejected = s.call(method, path, { raw })
    expect((await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'p', days: 1 } })).status).toBe(200)
    expect((await rejected).json.code).toBe(code)
  })

  test('gets a result or a 503 with Retry-After under load, without delaying short bodies', async () => {
    const raw = fill('{"language":"en","filters":[', '0', ']}').slice(0, LONG * 4)
    const long = Array.from({ length: 100 }, () => s.call('PUT', '/bad_word_list', { raw }))
    expect((await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'p', days: 1 } })).status).toBe(200)
    for (const { status, headers } of await Promise.all(long)) {
      expect([400, 503]).toContain(status)
      if (status === 503) expect(headers.get('retry-after')).toBe('1')
    }
    expectSuccess(await s.call('PUT', '/bad_word_list', { body: { language: 'en', filters: words(5000) } }), {
      language: 'en',
      filters: words(5000),
    })
  })
})

const STALLED = {
  'announced but never sent': [`Content-Length: ${LONG + 1}`, ''],
  'chunked without a last chunk': [
    'Transfer-Encoding: chunked',
    `${(LONG + 1).toString(16)}\r\n${' '.repeat(LONG + 1)}\r\n`,
  ],
} as const

/** Starts a request whose long body never ends. */
function stall(url: string, [header, sent]: readonly [header: string, sent: string]): Promise<Socket> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', reject)
    const head = rawHead('PUT', '/bad_word_list', header)
    socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`, () => resolve(socket))
  })
}

test.each(Object.entries(STALLED))(
  'long bodies %s delay only other long bodies, until they disconnect',
  async (_, parts) => {
    await using own = await startTestServer()
    const ban = () => own.call('PUT', '/block_user_chat', { body: { gamer_id: 'p', days: 1 } })
    const edit = () => own.call('PUT', '/bad_word_list', { body: { language: 'en', filters: words(5000) } })
    const stalled = await Promise.all(Array.from({ length: 64 }, () => stall(own.url, parts)))
    expect((await ban()).status).toBe(200)
    // The last bodies may not have arrived yet.
    const rejected = await until(edit, ({ status }) => status !== 200)
    expectError(rejected, 503100, 'The service is temporarily unavailable.')
    expect(rejected.headers.get('retry-after')).toBe('1')
    expect((await ban()).status).toBe(200)
    for (const socket of stalled) socket.destroy()
    // Queued requests notice their closed connections one after the other.
    while ((await edit()).status !== 200);
  },
)

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestServer, type TestServer, TOKEN } from '../support/server.ts'
import {
  expectError,
  expectSuccess,
  invalid,
  makeChannel,
  NOT_OBJECT,
  rawHead,
  required,
  sendRaw,
} from './helpers.ts'

const MAX_BODY = 65_536
const LARGE = 'The request body is too large.'

let s: TestServer

beforeAll(async () => {
  s = await startTestServer({ PARLEY_MAX_BODY_BYTES: String(MAX_BODY) })
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const ban = (raw: string | Uint8Array) => s.call('PUT', '/block_user_chat', { raw })

describe('JSON', () => {
  test.each([
    '',
    ' ',
    '{',
    '[]',
    '[{"gamer_id":"x","days":1}]',
    'null',
    'true',
    '3',
    '"text"',
    '{"a":1}{}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":1,}',
    'gamer_id=x&days=1',
    '\u0000',
  ])('rejects a body that is not a JSON object with 400103: %j', async (raw) => {
    expectError(await ban(raw), 400103, NOT_OBJECT)
  })

  test('rejects a write without a body with 400103', async () => {
    expectError(await s.call('PUT', '/block_user_chat'), 400103, NOT_OBJECT)
    expectError(await s.call('DELETE', '/block_user_chat'), 400103, NOT_OBJECT)
  })

  test('rejects a body that is not valid UTF-8 with 400103', async () => {
    const head = Buffer.from('{"days":1,"gamer_id":"')
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xc0, 0xaf]])
      expectError(await ban(Buffer.concat([head, Buffer.from(bytes), Buffer.from('"}')])), 400103, NOT_OBJECT)
  })

  test('accepts whitespace, escapes and a byte order mark', async () => {
    const echo = { gamer_id: 'é👾', days: 1 }
    expectSuccess(await ban('\n { "days" :\t1.0 , "gamer_id" : "\\u00e9\\ud83d\\udc7e" } \r\n'), echo)
    expectSuccess(await ban(`\ufeff${JSON.stringify(echo)}`), echo)
  })

  test('takes the last of duplicate keys', async () => {
    expectSuccess(await ban('{"gamer_id":"first","days":1,"gamer_id":"last"}'), { gamer_id: 'last', days: 1 })
    expectError(await ban('{"gamer_id":"x","days":1,"days":null}'), 400105, required('days'))
  })
})

describe('properties', () => {
  test('ignores unknown properties and leaves them out of the echo', async () => {
    expectSuccess(await ban('{"gamer_id":"x","days":1,"more":{"deep":[1]},"":0}'), { gamer_id: 'x', days: 1 })
    expectSuccess(await s.call('GET', '/open_channels?channel_group=none&more=1'), [])
    expect((await s.call('GET', '/block_user_list?channel_group=&more=1')).status).toBe(200)
  })

  test('treats null as missing', async () => {
    expectError(await ban('{"gamer_id":null,"days":1}'), 400105, required('gamer_id'))
    const body = {
      channel_group: 'nulls',
      channel_name: 'a',
      max_count: null,
      is_default: null,
      is_autoscaling: null,
    }
    expect((await s.call('PUT', '/open_channels', { body })).json).toMatchObject({
      max_count: 50,
      is_default: false,
    })
  })

  test.each([
    { days: '3', code: 400101 },
    { days: true, code: 400101 },
    { days: [3], code: 400101 },
    { gamer_id: 3, code: 400100 },
    { gamer_id: ['x'], code: 400100 },
    { gamer_id: false, code: 400100 },
  ])('does not coerce types: %j', async ({ code, ...property }) => {
    const response = await ban(JSON.stringify({ gamer_id: 'x', days: 1, ...property }))
    expect(response.json.code).toBe(code)
  })

  test.each(['true', 1, 0, ''])('does not coerce %j to a boolean', async (is_default) => {
    const body = { channel_group: 'g', channel_name: 'n', is_default }
    expectError(await s.call('PUT', '/open_channels', { body }), 400104, '"is_default" must be a boolean.')
  })

  test('rejects the number 1e400', async () => {
    expectError(await ban('{"gamer_id":"x","days":1e400}'), 400111, invalid('days'))
    const raw = '{"channel_group":"g","channel_name":"n","max_count":1e400}'
    expectError(await s.call('PUT', '/open_channels', { raw }), 400111, invalid('max_count'))
  })

  test('ignores __proto__ and constructor', async () => {
    expectError(await ban('{"__proto__":{"gamer_id":"x","days":1}}'), 400105, required('gamer_id'))
    expectError(
      await ban('{"__proto__":{"gamer_id":"x"},"gamer_id":null,"days":1}'),
      400105,
      required('gamer_id'),
    )
    expectError(
      await ban('{"constructor":{"prototype":{"gamer_id":"x"}},"days":1}'),
      400105,
      required('gamer_id'),
    )
    const response = await ban('{"gamer_id":"x","days":1,"__proto__":{"polluted":true},"toString":1}')
    expect(response.text).toBe('{"gamer_id":"x","days":1}')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('limits the nesting depth of the body', async () => {
    const nested = (depth: number) =>
      `{"gamer_id":"x","days":1,"more":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect((await ban(nested(31))).status).toBe(200)
    expectError(await ban(nested(32)), 400103, NOT_OBJECT)
    expectError(await ban(nested(1000)), 400103, NOT_OBJECT)
    expectError(await ban('{"a":'.repeat(1000)), 400103, NOT_OBJECT)
  })

  test('limits the number of keys in the body', async () => {
    const withKeys = (count: number) =>
      JSON.stringify({
        gamer_id: 'x',
        days: 1,
        ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0])),
      })
    expect((await ban(withKeys(998))).status).toBe(200)
    expectError(await ban(withKeys(999)), 400103, NOT_OBJECT)
    expectError(await ban(withKeys(5000)), 400103, NOT_OBJECT)
  })

  test('does not count brackets and colons inside strings', async () => {
    const filters = [
      '[{'.repeat(60),
      ':'.repeat(120),
      '\\"'.repeat(50),
      ...Array.from({ length: 400 }, () => '":[{:'),
    ]
    expectSuccess(await s.call('PUT', '/bad_word_list', { body: { language: 'xx', filters } }), {
      language: 'xx',
      filters,
    })
  })
})

describe('DELETE', () => {
  test('reads its properties from the query when there is no body', async () => {
    await makeChannel(s.call, 'q & a', 'über')
    const query = new URLSearchParams({ channel_group: 'q & a', channel_name: 'über', more: '1' })
    expectSuccess(await s.call('DELETE', `/open_channels?${query}`), [
      { channel_group: 'q & a', channel_name: 'über', channel_id: 1 },
    ])
    expectSuccess(await s.call('DELETE', '/block_user_chat?gamer_id=1234'), { gamer_id: '1234' })
  })

  test.each(['{}', ' { }\r\n'])('reads the query when the body is an empty object: %j', async (raw) => {
    expectSuccess(await s.call('DELETE', '/block_user_chat?gamer_id=1234', { raw }), { gamer_id: '1234' })
    expectError(await s.call('DELETE', '/block_user_chat', { raw }), 400105, required('gamer_id'))
  })

  test('validates the query like the body', async () => {
    expectError(await s.call('DELETE', '/open_channels?channel_group=g'), 400105, required('channel_name'))
    expectError(await s.call('DELETE', '/block_user_chat?gamer_id='), 400111, invalid('gamer_id'))
  })

  test('prefers the body over the query', async () => {
    const response = await s.call('DELETE', '/block_user_chat?gamer_id=query', { body: { gamer_id: 'body' } })
    expectSuccess(response, { gamer_id: 'body' })
  })

  test('is the only write that reads the query', async () => {
    expectError(await s.call('PUT', '/block_user_chat?gamer_id=x&days=1'), 400103, NOT_OBJECT)
  })
})

describe('Content-Encoding', () => {
  const body = '{"gamer_id":"x","days":1}'
  const encoded = (encoding: string, raw: string | Uint8Array = body) =>
    s.call('PUT', '/block_user_chat', { raw, headers: { 'Content-Encoding': encoding } })

  test.each(['gzip', 'br', 'zstd', 'deflate', 'identity, gzip', 'nonsense'])(
    'rejects %s with 415100',
    async (encoding) => {
      const response = await encoded(encoding, Bun.gzipSync(body))
      expectError(response, 415100, 'The content encoding of the request body is not supported.')
      expect(response.headers.get('accept-encoding')).toBe('identity')
    },
  )

  test.each(['identity', 'IDENTITY', ''])('accepts %j', async (encoding) => {
    expectSuccess(await encoded(encoding), { gamer_id: 'x', days: 1 })
  })

  test('is ignored on GET', async () => {
    expect(
      (await s.call('GET', '/block_user_list', { headers: { 'Content-Encoding': 'gzip' } })).status,
    ).toBe(200)
  })
})

describe('size', () => {
  const padded = (size: number) => {
    const body = '{"gamer_id":"x","days":1}'
    return body + ' '.repeat(size - body.length)
  }
  const chunked = (text: string) =>
    fetch(new URL('/chat/v1/block_user_chat', s.url), {
      method: 'PUT',
      headers: { Authorization: `Bearer ${TOKEN}` },
      body: new ReadableStream({
        start(controller) {
          for (let start = 0; start < text.length; start += 10_000)
            controller.enqueue(new TextEncoder().encode(text.slice(start, start + 10_000)))
          controller.close()
        },
      }),
    })

  test('accepts a body at the limit and rejects one byte more with 413100', async () => {
    expect((await ban(padded(MAX_BODY))).status).toBe(200)
    expectError(await ban(padded(MAX_BODY + 1)), 413100, LARGE)
  })

  test('accepts a chunked body at the limit and rejects one byte more with 413100', async () => {
    expect((await chunked(padded(MAX_BODY))).status).toBe(200)
    const rejected = await chunked(padded(MAX_BODY + 1))
    expect([rejected.status, await rejected.json()]).toEqual([
      413,
      { message: LARGE, code: 413100, error: true },
    ])
  })

  test('rejects a Content-Length over the limit without reading the body', async () => {
    const response = await sendRaw(s.url, rawHead('PUT', '/block_user_chat', 'Content-Length: 999999999999'))
    expect(response).toStartWith('HTTP/1.1 413')
    expect(response).toContain('"code":413100')
  })

  test('rejects an endless chunked body at the limit', async () => {
    const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`
    const head = rawHead('PUT', '/block_user_chat', 'Transfer-Encoding: chunked')
    expect(await sendRaw(s.url, head, chunk.repeat(17))).toStartWith('HTTP/1.1 413')
  })

  test('is limited to 8 MiB by default', async () => {
    await using own = await startTestServer()
    const bound = 8 * 1024 * 1024
    expect((await own.call('PUT', '/block_user_chat', { raw: padded(bound) })).status).toBe(200)
    expectError(await own.call('PUT', '/block_user_chat', { raw: padded(bound + 1) }), 413100, LARGE)
  })
})

import { describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Compressor, chooseCoding, type Encodable } from './compression.ts'
import type { ChunkSource } from './streams/stream.ts'

const TEXT = 'a body that is long enough '.repeat(100)
const accepting = (codings: string, method = 'GET') =>
  new Request('http://parley/', { method, headers: { 'Accept-Encoding': codings } })
const response = (more: Partial<Encodable> = {}, type = 'application/json') => ({
  headers: new Headers({ 'Content-Type': type, ETag: '"7"' }),
  ...more,
})

describe('chooseCoding', () => {
  test.each([
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd;q=0.5, gzip', 'gzip'],
    ['zstd;q=0, gzip;q=0.001', 'gzip'],
    ['gzip ; q=1.000', 'gzip'],
    ['*', 'zstd'],
    ['zstd;q=0, *', 'gzip'],
    ['identity;q=0, *;q=0.1', 'zstd'],
    ['gzip;q=0.5, identity;q=0.5', 'gzip'],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['gzip, *;q=0', 'gzip'],
    ['identity;q=0', undefined],
    ['br, deflate', undefined],
    ['gzip;q=2', undefined],
    ['gzip;q=x', undefined],
    ['x-gzip', undefined],
    ['', undefined],
    [',;,q=1', undefined],
  ] as const)('%j: %s', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding)
  })

  test('chooses none without the header', () => {
    expect(chooseCoding(null)).toBeUndefined()
  })
})

describe('Compressor', () => {
  test('compresses and sets the headers to match', async () => {
    const given = response()
    const bytes = await new Compressor().encode(accepting('gzip'), given, TEXT)
    expect(gunzipSync(bytes as Uint8Array).toString()).toBe(TEXT)
    expect(Object.fromEntries(given.headers)).toEqual({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      etag: '"7-gzip"',
      vary: 'Accept-Encoding',
    })
  })

  test('keeps the ETag of a write, which names the list and not this response', async () => {
    const given = response()
    await new Compressor().encode(accepting('gzip', 'PUT'), given, TEXT)
    expect(given.headers.get('etag')).toBe('"7"')
  })

  test('compresses a cached body once, also for concurrent requests', async () => {
    const compressor = new Compressor()
    const variants = new Map()
    const encode = (coding: string) => compressor.encode(accepting(coding), response({ variants }), TEXT)
    const [one, other] = await Promise.all([encode('gzip'), encode('gzip')])
    expect(other).toBe(one)
    expect(await encode('gzip')).toBe(one)
    expect(await encode('zstd')).not.toBe(one)
  })

  test('sends responses uncompressed while eight compressions are in progress', async () => {
    const compressor = new Compressor()
    const busy = Array.from({ length: 8 }, () => compressor.encode(accepting('gzip'), response(), TEXT))
    const ninth = response()
    expect(compressor.encode(accepting('gzip'), ninth, TEXT)).toBe(TEXT)
    expect(ninth.headers.get('content-encoding')).toBeNull()
    expect(ninth.headers.get('vary')).toBe('Accept-Encoding')
    await Promise.all(busy)
    expect(compressor.encode(accepting('gzip'), response(), TEXT)).toBeInstanceOf(Promise)
  })

  test.each([
    ['short bodies', response(), 'x'.repeat(1023)],
    ['responses without a body', response(), null],
    ['secrets', response({ isSecret: true }), TEXT],
    ['encoded bodies', { headers: new Headers({ 'Content-Encoding': 'br' }) }, TEXT],
    ['images', response({}, 'image/png'), TEXT],
    ['fonts', response({}, 'font/woff2'), TEXT],
    ['event streams', response({}, 'text/event-stream'), TEXT],
  ])('does not compress %s', (_, given, body) => {
    expect(new Compressor().encode(accepting('gzip'), given, body)).toBe(body)
    expect(given.headers.has('vary')).toBe(false)
  })
})

describe('Compressor of streams', () => {
  async function* chunks(count: number) {
    for (let index = 0; index < count; index++) yield TEXT
  }
  const onError = (thrown: unknown) => {
    throw thrown
  }

  test.each([
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('compresses with %s and sets the headers to match', async (coding, decompress) => {
    const given = response()
    const source = { source: chunks(100), onError }
    const stream = new Compressor().encodeStream(accepting(coding), given, source)
    expect(decompress(await new Response(stream).bytes()).toString()).toBe(TEXT.repeat(100))
    expect(given.headers.get('content-encoding')).toBe(coding)
    expect(given.headers.get('etag')).toBe(`"7-${coding}"`)
    expect(given.headers.get('vary')).toBe('Accept-Encoding')
  })

  test('sends streams uncompressed while eight are in progress, however they end', async () => {
    const compressor = new Compressor()
    const open = () => {
      const given = response()
      const stream = compressor.encodeStream(accepting('gzip'), given, { source: chunks(3), onError })
      return { stream, isCompressed: given.headers.has('content-encoding') }
    }
    const [first, second, ...others] = Array.from({ length: 8 }, open)
    expect(open().isCompressed).toBe(false)
    await first?.stream.cancel()
    await new Response(second?.stream).bytes()
    expect([open(), open(), open()].map(({ isCompressed }) => isCompressed)).toEqual([true, true, false])
    expect(others.every(({ isCompressed }) => isCompressed)).toBe(true)
  })

  test('counts a stream once whose client leaves while its source is busy', async () => {
    const compressor = new Compressor()
    const open = (source: ChunkSource) => {
      const given = response()
      const stream = compressor.encodeStream(accepting('gzip'), given, { source, onError })
      return { stream, isCompressed: given.headers.has('content-encoding') }
    }
    const chunk = Promise.withResolvers<IteratorResult<string>>()
    const [pulled, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    async function next() {
      pulled.resolve()
      return chunk.promise
    }
    async function leave() {
      left.resolve()
      return { done: true, value: undefined } as const
    }
    const { stream } = open({ [Symbol.asyncIterator]: () => ({ next, return: leave }) })
    for (let count = 1; count < 8; count++) open(chunks(3))
    await pulled.promise
    const cancelled = stream.cancel()
    await left.promise
    chunk.resolve({ done: false, value: TEXT })
    await cancelled
    await new Promise((resolve) => setImmediate(resolve))
    expect([open(chunks(3)), open(chunks(3))].map(({ isCompressed }) => isCompressed)).toEqual([true, false])
  })
})

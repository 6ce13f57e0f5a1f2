import { describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { type Body, Compressor, chooseCoding } from './compression.ts'

const TEXT = 'a body that is long enough '.repeat(100)
const asking = (accepted: string, method = 'GET') =>
  new Request('http://parley/', { method, headers: { 'Accept-Encoding': accepted } })
const answer = (body: Body, more: object = {}) => ({
  body,
  headers: new Headers({ ETag: '"7"' }),
  ...more,
})

describe('the coding that a caller asks for', () => {
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

  test('is none where there is no header', () => {
    expect(chooseCoding(null)).toBeUndefined()
  })
})

describe('Compressor', () => {
  test('compresses, and labels the answer', async () => {
    const given = answer(TEXT)
    const bytes = await new Compressor().encode(asking('gzip'), given)
    expect(gunzipSync(bytes as Uint8Array).toString()).toBe(TEXT)
    expect(Object.fromEntries(given.headers)).toEqual({
      'content-encoding': 'gzip',
      etag: '"7-gzip"',
      vary: 'Accept-Encoding',
    })
  })

  test('leaves the tag of a write alone: it is the tag of the list, not of this answer', async () => {
    const given = answer(TEXT)
    await new Compressor().encode(asking('gzip', 'PUT'), given)
    expect(given.headers.get('etag')).toBe('"7"')
  })

  test('compresses a kept body once, also for callers who come while it is being compressed', async () => {
    const compressor = new Compressor()
    const variants = new Map()
    const encode = (coding: string) => compressor.encode(asking(coding), answer(TEXT, { variants }))
    const [one, other] = await Promise.all([encode('gzip'), encode('gzip')])
    expect(other).toBe(one)
    expect(await encode('gzip')).toBe(one)
    expect(await encode('zstd')).not.toBe(one)
  })

  test('sends answers as they are while eight others are being compressed', async () => {
    const compressor = new Compressor()
    const busy = Array.from({ length: 8 }, () => compressor.encode(asking('gzip'), answer(TEXT)))
    const ninth = answer(TEXT)
    expect(compressor.encode(asking('gzip'), ninth)).toBe(TEXT)
    expect(ninth.headers.get('content-encoding')).toBeNull()
    expect(ninth.headers.get('vary')).toBe('Accept-Encoding')
    await Promise.all(busy)
    expect(compressor.encode(asking('gzip'), answer(TEXT))).toBeInstanceOf(Promise)
  })

  test.each([
    ['short ones', answer('x'.repeat(1023))],
    ['those without a body', answer(null)],
    ['secrets', answer(TEXT, { isSecret: true })],
    ['what is encoded already', { ...answer(TEXT), headers: new Headers({ 'Content-Encoding': 'br' }) }],
  ])('leaves %s alone', (_, given) => {
    expect(new Compressor().encode(asking('gzip'), given)).toBe(given.body)
    expect(given.headers.has('vary')).toBe(false)
  })
})

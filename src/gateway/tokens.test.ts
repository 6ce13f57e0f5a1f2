import { describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { PlayerTokens } from './tokens.ts'

/** Long enough for every HMAC in JWT, so that only the algorithm check can reject a token. */
const SECRET = 'a-secret-that-is-long-enough-for-hmac-sha-512-which-wants-64-bytes-of-it'
const NOW_MS = 1_800_000_000_000
const EXPIRY = NOW_MS / 1000 + 60

const tokens = new PlayerTokens(SECRET, () => NOW_MS, { idBytes: 128, nameBytes: 64 })
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function sign(claims: object, { alg = 'HS256', hash = 'sha256', secret = SECRET } = {}): string {
  const signed = `${base64url({ alg, typ: 'JWT' })}.${base64url({ sub: '1', exp: EXPIRY, ...claims })}`
  return `${signed}.${createHmac(hash, secret).update(signed).digest('base64url')}`
}

const verify = (claims: object) => tokens.verify(sign(claims))

describe('a player token', () => {
  test('identifies the player', async () => {
    expect(await verify({ sub: '1234', name: 'Mina', lang: 'ko-KR' })).toEqual({
      player: { id: '1234', name: 'Mina' },
      language: 'ko-KR',
    })
  })

  test('uses the id as the name when it has none, whatever the limit for names', async () => {
    const sub = 'x'.repeat(128)
    for (const claims of [{ sub }, { sub, name: null, lang: null }])
      expect(await verify(claims)).toEqual({ player: { id: sub, name: sub }, language: undefined })
  })

  test('is normalized to NFC', async () => {
    expect(await verify({ sub: 'cafe\u0301', name: 'Zoe\u0308' })).toMatchObject({
      player: { id: 'caf\u00e9', name: 'Zo\u00eb' },
    })
  })

  test.each([
    ['HS384', 'sha384'],
    ['HS512', 'sha512'],
    ['HS512', 'sha256'],
    ['none', 'sha256'],
  ])('with algorithm %s, signed with %s and the right secret, is rejected', async (alg, hash) => {
    expect(await tokens.verify(sign({}, { alg, hash }))).toBeUndefined()
  })

  test('without a signature is rejected', async () => {
    for (const alg of ['none', 'None', 'HS256'])
      expect(
        await tokens.verify(`${base64url({ alg })}.${base64url({ sub: '1', exp: EXPIRY })}.`),
      ).toBeUndefined()
  })

  test('signed with another secret is rejected', async () => {
    expect(await tokens.verify(sign({}, { secret: `${SECRET}x` }))).toBeUndefined()
  })

  test('is rejected from the second it expires', async () => {
    expect(await verify({ exp: NOW_MS / 1000 + 1 })).toBeDefined()
    expect(await verify({ exp: NOW_MS / 1000 })).toBeUndefined()
    expect(await verify({ exp: undefined })).toBeUndefined()
  })

  test.each([
    ['an id that is a number', { sub: 1234 }],
    ['an id that is an object', { sub: {} }],
    ['no id', { sub: undefined }],
    ['an empty id', { sub: '' }],
    ['a blank id', { sub: '\u200b' }],
    ['an id of 129 bytes', { sub: 'x'.repeat(129) }],
    ['a name that is an object', { name: {} }],
    ['a name that is a number', { name: 7 }],
    ['a name that is an array', { name: ['Mina'] }],
    ['an empty name', { name: '' }],
    ['a blank name', { name: '\u3164' }],
    ['a name with a bidi override', { name: 'a\u202eb' }],
    ['a name of 65 bytes', { name: 'x'.repeat(65) }],
    ['an invalid language', { lang: 'not a language!!' }],
    ['a language that is a number', { lang: 1 }],
    ['an empty language', { lang: '' }],
    ['a language with 8,000 subtags', { lang: `en${'-aa'.repeat(8000)}` }],
  ])('with %s is rejected', async (_, claims) => {
    expect(await verify(claims)).toBeUndefined()
  })
})

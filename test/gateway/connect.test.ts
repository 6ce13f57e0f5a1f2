import { describe, expect, test } from 'bun:test'
import { SignJWT } from 'jose'
import { PLAYER_SECRET, signToken, TestPlayer } from '../support/player.ts'
import { shareServer } from './support.ts'

const s = shareServer()

describe('connect', () => {
  test('opens a session and identifies the player by the token', async () => {
    using mina = await TestPlayer.open(s.url)
    const reply = await mina.ask('connect', { token: await signToken('1', { name: 'Mina', lang: 'ko-kr' }) })
    expect(reply).toMatchObject({
      type: 'connected',
      gamer_id: '1',
      gamer_name: 'Mina',
      language: 'ko-kr',
      ban: null,
    })
    expect(reply.session_id).toBeString()
  })

  test.each([
    ['expired', () => signToken('1', { exp: 1 })],
    ['signed with another secret', () => signToken('1', {}, 'another-secret-another-secret-another-s')],
    ['without an id', () => signToken('')],
    ['that is not a JWT', async () => 'nonsense'],
    [
      'without an algorithm',
      async () => `${btoa('{"alg":"none"}')}.${btoa('{"sub":"1","exp":9999999999}')}.`,
    ],
    [
      'without an expiry',
      () =>
        new SignJWT({ sub: '1' })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(PLAYER_SECRET)),
    ],
    [
      'with another algorithm',
      () =>
        new SignJWT({ sub: '1', exp: 9_999_999_999 })
          .setProtectedHeader({ alg: 'HS512' })
          .sign(new TextEncoder().encode(PLAYER_SECRET)),
    ],
  ])('rejects a token %s and closes with 4101', async (_, makeToken) => {
    using stranger = await TestPlayer.open(s.url)
    expect(await stranger.ask('connect', { token: await makeToken() })).toMatchObject({
      code: 'NOT_AUTHENTICATION',
    })
    expect((await stranger.closed).code).toBe(4101)
  })

  test('rejects every other request except ping before it', async () => {
    using early = await TestPlayer.open(s.url)
    expect(await early.join('global', 'x')).toMatchObject({ type: 'error', code: 'NOT_AUTHENTICATION' })
    expect(await early.ask('ping')).toMatchObject({ type: 'pong' })
  })

  test('accepts a token minted by the management API', async () => {
    const { json } = await s.call('POST', '/player_tokens', { body: { gamer_id: '7', gamer_name: 'Joon' } })
    using joon = await TestPlayer.open(s.url)
    expect(await joon.ask('connect', { token: json.token })).toMatchObject({
      gamer_id: '7',
      gamer_name: 'Joon',
    })
  })

  test('replaces the first connection of a player by the second', async () => {
    await s.createGroup({ name: 'a' })
    using first = await s.connect('p')
    await first.join(s.group, 'a')
    using second = await s.connect('p')
    expect(await first.push('error')).toMatchObject({ id: null, code: 'DUPLICATE_CONNECTION' })
    expect((await first.closed).code).toBe(4102)
    expect(await second.join(s.group, 'a')).toMatchObject({ type: 'joined', channel_id: 1 })
    expect(await second.say(s.group, 'only me')).toMatchObject({ type: 'said', seq: 1 })
    await second.push('message')
    expect([first.heard, second.heard]).toEqual([[], ['only me']])
  })
})

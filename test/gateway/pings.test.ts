import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config.ts'
import { RawClient } from '../faults/support.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { startTestServer } from '../support/server.ts'

const HANDSHAKE = [
  'GET /gateway/v1 HTTP/1.1',
  'Host: parley',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  '\r\n',
].join('\r\n')

const PING = '\x89\x00'
const PINGS = new RegExp(`\r\n\r\n(${PING}){3}$`)

test('players are pinged within 30 seconds by default', () => {
  expect(readConfig({ flags: {}, env: {} }).listen.pingSeconds).toBeLessThan(30)
})

test('pings every connection at the configured interval and closes one that never replies', async () => {
  await using s = await startTestServer({ PARLEY_PING_SECONDS: '1', PARLEY_PLAYER_SECRET: PLAYER_SECRET })
  using player = await TestPlayer.connect(s.url, 'alive')
  using silent = await RawClient.connect(s.url)
  await silent.send(HANDSHAKE).until(PINGS)
  await silent.closed
  expect((await player.ask('ping')).type).toBe('pong')
}, 60_000)

import { expect, test } from 'bun:test'
import { readConfig } from '../../src/config.ts'
import { RawClient } from '../faults/support.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { startTestServer } from '../support/server.ts'
import { OP, RawWebSocket } from './raw-websocket.ts'

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

/** Sends a request for each ping instead of a pong. */
async function talk(client: RawWebSocket): Promise<void> {
  const countPings = () => client.received.filter(({ opcode }) => opcode === OP.ping).length
  for (let next = 1; ; next++) {
    await client.until(() => client.isClosed || countPings() >= next)
    if (client.isClosed) return
    client.send({ type: 'ping', id: next })
  }
}

test('pings every connection at the configured interval and closes one that never sends anything', async () => {
  await using s = await startTestServer({ PARLEY_PING_SECONDS: '1', PARLEY_PLAYER_SECRET: PLAYER_SECRET })
  using player = await TestPlayer.connect(s.url, 'alive')
  const talkative = await RawWebSocket.open(s.url)
  const talked = talk(talkative)
  using silent = await RawClient.connect(s.url)
  await silent.send(HANDSHAKE).until(PINGS)
  await silent.closed
  expect((await player.ask('ping')).type).toBe('pong')
  expect(await talkative.ask({ type: 'ping', id: 1000 })).toMatchObject({ type: 'pong' })
  talkative[Symbol.dispose]()
  await talked
}, 60_000)

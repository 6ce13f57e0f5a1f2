import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { ClientOptions } from '../src/index.ts'
import {
  CHANNEL,
  CONNECTED,
  connect,
  connectAndJoin,
  createHarness,
  reconnect,
  ScriptedServer,
  type WireFrame,
} from './scripted-server.ts'

let server: ScriptedServer
beforeEach(() => {
  server = new ScriptedServer()
})
afterEach(() => server.stop())

describe('reconnect', () => {
  test('doubles the backoff, and resets it after a stable connection', async () => {
    const harness = await connect(server, { backoff: { baseMs: 100, maxMs: 1000 } })
    const waits: number[] = []
    let { connection } = harness
    for (let count = 0; count < 6; count++) {
      const lost = harness.next('disconnected')
      connection.close(4008)
      const { code, retryInMs } = await lost
      expect(code).toBe(4008)
      waits.push(retryInMs)
      harness.timers.advance(retryInMs)
      const connected = harness.next('connected')
      connection = await server.accept()
      await connected
    }
    expect(waits).toEqual([100, 200, 400, 800, 1000, 1000])
    harness.timers.advance(25_000)
    const lost = harness.next('disconnected')
    connection.close(1001)
    expect((await lost).retryInMs).toBe(100)
  })

  test('picks a random wait below the bound', async () => {
    const harness = await connect(server, { random: () => 0.25 })
    const lost = harness.next('disconnected')
    harness.connection.close(4000)
    expect((await lost).retryInMs).toBe(125)
  })

  test.each([1001, 1011, 1012, 1013, 4000, 4001, 4002, 4008, 4009, 4099])(
    'happens after close code %d',
    async (code) => {
      const harness = await connect(server)
      const connected = harness.next('connected')
      await reconnect(server, harness, code)
      expect((await connected).gamerId).toBe('p-1')
    },
  )

  test.each([4100, 4101, 4102, 4103, 4199])('does not happen after close code %d', async (code) => {
    const harness = await connectAndJoin(server)
    const closed = harness.next('closed')
    harness.connection.close(code)
    expect(await closed).toEqual({ code, reason: 'scripted', error: undefined })
    expect(harness.timers.size).toBe(0)
    await expect(harness.client.say('global', 'hello')).rejects.toMatchObject({ code: 'CLOSED' })
  })

  test('waits as long as a flood-control error says', async () => {
    const { client, next } = createHarness(server)
    const lost = next('disconnected')
    const session = client.connect()
    const connection = await server.connections.take()
    await connection.reply('connect', {
      type: 'error',
      code: 'MESSAGE_SPAM',
      message: '',
      retry_after_ms: 7000,
    })
    connection.close(4009)
    expect(await lost).toMatchObject({ code: 4009, retryInMs: 7000, error: { code: 'MESSAGE_SPAM' } })
    client.close()
    await expect(session).rejects.toMatchObject({ code: 'MESSAGE_SPAM' })
  })

  test('fails connect with the error that the server sent for the token', async () => {
    const { client, timers, next } = createHarness(server)
    const closed = next('closed')
    const session = client.connect()
    const connection = await server.connections.take()
    await connection.reply('connect', { type: 'error', code: 'NOT_AUTHENTICATION', message: 'Who are you?' })
    connection.close(4101)
    await expect(session).rejects.toMatchObject({ code: 'NOT_AUTHENTICATION', message: 'Who are you?' })
    expect(await closed).toMatchObject({ code: 4101, error: { code: 'NOT_AUTHENTICATION' } })
    expect(timers.size).toBe(0)
  })

  test('calls the token function before each connection and treats its failure as a failed connection', async () => {
    const tokens = ['token-1', new Error('backend unavailable'), 'token-2']
    const token = async () => {
      const next = tokens.shift()
      if (typeof next !== 'string') throw next
      return next
    }
    const { client, timers, next } = createHarness(server, { token })
    void client.connect()
    const connection = await server.connections.take()
    expect((await connection.accept())['token']).toBe('token-1')
    await client.connect()
    for (const reason of ['scripted', 'Error: backend unavailable']) {
      const lost = next('disconnected')
      if (reason === 'scripted') connection.close(1012)
      else timers.advance(500)
      expect((await lost).reason).toBe(reason)
    }
    timers.advance(1000)
    const again = await server.connections.take()
    expect((await again.accept())['token']).toBe('token-2')
  })

  test('retries when the server is unreachable', async () => {
    const { client, next, timers } = createHarness(server, { url: 'ws://127.0.0.1:1/gateway/v1' })
    const first = next('disconnected')
    const session = client.connect().catch((error: unknown) => error)
    await first
    const second = next('disconnected')
    timers.advance(500)
    expect((await second).retryInMs).toBe(1000)
    await client.close()
    expect(await session).toMatchObject({ code: 'CLOSED' })
    expect(timers.size).toBe(0)
  })

  test('retries when the server does not reply to connect', async () => {
    const { client, next, timers } = createHarness(server)
    void client.connect()
    const connection = await server.connections.take()
    await connection.expect('connect')
    const lost = next('disconnected')
    timers.advance(10_000)
    timers.advance((await lost).retryInMs)
    await server.accept()
    expect((await client.connect()).sessionId).toBe('s-1')
  })

  test('waits as long as going_away says when the server closes the connection', async () => {
    const harness = await connectAndJoin(server)
    const lost = harness.next('disconnected')
    harness.connection.send({ type: 'going_away', reconnect_in_ms: 7000 })
    harness.connection.close(4001)
    expect((await lost).retryInMs).toBe(7000)
    harness.timers.advance(6999)
    expect(server.connections.size).toBe(0)
    harness.timers.advance(1)
    const connection = await server.accept()
    expect(await connection.expect('resume')).toMatchObject(CHANNEL)
  })

  test('reconnects when going_away says, even if the connection is still open', async () => {
    const harness = await connectAndJoin(server)
    const lifted = harness.next('banLifted')
    harness.connection.send({ type: 'going_away', reconnect_in_ms: 3000 }, { type: 'ban_lifted' })
    await lifted
    harness.timers.advance(3000)
    const connection = await server.accept()
    expect(await harness.connection.closed.promise).toBe(1000)
    expect(await connection.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('ignores frames of an abandoned connection', async () => {
    const sockets: EventTarget[] = []
    // Keeps delivering after close(), like a socket whose closing handshake is still pending.
    class StubbornSocket extends EventTarget {
      constructor() {
        super()
        sockets.push(this)
      }
      send(): void {}
      close(): void {}
    }
    const deliver = (socket: EventTarget | undefined, frame: WireFrame) =>
      socket?.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
    const { client, events, next, timers } = createHarness(server, {
      WebSocket: StubbornSocket as NonNullable<ClientOptions['WebSocket']>,
    })
    const connected = client.connect()
    await Promise.resolve()
    deliver(sockets[0], { id: 'connect', ...CONNECTED })
    await connected
    const lost = next('disconnected')
    timers.advance(35_000)
    await lost
    deliver(sockets[0], { type: 'ban_lifted' })
    deliver(sockets[0], { id: 'connect', ...CONNECTED })
    expect(events.map(([name]) => name)).toEqual(['connected', 'disconnected'])
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { ClientOptions } from '../src/index.ts'
import {
  CONNECTED,
  type ConnectedHarness,
  connect,
  connectAndJoin,
  createHarness,
  type Harness,
  joined,
  message,
  PLACE,
  ScriptedServer,
  type ServerConnection,
  type WireFrame,
} from './scripted-server.ts'

const channelRef = { channelGroup: 'global', channelName: 'plaza', channelId: 2 }
const bodies = (...seqs: number[]) => seqs.map((seq) => ({ ...message(seq), type: undefined }))
const eventsSince = ({ events }: Harness, since: number) =>
  events.slice(since).map(([name, event]) => (name === 'message' ? (event as { seq: number }).seq : name))

let server: ScriptedServer
beforeEach(() => {
  server = new ScriptedServer()
})
afterEach(() => server.stop())

/** Drops the connection and accepts the next one. */
async function reconnect(
  { connection, next, timers }: ConnectedHarness,
  code = 1011,
): Promise<ServerConnection> {
  const lost = next('disconnected')
  connection.close(code)
  timers.advance((await lost).retryInMs)
  return server.accept()
}

describe('resume', () => {
  test('delivers missed messages in order, exactly once', async () => {
    const harness = await connectAndJoin(server)
    const eighth = harness.next('message')
    harness.connection.send(message(8))
    await eighth
    const since = harness.events.length
    const connection = await reconnect(harness)
    const resume = await connection.expect('resume')
    expect(resume).toMatchObject({ ...PLACE, epoch: 'e-1', seq: 8 })
    const lifted = harness.next('banLifted')
    // Live messages overtake the reply and overlap with it.
    connection.send(message(10), message(11))
    connection.send(joined({ id: resume['id'], seq: 10, messages: bodies(9, 10), recovered: true }))
    connection.send(message(12), { type: 'ban_lifted' })
    await lifted
    expect(eventsSince(harness, since)).toEqual([
      'disconnected',
      'connected',
      'resumed',
      9,
      10,
      11,
      12,
      'banLifted',
    ])
  })

  test('emits messageDeleted for messages deleted while offline and does not deliver them', async () => {
    const harness = await connectAndJoin(server)
    const since = harness.events.length
    const connection = await reconnect(harness)
    const resume = await connection.expect('resume')
    const lifted = harness.next('banLifted')
    for (const seq of [6, 9]) connection.send({ type: 'message_deleted', ...PLACE, message_id: `m-${seq}` })
    connection.send(joined({ id: resume['id'], seq: 10, messages: bodies(8, 9, 10), recovered: true }))
    connection.send(message(11), { type: 'ban_lifted' })
    await lifted
    const deleted = 'messageDeleted'
    expect(eventsSince(harness, since).slice(2)).toEqual([
      'resumed',
      8,
      10,
      deleted,
      deleted,
      11,
      'banLifted',
    ])
  })

  test('queues requests until the channels are resumed', async () => {
    const harness = await connectAndJoin(server)
    const connection = await reconnect(harness)
    const said = harness.client.say('global', 'hello')
    const resume = await connection.expect('resume')
    expect(connection.frames.size).toBe(0)
    connection.send(joined({ id: resume['id'], seq: 7, recovered: true }))
    await connection.reply('say', {
      type: 'said',
      message_id: 'm-8',
      seq: 8,
      message: 'hello',
      filtered: false,
    })
    expect((await said).seq).toBe(8)
  })

  test('emits a gap when the server could not recover everything', async () => {
    const harness = await connectAndJoin(server)
    const since = harness.events.length
    const connection = await reconnect(harness)
    const last = harness.next('message')
    await connection.reply('resume', joined({ seq: 90, messages: bodies(90), recovered: false }))
    await last
    expect(eventsSince(harness, since)).toEqual(['disconnected', 'connected', 'gap', 'resumed', 90])
    expect(harness.events[since + 2]).toEqual(['gap', { ...channelRef, reason: 'unrecovered' }])
  })

  test('continues with the sequence of a new epoch', async () => {
    const harness = await connectAndJoin(server)
    const since = harness.events.length
    const connection = await reconnect(harness)
    const lifted = harness.next('banLifted')
    const restarted = (seq: number) => message(seq, { message_id: `n-${seq}` })
    await connection.reply(
      'resume',
      joined({ epoch: 'e-2', seq: 2, messages: [restarted(1), restarted(2)], recovered: false }),
    )
    connection.send(restarted(3), { type: 'ban_lifted' })
    await lifted
    expect(eventsSince(harness, since)).toEqual([
      'disconnected',
      'connected',
      'gap',
      'resumed',
      1,
      2,
      3,
      'banLifted',
    ])
    const again = await reconnect({ ...harness, connection })
    expect(await again.expect('resume')).toMatchObject({ epoch: 'e-2', seq: 3 })
  })

  test('rejoins the channel when its channel number is full or gone', async () => {
    const harness = await connectAndJoin(server)
    const since = harness.events.length
    const connection = await reconnect(harness)
    const resumed = harness.next('resumed')
    await connection.reply('resume', { type: 'error', code: 'CHANNEL_FULL', message: '' })
    const resume = await connection.reply('join', joined({ channel_id: 3, seq: 4, messages: bodies(4) }))
    expect(resume).toEqual({ type: 'join', id: resume['id'], channel_group: 'global', channel_name: 'plaza' })
    expect(await resumed).toMatchObject({ channelId: 3, recovered: false })
    expect(eventsSince(harness, since)).toEqual(['disconnected', 'connected', 'gap', 'resumed'])
    expect(harness.events[since + 2]).toEqual(['gap', { ...channelRef, reason: 'rejoined' }])
  })

  test('emits a gap when the server resumes it in another channel', async () => {
    const harness = await connectAndJoin(server)
    const since = harness.events.length
    const connection = await reconnect(harness)
    const resumed = harness.next('resumed')
    await connection.reply(
      'resume',
      joined({ channel_name: 'hall', seq: 4, messages: bodies(4), recovered: false }),
    )
    expect(await resumed).toMatchObject({ channelName: 'hall' })
    expect(harness.events[since + 2]).toEqual(['gap', { ...channelRef, reason: 'rejoined' }])
  })

  test('gives the channel up when it cannot be rejoined', async () => {
    const harness = await connectAndJoin(server)
    const connection = await reconnect(harness)
    const gap = harness.next('gap')
    await connection.reply('resume', { type: 'error', code: 'CHANNEL_NOT_FOUND', message: '' })
    await connection.reply('join', { type: 'error', code: 'CHANNEL_NOT_FOUND', message: '' })
    expect(await gap).toEqual({ ...channelRef, reason: 'lost' })
    const joining = harness.client.join({ channelGroup: 'global' })
    await connection.reply('join', joined({ channel_name: 'hall' }))
    expect((await joining).channelName).toBe('hall')
  })

  test('retries a failed resume on another connection', async () => {
    const harness = await connectAndJoin(server)
    const connection = await reconnect(harness)
    const dropped = harness.next('disconnected')
    await connection.reply('resume', { type: 'error', code: 'UNKNOWN_ERROR', message: '' })
    harness.timers.advance((await dropped).retryInMs)
    const again = await server.accept()
    expect(await again.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('retries a resume rejected by flood control on the next connection', async () => {
    const harness = await connectAndJoin(server)
    const connection = await reconnect(harness)
    const dropped = harness.next('disconnected')
    await connection.reply('resume', {
      type: 'error',
      code: 'MESSAGE_SPAM',
      message: '',
      retry_after_ms: 9000,
    })
    harness.timers.advance((await dropped).retryInMs)
    const again = await server.accept()
    expect(await again.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('resumes from the same position when the connection drops before the reply', async () => {
    const harness = await connectAndJoin(server)
    const connection = await reconnect(harness)
    await connection.expect('resume')
    connection.send(message(20))
    const again = await reconnect({ ...harness, connection })
    expect(await again.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('does not resume a channel whose leave was interrupted', async () => {
    const harness = await connectAndJoin(server)
    const left = harness.client.leave('global')
    await harness.connection.expect('leave')
    const connection = await reconnect(harness)
    expect(await left).toBeUndefined()
    const pong = harness.client.say('other', 'hello')
    await connection.reply('say', {
      type: 'said',
      message_id: 'm-1',
      seq: 1,
      message: 'hello',
      filtered: false,
    })
    expect((await pong).seq).toBe(1)
  })
})

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
      await reconnect(harness, code)
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
    expect(await connection.expect('resume')).toMatchObject(PLACE)
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

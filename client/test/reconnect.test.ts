import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { ClientOptions } from '../src/index.ts'
import {
  CONNECTED,
  connect,
  joined,
  type Line,
  message,
  Peer,
  PLACE,
  type Rig,
  rig,
  sit,
  type Wire,
} from './peer.ts'

const place = { channelGroup: 'global', channelName: 'plaza', channelId: 2 }
const bodies = (...seqs: number[]) => seqs.map((seq) => ({ ...message(seq), type: undefined }))
const told = ({ events }: Rig, since: number) =>
  events.slice(since).map(([name, event]) => (name === 'message' ? (event as { seq: number }).seq : name))

let peer: Peer
beforeEach(() => {
  peer = new Peer()
})
afterEach(() => peer.stop())

/** Loses the connection; gives back the next one, accepted. */
async function lose({ line, next, timers }: Rig & { line: Line }, code = 1011): Promise<Line> {
  const lost = next('disconnected')
  line.close(code)
  timers.advance((await lost).retryInMs)
  return peer.accept()
}

describe('resume', () => {
  test('what was missed comes in order, exactly once', async () => {
    const made = await sit(peer)
    const eighth = made.next('message')
    made.line.send(message(8))
    await eighth
    const since = made.events.length
    const line = await lose(made)
    const asked = await line.expect('resume')
    expect(asked).toMatchObject({ ...PLACE, epoch: 'e-1', seq: 8 })
    const lifted = made.next('banLifted')
    // The live ones overtake the answer and overlap with it.
    line.send(message(10), message(11))
    line.send(joined({ id: asked['id'], seq: 10, messages: bodies(9, 10), recovered: true }))
    line.send(message(12), { type: 'ban_lifted' })
    await lifted
    expect(told(made, since)).toEqual(['disconnected', 'connected', 'resumed', 9, 10, 11, 12, 'banLifted'])
  })

  test('what was deleted meanwhile is told, and not delivered', async () => {
    const made = await sit(peer)
    const since = made.events.length
    const line = await lose(made)
    const asked = await line.expect('resume')
    const lifted = made.next('banLifted')
    for (const seq of [6, 9]) line.send({ type: 'message_deleted', ...PLACE, message_id: `m-${seq}` })
    line.send(joined({ id: asked['id'], seq: 10, messages: bodies(8, 9, 10), recovered: true }))
    line.send(message(11), { type: 'ban_lifted' })
    await lifted
    const deleted = 'messageDeleted'
    expect(told(made, since).slice(2)).toEqual(['resumed', 8, 10, deleted, deleted, 11, 'banLifted'])
  })

  test('requests wait until the channels are resumed', async () => {
    const made = await sit(peer)
    const line = await lose(made)
    const said = made.client.say('global', 'hello')
    const asked = await line.expect('resume')
    expect(line.frames.size).toBe(0)
    line.send(joined({ id: asked['id'], seq: 7, recovered: true }))
    await line.answer('say', { type: 'said', message_id: 'm-8', seq: 8, message: 'hello', filtered: false })
    expect((await said).seq).toBe(8)
  })

  test('a gap is told when not all could be recovered', async () => {
    const made = await sit(peer)
    const since = made.events.length
    const line = await lose(made)
    const last = made.next('message')
    await line.answer('resume', joined({ seq: 90, messages: bodies(90), recovered: false }))
    await last
    expect(told(made, since)).toEqual(['disconnected', 'connected', 'gap', 'resumed', 90])
    expect(made.events[since + 2]).toEqual(['gap', { ...place, reason: 'unrecovered' }])
  })

  test('in a new epoch the sequence goes on from there', async () => {
    const made = await sit(peer)
    const since = made.events.length
    const line = await lose(made)
    const lifted = made.next('banLifted')
    const restarted = (seq: number) => message(seq, { message_id: `n-${seq}` })
    await line.answer(
      'resume',
      joined({ epoch: 'e-2', seq: 2, messages: [restarted(1), restarted(2)], recovered: false }),
    )
    line.send(restarted(3), { type: 'ban_lifted' })
    await lifted
    expect(told(made, since)).toEqual(['disconnected', 'connected', 'gap', 'resumed', 1, 2, 3, 'banLifted'])
    const again = await lose({ ...made, line })
    expect(await again.expect('resume')).toMatchObject({ epoch: 'e-2', seq: 3 })
  })

  test('when its number is full or gone, the channel is joined anew', async () => {
    const made = await sit(peer)
    const since = made.events.length
    const line = await lose(made)
    const resumed = made.next('resumed')
    await line.answer('resume', { type: 'error', code: 'CHANNEL_FULL', message: '' })
    const asked = await line.answer('join', joined({ channel_id: 3, seq: 4, messages: bodies(4) }))
    expect(asked).toEqual({ type: 'join', id: asked['id'], channel_group: 'global', channel_name: 'plaza' })
    expect(await resumed).toMatchObject({ channelId: 3, recovered: false })
    expect(told(made, since)).toEqual(['disconnected', 'connected', 'gap', 'resumed'])
    expect(made.events[since + 2]).toEqual(['gap', { ...place, reason: 'rejoined' }])
  })

  test('when the server seats it elsewhere by itself, that is told too', async () => {
    const made = await sit(peer)
    const since = made.events.length
    const line = await lose(made)
    const resumed = made.next('resumed')
    await line.answer(
      'resume',
      joined({ channel_name: 'hall', seq: 4, messages: bodies(4), recovered: false }),
    )
    expect(await resumed).toMatchObject({ channelName: 'hall' })
    expect(made.events[since + 2]).toEqual(['gap', { ...place, reason: 'rejoined' }])
  })

  test('when no seat can be had, it is given up', async () => {
    const made = await sit(peer)
    const line = await lose(made)
    const gap = made.next('gap')
    await line.answer('resume', { type: 'error', code: 'CHANNEL_NOT_FOUND', message: '' })
    await line.answer('join', { type: 'error', code: 'CHANNEL_NOT_FOUND', message: '' })
    expect(await gap).toEqual({ ...place, reason: 'lost' })
    const joining = made.client.join({ channelGroup: 'global' })
    await line.answer('join', joined({ channel_name: 'hall' }))
    expect((await joining).channelName).toBe('hall')
  })

  test('a resume that the server fails at is tried with another connection', async () => {
    const made = await sit(peer)
    const line = await lose(made)
    const dropped = made.next('disconnected')
    await line.answer('resume', { type: 'error', code: 'UNKNOWN_ERROR', message: '' })
    made.timers.advance((await dropped).retryInMs)
    const again = await peer.accept()
    expect(await again.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('when a seat is refused for flooding, the next connection resumes it', async () => {
    const made = await sit(peer)
    const line = await lose(made)
    const dropped = made.next('disconnected')
    await line.answer('resume', { type: 'error', code: 'MESSAGE_SPAM', message: '', retry_after_ms: 9000 })
    made.timers.advance((await dropped).retryInMs)
    const again = await peer.accept()
    expect(await again.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('what a connection pushes before it is lost again does not move the place to resume from', async () => {
    const made = await sit(peer)
    const line = await lose(made)
    await line.expect('resume')
    line.send(message(20))
    const again = await lose({ ...made, line })
    expect(await again.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('a channel that was left, or whose leaving was cut off, is not resumed', async () => {
    const made = await sit(peer)
    const left = made.client.leave('global')
    await made.line.expect('leave')
    const line = await lose(made)
    expect(await left).toBeUndefined()
    const pong = made.client.say('other', 'hello')
    await line.answer('say', { type: 'said', message_id: 'm-1', seq: 1, message: 'hello', filtered: false })
    expect((await pong).seq).toBe(1)
  })
})

describe('coming back', () => {
  test('waits are random up to a bound that doubles, and end with a connection that lasts', async () => {
    const made = await connect(peer, { backoff: { baseMs: 100, maxMs: 1000 } })
    const waits: number[] = []
    let { line } = made
    for (let count = 0; count < 6; count++) {
      const lost = made.next('disconnected')
      line.close(4008)
      const { code, retryInMs } = await lost
      expect(code).toBe(4008)
      waits.push(retryInMs)
      made.timers.advance(retryInMs)
      const connected = made.next('connected')
      line = await peer.accept()
      await connected
    }
    expect(waits).toEqual([100, 200, 400, 800, 1000, 1000])
    made.timers.advance(25_000)
    const lost = made.next('disconnected')
    line.close(1001)
    expect((await lost).retryInMs).toBe(100)
  })

  test('the wait is the random part of the bound', async () => {
    const made = await connect(peer, { random: () => 0.25 })
    const lost = made.next('disconnected')
    made.line.close(4000)
    expect((await lost).retryInMs).toBe(125)
  })

  test.each([1001, 1011, 1012, 1013, 4000, 4001, 4002, 4008, 4009, 4099])('after %d', async (code) => {
    const made = await connect(peer)
    const connected = made.next('connected')
    await lose(made, code)
    expect((await connected).gamerId).toBe('p-1')
  })

  test.each([4100, 4101, 4102, 4103, 4199])('not after %d', async (code) => {
    const made = await sit(peer)
    const closed = made.next('closed')
    made.line.close(code)
    expect(await closed).toEqual({ code, reason: 'scripted', error: undefined })
    expect(made.timers.size).toBe(0)
    await expect(made.client.say('global', 'hello')).rejects.toMatchObject({ code: 'CLOSED' })
  })

  test('not sooner than a server allows that was flooded', async () => {
    const { client, next } = rig(peer)
    const lost = next('disconnected')
    const session = client.connect()
    const line = await peer.lines.take()
    await line.answer('connect', { type: 'error', code: 'MESSAGE_SPAM', message: '', retry_after_ms: 7000 })
    line.close(4009)
    expect(await lost).toMatchObject({ code: 4009, retryInMs: 7000, error: { code: 'MESSAGE_SPAM' } })
    client.close()
    await expect(session).rejects.toMatchObject({ code: 'MESSAGE_SPAM' })
  })

  test('a refused token rejects connect with what the server said', async () => {
    const { client, timers, next } = rig(peer)
    const closed = next('closed')
    const session = client.connect()
    const line = await peer.lines.take()
    await line.answer('connect', { type: 'error', code: 'NOT_AUTHENTICATION', message: 'Who are you?' })
    line.close(4101)
    await expect(session).rejects.toMatchObject({ code: 'NOT_AUTHENTICATION', message: 'Who are you?' })
    expect(await closed).toMatchObject({ code: 4101, error: { code: 'NOT_AUTHENTICATION' } })
    expect(timers.size).toBe(0)
  })

  test('a token function is asked before each connection, and its failure is one of the connection', async () => {
    const tokens = ['token-1', new Error('backend away'), 'token-2']
    const token = async () => {
      const next = tokens.shift()
      if (typeof next !== 'string') throw next
      return next
    }
    const { client, timers, next } = rig(peer, { token })
    void client.connect()
    const line = await peer.lines.take()
    expect((await line.accept())['token']).toBe('token-1')
    await client.connect()
    for (const reason of ['scripted', 'Error: backend away']) {
      const lost = next('disconnected')
      if (reason === 'scripted') line.close(1012)
      else timers.advance(500)
      expect((await lost).reason).toBe(reason)
    }
    timers.advance(1000)
    const again = await peer.lines.take()
    expect((await again.accept())['token']).toBe('token-2')
  })

  test('a server that cannot be reached is tried again', async () => {
    const { client, next, timers } = rig(peer, { url: 'ws://127.0.0.1:1/gateway/v1' })
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

  test('a connect that is not answered is given up', async () => {
    const { client, next, timers } = rig(peer)
    void client.connect()
    const line = await peer.lines.take()
    await line.expect('connect')
    const lost = next('disconnected')
    timers.advance(10_000)
    timers.advance((await lost).retryInMs)
    await peer.accept()
    expect((await client.connect()).sessionId).toBe('s-1')
  })

  test('going_away says when to return, after a close', async () => {
    const made = await sit(peer)
    const lost = made.next('disconnected')
    made.line.send({ type: 'going_away', reconnect_in_ms: 7000 })
    made.line.close(4001)
    expect((await lost).retryInMs).toBe(7000)
    made.timers.advance(6999)
    expect(peer.lines.size).toBe(0)
    made.timers.advance(1)
    const line = await peer.accept()
    expect(await line.expect('resume')).toMatchObject(PLACE)
  })

  test('going_away says when to return, without one too', async () => {
    const made = await sit(peer)
    const lifted = made.next('banLifted')
    made.line.send({ type: 'going_away', reconnect_in_ms: 3000 }, { type: 'ban_lifted' })
    await lifted
    made.timers.advance(3000)
    const line = await peer.accept()
    expect(await made.line.closed.promise).toBe(1000)
    expect(await line.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('frames of a connection that was given up are ignored', async () => {
    const sockets: EventTarget[] = []
    // Goes on delivering after it was closed, as one does whose closing handshake is not over.
    class StubbornSocket extends EventTarget {
      constructor() {
        super()
        sockets.push(this)
      }
      send(): void {}
      close(): void {}
    }
    const deliver = (socket: EventTarget | undefined, frame: Wire) =>
      socket?.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }))
    const { client, events, next, timers } = rig(peer, {
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

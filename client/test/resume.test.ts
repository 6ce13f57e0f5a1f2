import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  CHANNEL,
  CHANNEL_REF,
  connectAndJoin,
  type Harness,
  joined,
  message,
  reconnect,
  ScriptedServer,
} from './scripted-server.ts'

const bodies = (...seqs: number[]) => seqs.map((seq) => ({ ...message(seq), type: undefined }))
const eventsSince = ({ events }: Harness, since: number) =>
  events.slice(since).map(([name, event]) => (name === 'message' ? (event as { seq: number }).seq : name))

let server: ScriptedServer
beforeEach(() => {
  server = new ScriptedServer()
})
afterEach(() => server.stop())

describe('resume', () => {
  test('delivers missed messages in order, exactly once', async () => {
    const harness = await connectAndJoin(server)
    const eighth = harness.next('message')
    harness.connection.send(message(8))
    await eighth
    const since = harness.events.length
    const connection = await reconnect(server, harness)
    const resume = await connection.expect('resume')
    expect(resume).toMatchObject({ ...CHANNEL, epoch: 'e-1', seq: 8 })
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
    const connection = await reconnect(server, harness)
    const resume = await connection.expect('resume')
    const lifted = harness.next('banLifted')
    for (const seq of [6, 9]) connection.send({ type: 'message_deleted', ...CHANNEL, message_id: `m-${seq}` })
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
    const connection = await reconnect(server, harness)
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
    const connection = await reconnect(server, harness)
    const last = harness.next('message')
    await connection.reply('resume', joined({ seq: 90, messages: bodies(90), recovered: false }))
    await last
    expect(eventsSince(harness, since)).toEqual(['disconnected', 'connected', 'gap', 'resumed', 90])
    expect(harness.events[since + 2]).toEqual(['gap', { ...CHANNEL_REF, reason: 'unrecovered' }])
  })

  test('continues with the sequence of a new epoch', async () => {
    const harness = await connectAndJoin(server)
    const since = harness.events.length
    const connection = await reconnect(server, harness)
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
    const again = await reconnect(server, { ...harness, connection })
    expect(await again.expect('resume')).toMatchObject({ epoch: 'e-2', seq: 3 })
  })

  test('rejoins the channel when its channel number is full or gone', async () => {
    const harness = await connectAndJoin(server)
    const since = harness.events.length
    const connection = await reconnect(server, harness)
    const resumed = harness.next('resumed')
    await connection.reply('resume', { type: 'error', code: 'CHANNEL_FULL', message: '' })
    const resume = await connection.reply('join', joined({ channel_id: 3, seq: 4, messages: bodies(4) }))
    expect(resume).toEqual({ type: 'join', id: resume['id'], channel_group: 'global', channel_name: 'plaza' })
    expect(await resumed).toMatchObject({ channelId: 3, recovered: false })
    expect(eventsSince(harness, since)).toEqual(['disconnected', 'connected', 'gap', 'resumed'])
    expect(harness.events[since + 2]).toEqual(['gap', { ...CHANNEL_REF, reason: 'rejoined' }])
  })

  test('emits a gap when the server resumes it in another channel', async () => {
    const harness = await connectAndJoin(server)
    const since = harness.events.length
    const connection = await reconnect(server, harness)
    const resumed = harness.next('resumed')
    await connection.reply(
      'resume',
      joined({ channel_name: 'hall', seq: 4, messages: bodies(4), recovered: false }),
    )
    expect(await resumed).toMatchObject({ channelName: 'hall' })
    expect(harness.events[since + 2]).toEqual(['gap', { ...CHANNEL_REF, reason: 'rejoined' }])
  })

  test('gives the channel up when it cannot be rejoined', async () => {
    const harness = await connectAndJoin(server)
    const connection = await reconnect(server, harness)
    const gap = harness.next('gap')
    await connection.reply('resume', { type: 'error', code: 'CHANNEL_NOT_FOUND', message: '' })
    await connection.reply('join', { type: 'error', code: 'CHANNEL_NOT_FOUND', message: '' })
    expect(await gap).toEqual({ ...CHANNEL_REF, reason: 'lost' })
    const joining = harness.client.join({ channelGroup: 'global' })
    await connection.reply('join', joined({ channel_name: 'hall' }))
    expect((await joining).channelName).toBe('hall')
  })

  test('retries a failed resume on another connection', async () => {
    const harness = await connectAndJoin(server)
    const connection = await reconnect(server, harness)
    const dropped = harness.next('disconnected')
    await connection.reply('resume', { type: 'error', code: 'UNKNOWN_ERROR', message: '' })
    harness.timers.advance((await dropped).retryInMs)
    const again = await server.accept()
    expect(await again.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('retries a resume rejected by flood control on the next connection', async () => {
    const harness = await connectAndJoin(server)
    const connection = await reconnect(server, harness)
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
    const connection = await reconnect(server, harness)
    await connection.expect('resume')
    connection.send(message(20))
    const again = await reconnect(server, { ...harness, connection })
    expect(await again.expect('resume')).toMatchObject({ seq: 7 })
  })

  test('does not resume a channel whose leave was interrupted', async () => {
    const harness = await connectAndJoin(server)
    const left = harness.client.leave('global')
    await harness.connection.expect('leave')
    const connection = await reconnect(server, harness)
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

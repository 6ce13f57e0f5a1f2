import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ParleyClient, ParleyError } from '../src/index.ts'
import {
  ANN,
  CHANNEL,
  CHANNEL_REF,
  connect,
  connectAndJoin,
  createHarness,
  joined,
  message,
  ScriptedServer,
} from './scripted-server.ts'

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: ParleyError) => error.code,
  )

let server: ScriptedServer
beforeEach(() => {
  server = new ScriptedServer()
})
afterEach(() => server.stop())

describe('requests', () => {
  test('connect sends the token and language and resolves with the session', async () => {
    const { client, events } = createHarness(server, { language: 'ko-KR' })
    const session = client.connect()
    const connection = await server.connections.take()
    const ban = { end_time: '2026-11-16T00:00:00Z', remain_seconds: 60, count: 2 }
    const sent = await connection.reply('connect', {
      type: 'connected',
      session_id: 's',
      ...ANN,
      language: 'ko-KR',
      ban,
    })
    expect(sent).toMatchObject({ token: 'token-1', language: 'ko-KR' })
    expect(await session).toEqual({
      sessionId: 's',
      gamerId: 'p-1',
      gamerName: 'Ann',
      language: 'ko-KR',
      ban: { endTime: new Date('2026-11-16T00:00:00Z'), remainSeconds: 60, count: 2 },
    })
    expect(events).toEqual([['connected', await session]])
  })

  test('join resolves with the current state of the channel', async () => {
    const { client, connection } = await connect(server)
    const channel = client.join({ channelGroup: 'global', channelName: 'plaza', channelId: 2 })
    const { type: _, ...recent } = message(7)
    expect(await connection.reply('join', joined({ seq: 7, messages: [recent] }))).toMatchObject(CHANNEL)
    expect(await channel).toMatchObject({
      ...CHANNEL_REF,
      maxCount: 50,
      players: [{ gamerId: 'p-1', gamerName: 'Ann' }],
      playerCount: 1,
      messages: [{ messageId: 'm-7', seq: 7, time: new Date('2026-11-15T03:00:00Z'), system: false }],
      seq: 7,
      epoch: 'e-1',
    })
  })

  test('players fetches the next page with the cursor of the previous one', async () => {
    const { client, connection } = await connectAndJoin(server)
    const pages = Array.fromAsync(client.players('global'))
    const page = { type: 'players', ...CHANNEL, players: [ANN], player_count: 2 }
    const first = await connection.reply('players', { ...page, cursor: 'c-1' })
    expect([first['channel_group'], first['cursor']]).toEqual(['global', undefined])
    const bob = { gamer_id: 'p-2', gamer_name: 'Bob' }
    expect(await connection.reply('players', { ...page, players: [bob] })).toMatchObject({ cursor: 'c-1' })
    expect(await pages).toEqual([
      { ...CHANNEL_REF, players: [{ gamerId: 'p-1', gamerName: 'Ann' }], playerCount: 2 },
      { ...CHANNEL_REF, players: [{ gamerId: 'p-2', gamerName: 'Bob' }], playerCount: 2 },
    ])
  })

  test('players rejects when a page fails, and fetches no page that nobody asks for', async () => {
    const { client, connection } = await connectAndJoin(server)
    const failed = Array.fromAsync(client.players('global'))
    await connection.reply('players', { type: 'error', code: 'INVALID_PARAMETER', property: 'cursor' })
    expect(await codeOf(failed)).toBe('INVALID_PARAMETER')
    const first = client.players('global').next()
    await connection.reply('players', {
      type: 'players',
      ...CHANNEL,
      players: [],
      player_count: 2,
      cursor: 'c',
    })
    expect((await first).value).toMatchObject({ playerCount: 2 })
    expect(connection.frames.size).toBe(0)
  })

  test('leave, say and report resolve with their own replies, in any order', async () => {
    const { client, connection } = await connectAndJoin(server)
    const said = client.say('global', ' hello ')
    const reported = client.report('m-7', 'SPAM', 'again')
    const left = client.leave('global')
    const say = await connection.expect('say')
    const report = await connection.expect('report')
    const leave = await connection.expect('leave')
    expect(say).toMatchObject({ channel_group: 'global', message: ' hello ' })
    expect(report).toMatchObject({ message_id: 'm-7', keyword: 'SPAM', reason: 'again' })
    connection.send(
      { type: 'left', id: leave['id'], channel_group: 'global' },
      { type: 'reported', id: report['id'], report_id: 3 },
      { type: 'said', id: say['id'], message_id: 'm-8', seq: 8, message: 'hello', filtered: false },
    )
    expect(await said).toEqual({ messageId: 'm-8', seq: 8, message: 'hello', filtered: false })
    expect(await reported).toEqual({ reportId: 3 })
    expect(await left).toBeUndefined()
  })

  test('an error reply rejects with its code and details', async () => {
    const { client, connection } = await connectAndJoin(server)
    const banned = client.say('global', 'hello').catch((error: unknown) => error)
    await connection.reply('say', {
      type: 'error',
      code: 'CHAT_BAN',
      message: 'You are banned.',
      remain_seconds: 30,
    })
    expect(await banned).toBeInstanceOf(ParleyError)
    expect(await banned).toMatchObject({ code: 'CHAT_BAN', message: 'You are banned.', remainSeconds: 30 })
    const spam = client.say('global', 'hello').catch((error: unknown) => error)
    await connection.reply('say', {
      type: 'error',
      code: 'MESSAGE_SPAM',
      message: 'Too many.',
      retry_after_ms: 1200,
    })
    expect(await spam).toMatchObject({ code: 'MESSAGE_SPAM', retryAfterMs: 1200 })
  })

  test('filter hits arrive with the reply and with the error', async () => {
    const { client, connection } = await connectAndJoin(server)
    const hits = [{ start: 0, end: 4, expression: 'rude', language: 'all' }]
    const said = client.say('global', 'rude')
    await connection.reply('say', {
      type: 'said',
      message_id: 'm-1',
      seq: 1,
      message: '****',
      filtered: true,
      hits,
    })
    expect(await said).toEqual({ messageId: 'm-1', seq: 1, message: '****', filtered: true, hits })
    const rejected = client.say('global', 'rude').catch((error: unknown) => error)
    await connection.reply('say', { type: 'error', code: 'MESSAGE_FILTERED', message: 'Forbidden.', hits })
    expect(await rejected).toMatchObject({ code: 'MESSAGE_FILTERED', hits })
  })

  test('what is resume while disconnected is sent in order once there is a connection', async () => {
    const { client } = createHarness(server)
    const channel = client.join({ channelGroup: 'global' })
    const said = client.say('global', 'first')
    void client.connect()
    const connection = await server.accept()
    await connection.reply('join', joined())
    await connection.reply('say', {
      type: 'said',
      message_id: 'm-1',
      seq: 1,
      message: 'first',
      filtered: false,
    })
    expect(await channel).toMatchObject(CHANNEL_REF)
    expect((await said).seq).toBe(1)
  })

  test('a full queue rejects further requests immediately', async () => {
    const { client } = createHarness(server, { queueLimit: 2 })
    const waiting = [client.say('global', '1'), client.say('global', '2')].map(codeOf)
    expect(await codeOf(client.say('global', '3'))).toBe('QUEUE_FULL')
    void client.connect()
    const connection = await server.accept()
    for (const seq of [1, 2])
      await connection.reply('say', {
        type: 'said',
        message_id: `m-${seq}`,
        seq,
        message: '',
        filtered: false,
      })
    expect(await Promise.all(waiting)).toEqual(['resolved', 'resolved'])
  })

  test('at most 32 requests are in flight', async () => {
    const { client, connection } = await connect(server)
    const said = Array.from({ length: 40 }, (_, index) => client.say('global', String(index)))
    const frames = []
    for (let count = 0; count < 32; count++) frames.push(await connection.expect('say'))
    connection.send({ type: 'pong', id: 'none' }, { type: 'said', id: frames[0]?.['id'], seq: 1 })
    await said[0]
    expect((await connection.expect('say'))['message']).toBe('32')
    expect(connection.frames.size).toBe(0)
    const rest = Promise.all(said.map(codeOf))
    await client.close()
    expect(await rest).toEqual(['resolved', ...Array<string>(39).fill('CLOSED')])
  })

  test('a request without a timely reply rejects, and a late reply is ignored', async () => {
    const { client, connection, timers } = await connect(server)
    const said = codeOf(client.say('global', 'hello'))
    const { id } = await connection.expect('say')
    timers.advance(10_000)
    expect(await said).toBe('TIMEOUT')
    connection.send({ type: 'said', id, message_id: 'm-1', seq: 1, message: 'hello', filtered: false })
    const again = client.say('global', 'again')
    await connection.reply('say', {
      type: 'said',
      message_id: 'm-2',
      seq: 2,
      message: 'again',
      filtered: false,
    })
    expect((await again).seq).toBe(2)
  })

  test('the timeout includes the time in the queue', async () => {
    const { client, timers } = createHarness(server)
    const said = codeOf(client.say('global', 'hello'))
    timers.advance(10_000)
    expect(await said).toBe('TIMEOUT')
    expect(timers.size).toBe(0)
  })

  test('a sent request is not retried: it rejects when the connection is lost', async () => {
    const { client, connection } = await connectAndJoin(server)
    const said = codeOf(client.say('global', 'hello'))
    await connection.expect('say')
    connection.close(1011)
    expect(await said).toBe('DISCONNECTED')
  })

  test('close rejects pending and later requests and leaves no timer', async () => {
    const { client, connection, timers, events } = await connectAndJoin(server)
    const said = codeOf(client.say('global', 'hello'))
    await client.close()
    expect(await said).toBe('CLOSED')
    expect(await codeOf(client.join({ channelGroup: 'global' }))).toBe('CLOSED')
    expect(await connection.closed.promise).toBe(1000)
    expect(events.at(-1)).toEqual(['closed', { code: 1000, reason: '', error: undefined }])
    expect(timers.size).toBe(0)
  })

  test('connect works again after close', async () => {
    const { client } = await connectAndJoin(server)
    await client.close()
    const [, session] = await Promise.all([server.accept(), client.connect()])
    expect(session.gamerId).toBe('p-1')
  })

  test('a URL that is not a WebSocket URL throws', () => {
    expect(() => new ParleyClient({ url: 'http://127.0.0.1/', token: '' })).toThrow(TypeError)
    expect(() => new ParleyClient({ url: 'nowhere', token: '' })).toThrow(TypeError)
  })
})

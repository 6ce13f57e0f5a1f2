import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ParleyClient, ParleyError } from '../src/index.ts'
import { ANN, connect, joined, message, Peer, PLACE, rig, sit } from './peer.ts'

const place = { channelGroup: 'global', channelName: 'plaza', channelId: 2 }
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: ParleyError) => error.code,
  )

let peer: Peer
beforeEach(() => {
  peer = new Peer()
})
afterEach(() => peer.stop())

describe('requests', () => {
  test('connect gives the token and language, and resolves with the session', async () => {
    const { client, events } = rig(peer, { language: 'ko-KR' })
    const session = client.connect()
    const line = await peer.lines.take()
    const ban = { end_time: '2026-11-16T00:00:00Z', remain_seconds: 60, count: 2 }
    const sent = await line.answer('connect', {
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

  test('join resolves with the channel as it stands', async () => {
    const { client, line } = await connect(peer)
    const channel = client.join({ channelGroup: 'global', channelName: 'plaza', channelId: 2 })
    const { type: _, ...recent } = message(7)
    expect(await line.answer('join', joined({ seq: 7, messages: [recent] }))).toMatchObject(PLACE)
    expect(await channel).toMatchObject({
      ...place,
      maxCount: 50,
      players: [{ gamerId: 'p-1', gamerName: 'Ann' }],
      messages: [{ messageId: 'm-7', seq: 7, time: new Date('2026-11-15T03:00:00Z'), system: false }],
      seq: 7,
      epoch: 'e-1',
    })
  })

  test('leave, say and report resolve with their answers, whatever their order', async () => {
    const { client, line } = await sit(peer)
    const said = client.say('global', ' hello ')
    const reported = client.report('m-7', 'SPAM', 'again')
    const left = client.leave('global')
    const say = await line.expect('say')
    const report = await line.expect('report')
    const leave = await line.expect('leave')
    expect(say).toMatchObject({ channel_group: 'global', message: ' hello ' })
    expect(report).toMatchObject({ message_id: 'm-7', keyword: 'SPAM', reason: 'again' })
    line.send(
      { type: 'left', id: leave['id'], channel_group: 'global' },
      { type: 'reported', id: report['id'], report_id: 3 },
      { type: 'said', id: say['id'], message_id: 'm-8', seq: 8, message: 'hello', filtered: false },
    )
    expect(await said).toEqual({ messageId: 'm-8', seq: 8, message: 'hello', filtered: false })
    expect(await reported).toEqual({ reportId: 3 })
    expect(await left).toBeUndefined()
  })

  test('a refusal rejects with its code and what comes with it', async () => {
    const { client, line } = await sit(peer)
    const banned = client.say('global', 'hello').catch((error: unknown) => error)
    await line.answer('say', {
      type: 'error',
      code: 'CHAT_BAN',
      message: 'You are banned.',
      remain_seconds: 30,
    })
    expect(await banned).toBeInstanceOf(ParleyError)
    expect(await banned).toMatchObject({ code: 'CHAT_BAN', message: 'You are banned.', remainSeconds: 30 })
    const spam = client.say('global', 'hello').catch((error: unknown) => error)
    await line.answer('say', {
      type: 'error',
      code: 'MESSAGE_SPAM',
      message: 'Too many.',
      retry_after_ms: 1200,
    })
    expect(await spam).toMatchObject({ code: 'MESSAGE_SPAM', retryAfterMs: 1200 })
  })

  test('what the filter found comes with the answer, and with the refusal', async () => {
    const { client, line } = await sit(peer)
    const hits = [{ start: 0, end: 4, expression: 'rude', language: 'all' }]
    const said = client.say('global', 'rude')
    await line.answer('say', {
      type: 'said',
      message_id: 'm-1',
      seq: 1,
      message: '****',
      filtered: true,
      hits,
    })
    expect(await said).toEqual({ messageId: 'm-1', seq: 1, message: '****', filtered: true, hits })
    const refused = client.say('global', 'rude').catch((error: unknown) => error)
    await line.answer('say', { type: 'error', code: 'MESSAGE_FILTERED', message: 'Forbidden.', hits })
    expect(await refused).toMatchObject({ code: 'MESSAGE_FILTERED', hits })
  })

  test('what is asked while disconnected is sent in order once there is a connection', async () => {
    const { client } = rig(peer)
    const channel = client.join({ channelGroup: 'global' })
    const said = client.say('global', 'first')
    void client.connect()
    const line = await peer.accept()
    await line.answer('join', joined())
    await line.answer('say', { type: 'said', message_id: 'm-1', seq: 1, message: 'first', filtered: false })
    expect(await channel).toMatchObject(place)
    expect((await said).seq).toBe(1)
  })

  test('beyond the bound of the queue, requests are refused at once', async () => {
    const { client } = rig(peer, { queueLimit: 2 })
    const waiting = [client.say('global', '1'), client.say('global', '2')].map(codeOf)
    expect(await codeOf(client.say('global', '3'))).toBe('QUEUE_FULL')
    void client.connect()
    const line = await peer.accept()
    for (const seq of [1, 2])
      await line.answer('say', { type: 'said', message_id: `m-${seq}`, seq, message: '', filtered: false })
    expect(await Promise.all(waiting)).toEqual(['resolved', 'resolved'])
  })

  test('no more than 32 requests are under way at a time', async () => {
    const { client, line } = await connect(peer)
    const said = Array.from({ length: 40 }, (_, index) => client.say('global', String(index)))
    const frames = []
    for (let count = 0; count < 32; count++) frames.push(await line.expect('say'))
    line.send({ type: 'pong', id: 'none' }, { type: 'said', id: frames[0]?.['id'], seq: 1 })
    await said[0]
    expect((await line.expect('say'))['message']).toBe('32')
    expect(line.frames.size).toBe(0)
    const rest = Promise.all(said.map(codeOf))
    await client.close()
    expect(await rest).toEqual(['resolved', ...Array<string>(39).fill('CLOSED')])
  })

  test('an answer that does not come in time rejects, and a late one is ignored', async () => {
    const { client, line, timers } = await connect(peer)
    const said = codeOf(client.say('global', 'hello'))
    const { id } = await line.expect('say')
    timers.advance(10_000)
    expect(await said).toBe('TIMEOUT')
    line.send({ type: 'said', id, message_id: 'm-1', seq: 1, message: 'hello', filtered: false })
    const again = client.say('global', 'again')
    await line.answer('say', { type: 'said', message_id: 'm-2', seq: 2, message: 'again', filtered: false })
    expect((await again).seq).toBe(2)
  })

  test('a request waits no longer in the queue than on the line', async () => {
    const { client, timers } = rig(peer)
    const said = codeOf(client.say('global', 'hello'))
    timers.advance(10_000)
    expect(await said).toBe('TIMEOUT')
    expect(timers.size).toBe(0)
  })

  test('what was sent is not sent again: it rejects when the connection is lost', async () => {
    const { client, line } = await sit(peer)
    const said = codeOf(client.say('global', 'hello'))
    await line.expect('say')
    line.close(1011)
    expect(await said).toBe('DISCONNECTED')
  })

  test('close rejects what waits, refuses what comes, and leaves no timer', async () => {
    const { client, line, timers, events } = await sit(peer)
    const said = codeOf(client.say('global', 'hello'))
    await client.close()
    expect(await said).toBe('CLOSED')
    expect(await codeOf(client.join({ channelGroup: 'global' }))).toBe('CLOSED')
    expect(await line.closed.promise).toBe(1000)
    expect(events.at(-1)).toEqual(['closed', { code: 1000, reason: '', error: undefined }])
    expect(timers.size).toBe(0)
  })

  test('it can be connected again after it was closed', async () => {
    const { client } = await sit(peer)
    await client.close()
    const [, session] = await Promise.all([peer.accept(), client.connect()])
    expect(session.gamerId).toBe('p-1')
  })

  test('an address that is none of a WebSocket is refused', () => {
    expect(() => new ParleyClient({ url: 'http://127.0.0.1/', token: '' })).toThrow(TypeError)
    expect(() => new ParleyClient({ url: 'nowhere', token: '' })).toThrow(TypeError)
  })
})

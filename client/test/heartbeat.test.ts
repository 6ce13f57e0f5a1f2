import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { CHANNEL, connect, connectAndJoin, ScriptedServer } from './scripted-server.ts'

let server: ScriptedServer
beforeEach(() => {
  server = new ScriptedServer()
})
afterEach(() => server.stop())

describe('heartbeat', () => {
  test('pings after 25 seconds of silence and keeps a connection that replies', async () => {
    const { client, connection, timers, next } = await connect(server)
    timers.advance(25_000)
    await connection.expect('ping')
    const lifted = next('banLifted')
    connection.send({ type: 'pong', id: 'ping' }, { type: 'ban_lifted' })
    await lifted
    timers.advance(10_000)
    const said = client.say('global', 'still here')
    await connection.reply('say', { type: 'said', message_id: 'm-1', seq: 1, message: '', filtered: false })
    expect((await said).seq).toBe(1)
  })

  test('sends no ping while frames arrive', async () => {
    const { connection, timers, next } = await connect(server)
    for (let count = 0; count < 3; count++) {
      const lifted = next('banLifted')
      connection.send({ type: 'ban_lifted' })
      await lifted
      timers.advance(25_000)
    }
    expect(connection.frames.size).toBe(0)
  })

  test('reconnects when nothing arrives within 10 seconds after a ping', async () => {
    const harness = await connectAndJoin(server)
    // The reply to the join arrived within the first 25 seconds.
    harness.timers.advance(50_000)
    await harness.connection.expect('ping')
    const lost = harness.next('disconnected')
    harness.timers.advance(10_000)
    expect(await lost).toMatchObject({ code: 1006, reason: 'silent' })
    harness.timers.advance((await lost).retryInMs)
    const connection = await server.accept()
    expect(await connection.expect('resume')).toMatchObject(CHANNEL)
  })
})

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { connect, Peer, PLACE, sit } from './peer.ts'

let peer: Peer
beforeEach(() => {
  peer = new Peer()
})
afterEach(() => peer.stop())

describe('heartbeat', () => {
  test('a ping after 25 seconds of silence; with an answer the connection stays', async () => {
    const { client, line, timers, next } = await connect(peer)
    timers.advance(25_000)
    await line.expect('ping')
    const lifted = next('banLifted')
    line.send({ type: 'pong', id: 'ping' }, { type: 'ban_lifted' })
    await lifted
    timers.advance(10_000)
    const said = client.say('global', 'still here')
    await line.answer('say', { type: 'said', message_id: 'm-1', seq: 1, message: '', filtered: false })
    expect((await said).seq).toBe(1)
  })

  test('no ping while the server talks', async () => {
    const { line, timers, next } = await connect(peer)
    for (let count = 0; count < 3; count++) {
      const lifted = next('banLifted')
      line.send({ type: 'ban_lifted' })
      await lifted
      timers.advance(25_000)
    }
    expect(line.frames.size).toBe(0)
  })

  test('without an answer for 10 seconds the connection is dead', async () => {
    const made = await sit(peer)
    // In the first 25 seconds there was the answer to the join.
    made.timers.advance(50_000)
    await made.line.expect('ping')
    const lost = made.next('disconnected')
    made.timers.advance(10_000)
    expect(await lost).toMatchObject({ code: 1006, reason: 'silent' })
    made.timers.advance((await lost).retryInMs)
    const line = await peer.accept()
    expect(await line.expect('resume')).toMatchObject(PLACE)
  })
})

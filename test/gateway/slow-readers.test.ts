import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { type FakePlayer, startNode } from './node.ts'

const SECOND = 1000
const KILOBYTE = 1024
const MEGABYTE = 1024 * KILOBYTE
const PLACE = { channel_group: 'g', channel_name: 'a' }

let node: Awaited<ReturnType<typeof startNode>>
let mina: FakePlayer
let joon: FakePlayer
let sleeper: FakePlayer

beforeEach(async () => {
  // Before the gateway starts, so that the test controls its timers and clock.
  jest.useFakeTimers()
  node = await startNode()
  const settings = { maxMembers: 50, isFallback: false, isAutoscaling: true }
  await node.app.channels.create({ group: 'g', name: 'a' }, settings)
  ;[mina, joon, sleeper] = [await node.connect('mina'), await node.connect('joon'), await node.connect('s')]
  for (const each of [mina, joon, sleeper])
    expect(await advanceUntil(each.ask('join', PLACE))).toMatchObject({ type: 'joined' })
})

afterEach(async () => {
  jest.useRealTimers()
  await node[Symbol.asyncDispose]()
})

/** Advances the clock until the work is done. */
async function advanceUntil<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    jest.advanceTimersByTime(1)
    await new Promise(setImmediate)
  }
  return done
}

const advance = (seconds: number) => jest.advanceTimersByTime(seconds * SECOND)
/** The client stops reading, and a broadcast finds that many bytes unread. */
function stopReading(player: FakePlayer, bytes: number): void {
  player.socket.buffered = bytes
  for (const topic of player.socket.topics) node.gateway.onBackpressure(topic, 100)
}

const SLOW = { code: 4008, reason: 'slow' }

describe('a slow consumer', () => {
  test('with 256 KiB unread for five seconds is closed with 4008 and counted', async () => {
    stopReading(sleeper, 256 * KILOBYTE)
    // The first check happens within a second.
    advance(5)
    expect(sleeper.socket.closedWith).toBeUndefined()
    advance(1)
    expect(sleeper.socket.closedWith).toEqual(SLOW)
    expect(await node.disconnects()).toEqual({ slow: 1 })
  })

  test('that catches up now and then stays connected', async () => {
    for (let round = 0; round < 5; round++) {
      stopReading(sleeper, 900 * KILOBYTE)
      advance(4)
      sleeper.socket.buffered = 255 * KILOBYTE
      advance(1)
    }
    expect(sleeper.socket.closedWith).toBeUndefined()
    expect(await node.disconnects()).toEqual({})
  })

  test('with 1 MiB unread is closed at the next check', async () => {
    stopReading(sleeper, MEGABYTE)
    advance(1)
    expect(sleeper.socket.closedWith).toEqual(SLOW)
  })

  test('with 1 MiB unread is closed within the second after 128 KiB more of backpressure', async () => {
    sleeper.socket.buffered = MEGABYTE
    const [topic = ''] = sleeper.socket.topics
    node.gateway.onBackpressure(topic, 100 * KILOBYTE)
    expect(sleeper.socket.closedWith).toBeUndefined()
    node.gateway.onBackpressure(topic, 28 * KILOBYTE)
    expect(sleeper.socket.closedWith).toEqual(SLOW)
    expect(await node.disconnects()).toEqual({ slow: 1 })
  })

  test('that keeps sending requests is closed as soon as a reply does not fit its buffer', async () => {
    sleeper.socket.buffered = sleeper.socket.capacity = MEGABYTE
    for (let asked = 0; asked < 20; asked++) sleeper.session.receive('{"type":"ping","id":7}')
    expect(await sleeper.socket.closed).toEqual(SLOW)
    expect(await node.disconnects()).toEqual({ slow: 1 })
  })

  test('that reads no replies is found without any broadcast', async () => {
    sleeper.socket.buffered = 256 * KILOBYTE
    await sleeper.ask('ping')
    advance(6)
    expect(sleeper.socket.closedWith).toEqual(SLOW)
  })

  test('does not affect the others: they receive everything before, during and after its eviction', async () => {
    sleeper.socket.buffered = 512 * KILOBYTE
    for (let second = 1; second <= 10; second++) {
      const said = await advanceUntil(mina.ask('say', { channel_group: 'g', message: `m${second}` }))
      expect(said).toMatchObject({ type: 'said', seq: second })
      advance(1)
    }
    expect(sleeper.socket.closedWith).toEqual(SLOW)
    const said = Array.from({ length: 10 }, (_, index) => `m${index + 1}`)
    expect([mina.heard, joon.heard]).toEqual([said, said])
    for (const { socket } of [mina, joon]) expect(socket.closedWith).toBeUndefined()
  })
})

test('an idle server checks nobody, and a busy one only clients with unread bytes', async () => {
  const checks = new Map<FakePlayer, number>()
  for (const player of [mina, joon, sleeper])
    player.socket.bufferedBytes = () => {
      checks.set(player, (checks.get(player) ?? 0) + 1)
      return player.socket.buffered
    }
  advance(60)
  expect([...checks]).toEqual([])
  stopReading(sleeper, 100)
  // The check of the broadcast finds the sleeper, and those that follow are about it alone.
  advance(10)
  expect([checks.get(mina), checks.get(joon), checks.get(sleeper)]).toEqual([1, 1, 11])
  sleeper.socket.buffered = 0
  advance(60)
  expect(checks.get(sleeper)).toBe(12)
})

test('a broadcast causes a check only after 128 KiB of backpressure since the last one', async () => {
  let checks = 0
  mina.socket.bufferedBytes = () => {
    checks++
    return 0
  }
  const [topic = ''] = mina.socket.topics
  node.gateway.onBackpressure(topic, 128 * KILOBYTE)
  expect(checks).toBe(1)
  node.gateway.onBackpressure(topic, 127 * KILOBYTE)
  expect(checks).toBe(1)
  node.gateway.onBackpressure(topic, KILOBYTE)
  expect(checks).toBe(2)
})

test('a client that disconnected with unread bytes is not checked again', async () => {
  stopReading(sleeper, 100)
  advance(1)
  let checks = 0
  sleeper.socket.bufferedBytes = () => {
    checks++
    return sleeper.socket.buffered
  }
  node.gateway.onClosed(sleeper.session)
  advance(60)
  expect(checks).toBe(0)
})

test('closes a client that does not connect within ten seconds with 4002, and no other', async () => {
  const [silent, talking] = [node.open(), node.open()]
  advance(9)
  expect(await talking.ask('ping')).toMatchObject({ type: 'pong' })
  expect(silent.socket.closedWith).toBeUndefined()
  advance(2)
  for (const { socket } of [silent, talking])
    expect(socket.closedWith).toEqual({ code: 4002, reason: 'connect-timeout' })
  expect(mina.socket.closedWith).toBeUndefined()
  expect(await node.disconnects()).toEqual({ 'connect-timeout': 2 })
})

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
  // Before there is a gateway, so that its timers and its clock are those that the test moves.
  jest.useFakeTimers()
  node = await startNode()
  const settings = { maxMembers: 50, isFallback: false, isAutoscaling: true }
  await node.app.channels.create({ group: 'g', name: 'a' }, settings)
  ;[mina, joon, sleeper] = [await node.connect('mina'), await node.connect('joon'), await node.connect('s')]
  for (const each of [mina, joon, sleeper])
    expect(await inTime(each.ask('join', PLACE))).toMatchObject({ type: 'joined' })
})

afterEach(async () => {
  jest.useRealTimers()
  await node[Symbol.asyncDispose]()
})

/** Moves the clock on until the work is done. */
async function inTime<T>(work: Promise<T>): Promise<T> {
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

const pass = (seconds: number) => jest.advanceTimersByTime(seconds * SECOND)
const SLOW = { code: 4008, reason: 'slow' }

describe('a reader that', () => {
  test('leaves a quarter of a megabyte for five seconds is closed with 4008 and counted', async () => {
    sleeper.socket.buffered = 256 * KILOBYTE
    // Seen at the first look, which comes within a second.
    pass(5)
    expect(sleeper.socket.closedWith).toBeUndefined()
    pass(1)
    expect(sleeper.socket.closedWith).toEqual(SLOW)
    expect(await node.disconnects()).toEqual({ slow: 1 })
  })

  test('is behind, but catches up now and then, stays', async () => {
    for (let round = 0; round < 5; round++) {
      sleeper.socket.buffered = 900 * KILOBYTE
      pass(4)
      sleeper.socket.buffered = 255 * KILOBYTE
      pass(1)
    }
    expect(sleeper.socket.closedWith).toBeUndefined()
    expect(await node.disconnects()).toEqual({})
  })

  test('leaves a megabyte is closed at the next look, be it ever so soon', async () => {
    sleeper.socket.buffered = MEGABYTE
    pass(1)
    expect(sleeper.socket.closedWith).toEqual(SLOW)
  })

  test('leaves a megabyte within less than a second is closed once 128 KiB more were held back', async () => {
    sleeper.socket.buffered = MEGABYTE
    node.gateway.onBackpressure(100 * KILOBYTE)
    expect(sleeper.socket.closedWith).toBeUndefined()
    node.gateway.onBackpressure(28 * KILOBYTE)
    expect(sleeper.socket.closedWith).toEqual(SLOW)
    expect(await node.disconnects()).toEqual({ slow: 1 })
  })

  test('asks on and on and takes no answer is closed as soon as an answer finds no room', async () => {
    sleeper.socket.buffered = sleeper.socket.capacity = MEGABYTE
    for (let asked = 0; asked < 20; asked++) sleeper.session.receive('{"type":"ping","id":7}')
    expect(await sleeper.socket.closed).toEqual(SLOW)
    expect(await node.disconnects()).toEqual({ slow: 1 })
  })

  test('is cut costs the others nothing: they hear everything, before, meanwhile and after', async () => {
    sleeper.socket.buffered = 512 * KILOBYTE
    for (let second = 1; second <= 10; second++) {
      const said = await inTime(mina.ask('say', { channel_group: 'g', message: `m${second}` }))
      expect(said).toMatchObject({ type: 'said', seq: second })
      pass(1)
    }
    expect(sleeper.socket.closedWith).toEqual(SLOW)
    const said = Array.from({ length: 10 }, (_, index) => `m${index + 1}`)
    expect([mina.heard, joon.heard]).toEqual([said, said])
    for (const { socket } of [mina, joon]) expect(socket.closedWith).toBeUndefined()
  })
})

test('who does not connect within ten seconds is closed with 4002; who does stays', async () => {
  const [silent, talking] = [node.open(), node.open()]
  pass(9)
  expect(await talking.ask('ping')).toMatchObject({ type: 'pong' })
  expect(silent.socket.closedWith).toBeUndefined()
  pass(2)
  for (const { socket } of [silent, talking])
    expect(socket.closedWith).toEqual({ code: 4002, reason: 'connect-timeout' })
  expect(mina.socket.closedWith).toBeUndefined()
  expect(await node.disconnects()).toEqual({ 'connect-timeout': 2 })
})

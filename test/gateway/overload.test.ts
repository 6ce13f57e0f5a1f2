import { afterEach, beforeEach, expect, test } from 'bun:test'
import { FrameTurns } from '../../src/gateway/frame-turns.ts'
import { type FakePlayer, startNode } from './node.ts'

const SETTINGS = { maxMembers: 50, isFallback: false, isAutoscaling: true }
/** More than a turn of the event loop handles. */
const FRAMES = 130

let now: number
let turns: FrameTurns
let node: Awaited<ReturnType<typeof startNode>>
let mina: FakePlayer
let joon: FakePlayer

beforeEach(async () => {
  now = 0
  turns = new FrameTurns(() => now)
  node = await startNode({ PARLEY_FLOOD_LIMIT: 'on' }, { turns })
  await node.app.channels.create({ group: 'g', name: 'a' }, SETTINGS)
  ;[mina, joon] = [await node.connect('mina'), await node.connect('joon')]
  for (const player of [mina, joon]) await player.join('g', 'a')
})
afterEach(() => node[Symbol.asyncDispose]())

/** Sends a frame that waits this long for its turn. */
async function askLate(waitMs: number, ask: () => Promise<unknown>): Promise<unknown> {
  turns.charge(FRAMES)
  const reply = ask()
  now += waitMs
  return reply
}

test('delivers a message that waited a little', async () => {
  expect(await askLate(400, () => mina.say('g', 'late'))).toMatchObject({ type: 'said' })
  await joon.hear('late')
})

test('rejects a message that waited too long, and other requests are handled however long they waited', async () => {
  expect(await askLate(401, () => mina.say('g', 'too late'))).toEqual({
    type: 'error',
    id: expect.any(Number),
    code: 'MESSAGE_SPAM',
    message: 'The server is overloaded.',
    retry_after_ms: 2000,
  })
  expect(await askLate(5000, () => mina.leave('g'))).toMatchObject({ type: 'left' })
  expect(joon.heard).toEqual([])
  expect(await node.metric('parley_messages_total{outcome="overloaded"}')).toBe(1)
})

test('does not count those rejections as flooding', async () => {
  for (let n = 0; n < 120; n++)
    expect(await askLate(500, () => mina.say('g', 'x'))).toMatchObject({ code: 'MESSAGE_SPAM' })
  expect(mina.socket.closedWith).toBeUndefined()
  expect(await mina.say('g', 'at last')).toMatchObject({ type: 'said' })
})

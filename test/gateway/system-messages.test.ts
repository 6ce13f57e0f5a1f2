import { expect, test } from 'bun:test'
import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { startNode } from './node.ts'

const NUMBERS = 200
const KEY = { group: 'g', name: 'a' }

/** A node with a channel of many numbers, each with one member. */
async function startCrowdedNode() {
  const bus = new MemoryNetwork(systemClock).join()
  const node = await startNode({}, { bus })
  const channel = await node.app.channels.create(KEY, {
    maxMembers: 1,
    isFallback: false,
    isAutoscaling: true,
  })
  for (let n = 1; n <= NUMBERS; n++)
    await node.roster.takeSeat({ channel, player: { id: `p${n}`, name: 'P' }, sessionId: `s${n}` })
  return { bus, node }
}

test('concurrent system messages to many channel numbers together leave time for other work', async () => {
  const { bus, node } = await startCrowdedNode()
  await using _ = node
  const { append } = bus
  const reached: string[] = []
  let [inThisTurn, mostInOneTurn] = [0, 0]
  bus.append = (message) => {
    // Longer than a slice for every few messages, on any machine.
    const end = performance.now() + 0.1
    while (performance.now() < end);
    if (inThisTurn++ === 0) setImmediate(() => (inThisTurn = 0))
    mostInOneTurn = Math.max(mostInOneTurn, inThisTurn)
    reached.push(`${message.text} in ${message.shard.number}`)
    return append.call(bus, message)
  }
  const texts = ['one', 'two', 'three', 'four', 'five']
  await Promise.all(
    texts.map((text) => node.app.chat.sendSystemMessage({ channel: KEY, number: undefined, text })),
  )
  const expected = texts.flatMap((text) => Array.from({ length: NUMBERS }, (__, n) => `${text} in ${n + 1}`))
  expect(reached.toSorted()).toEqual(expected.toSorted())
  expect(mostInOneTurn).toBeLessThanOrEqual(60)
})

test('a system message reaches the other channel numbers if one fails', async () => {
  const { bus, node } = await startCrowdedNode()
  await using _ = node
  const { append } = bus
  const reached: number[] = []
  bus.append = async (message) => {
    if (message.shard.number === 3) throw new Error('connection refused')
    reached.push(message.shard.number)
    return await append.call(bus, message)
  }
  const sending = node.app.chat.sendSystemMessage({ channel: KEY, number: undefined, text: 'hello' })
  expect(await sending.catch((thrown) => thrown.message)).toBe('connection refused')
  expect(reached).toHaveLength(NUMBERS - 1)
})

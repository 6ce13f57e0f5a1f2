import { expect, spyOn, test } from 'bun:test'
import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import { FrameTurns } from '../../src/gateway/frame-turns.ts'
import { type FakePlayer, startNode } from './node.ts'

test('handles requests that wait for their turn in order, and delivers their messages', async () => {
  const turns = new FrameTurns(() => performance.now())
  await using node = await startNode({}, { turns })
  await node.app.channels.create(
    { group: 'g', name: 'a' },
    { maxMembers: 50, isFallback: false, isAutoscaling: true },
  )
  const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
  for (const player of [mina, joon]) await player.join('g', 'a')
  await mina.say('g', 'zeroth')
  await joon.hear('zeroth')
  // No request fits into this turn.
  turns.charge(1000)
  const replies = [mina.say('g', 'first'), mina.say('g', 'second'), mina.leave('g')]
  // A request that does not wait is handled before the turn ends.
  for (let step = 0; step < 200; step++) await Promise.resolve()
  expect(turns.delayMs).toBeGreaterThan(0)
  expect(mina.socket.frames.filter(({ type }) => type === 'said')).toHaveLength(1)
  expect(joon.heard).toEqual(['zeroth'])
  expect(await Promise.all(replies)).toMatchObject([{ seq: 2 }, { seq: 3 }, { type: 'left' }])
  await joon.hear('second')
  expect(joon.heard).toEqual(['zeroth', 'first', 'second'])
  expect(turns.delayMs).toBe(0)
})

test('rejects messages while the server is overloaded, and handles everything else', async () => {
  const turns = new FrameTurns(() => performance.now())
  await using node = await startNode({}, { turns })
  await node.app.channels.create(
    { group: 'g', name: 'a' },
    { maxMembers: 50, isFallback: false, isAutoscaling: true },
  )
  const [mina, joon, sora] = [
    await node.connect('mina'),
    await node.connect('joon'),
    await node.connect('sora'),
  ]
  for (const player of [mina, joon]) await player.join('g', 'a')
  await mina.say('g', 'before')
  // No request fits into this turn, and the backlog is too long.
  turns.charge(1000)
  const backlog = Array.from({ length: 3000 }, () => turns.enter())
  const [rejected, joined] = [mina.say('g', 'late'), sora.join('g', 'a')]
  expect(await rejected).toMatchObject({ type: 'error', code: 'SERVER_BUSY' })
  expect(await joined).toMatchObject({ type: 'joined' })
  await Promise.all(backlog)
  expect(await mina.say('g', 'after')).toMatchObject({ type: 'said', seq: 2 })
  await joon.hear('after')
  expect(joon.heard).toEqual(['before', 'after'])
  expect(await node.metric('parley_messages_total{outcome="busy"}')).toBe(1)
})

test('counts joining and resuming as six frames', async () => {
  const turns = new FrameTurns(() => performance.now())
  await using node = await startNode({}, { turns })
  await node.app.channels.create(
    { group: 'g', name: 'a' },
    { maxMembers: 50, isFallback: false, isAutoscaling: true },
  )
  const mina = await node.connect('mina')
  const charge = spyOn(turns, 'charge')
  const unitsOf = async (request: () => Promise<unknown>) => {
    charge.mockClear()
    await request()
    return charge.mock.calls.reduce((sum, [units]) => sum + units, 0)
  }
  const place = { channel_group: 'g', channel_name: 'a', channel_id: 1 }
  expect(await unitsOf(() => mina.join('g', 'a'))).toBe(6)
  expect(await unitsOf(() => mina.leave('g'))).toBe(1)
  expect(await unitsOf(() => mina.ask('resume', { ...place, epoch: 'e', seq: 0 }))).toBe(6)
})

test('replies over several turns to players whose joins complete at the same instant', async () => {
  let now = 0
  const turns = new FrameTurns(() => (now += 10))
  const bus = new MemoryNetwork(systemClock).join()
  await using node = await startNode({}, { turns, bus })
  await node.app.channels.create(
    { group: 'g', name: 'a' },
    { maxMembers: 200, isFallback: false, isAutoscaling: true },
  )
  const players: FakePlayer[] = []
  for (let n = 0; n < 150; n++) players.push(await node.connect(`p${n}`))
  let [inThisTurn, mostInOneTurn] = [0, 0]
  for (const { socket } of players) {
    const { send } = socket
    socket.send = (text) => {
      if (text.startsWith('{"type":"joined"')) {
        if (inThisTurn++ === 0) setImmediate(() => (inThisTurn = 0))
        mostInOneTurn = Math.max(mostInOneTurn, inThisTurn)
      }
      return send.call(socket, text)
    }
  }
  const { history } = bus
  const [allReached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reached = 0
  bus.history = async (shard) => {
    if (++reached === players.length) allReached.resolve()
    await released.promise
    return await history.call(bus, shard)
  }
  const joining = players.map((player) => player.join('g', 'a'))
  await allReached.promise
  released.resolve()
  for (const joined of await Promise.all(joining)) expect(joined).toMatchObject({ type: 'joined' })
  expect(mostInOneTurn).toBeLessThanOrEqual(75)
})

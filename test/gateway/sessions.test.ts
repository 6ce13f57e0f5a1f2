import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { pino } from 'pino'
import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import { MemorySeats } from '../../src/adapters/memory/roster.ts'
import { packExpressions } from '../../src/core/expressions.ts'
import type { Bus } from '../../src/core/ports/bus.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import type { Frame } from '../support/player.ts'
import { startNode } from './node.ts'

const SETTINGS = { maxMembers: 50, isFallback: false, isAutoscaling: true }

let node: Awaited<ReturnType<typeof startNode>>

beforeEach(async () => {
  node = await startNode()
  for (const name of ['a', 'b']) await node.app.channels.create({ group: 'g', name }, SETTINGS)
})
afterEach(() => node[Symbol.asyncDispose]())

/** The members of each channel in the group. */
async function listMembers(): Promise<Record<string, string[]>> {
  const listed = (await Array.fromAsync(node.app.channels.list('g'))).flat()
  return Object.fromEntries(
    listed.map(({ channel, shard }) => [channel.name, shard.members.map(({ id }) => id)]),
  )
}

const topicsOf = (name: string) => [...node.heard].filter((topic) => topic.includes(name))

/** Lets pending work run for many turns of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
}

describe('a channel number', () => {
  test('is subscribed to on the bus from the first join to the last leave or disconnect', async () => {
    const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
    const before = node.heard.size
    await mina.join('g', 'a')
    await joon.join('g', 'a')
    expect(node.heard.size).toBe(before + 1)
    await mina.leave('g')
    expect(node.heard.size).toBe(before + 1)
    node.gateway.onClosed(joon.session)
    await settle()
    // The channel number and the topic of the disconnected player.
    expect(node.heard.size).toBe(before - 1)
    expect([topicsOf('joon'), topicsOf('mina').length]).toEqual([[], 1])
    expect([node.hub.players, node.gateway.connections]).toEqual([1, 1])
  })

  test('counts one delivery per member, and none for players who left', async () => {
    const [mina, joon, noor] = [
      await node.connect('mina'),
      await node.connect('joon'),
      await node.connect('noor'),
    ]
    for (const each of [mina, joon, noor]) await each.join('g', 'a')
    await joon.leave('g')
    await settle()
    await mina.say('g', 'first')
    await noor.hear('first')
    const before = await node.metric('parley_deliveries_total')
    await mina.say('g', 'second')
    await noor.hear('second')
    expect((await node.metric('parley_deliveries_total')) - before).toBe(2)
    expect(joon.heard).toEqual([])
  })

  test('never pushes after the reply to a join what the reply contains', async () => {
    const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
    await mina.join('g', 'a')
    // The first is sent immediately and the others are queued while joon joins.
    const saying = Array.from({ length: 5 }, (_, index) => mina.say('g', `m${index}`))
    const joined = await joon.join('g', 'a')
    await Promise.all(saying)
    await mina.say('g', 'last')
    await joon.hear('last')
    const pushed = joon.socket.frames.filter(({ type }) => type === 'message')
    const late = joon.socket.frames.slice(joon.socket.frames.indexOf(joined))
    expect(late.filter(({ type, seq }) => type === 'message' && seq <= joined.seq)).toEqual([])
    // Messages that it does not contain may arrive before or after it.
    const all = [...joined.messages, ...pushed.filter(({ seq }) => seq > joined.seq)]
    expect(all.map(({ message }) => message)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'last'])
  })

  test('keeps its seats for as long as their sessions are connected', async () => {
    jest.useFakeTimers()
    try {
      const seats = new MemorySeats(systemClock)
      await using lasting = await startNode({}, { roster: seats.join() })
      await lasting.app.channels.create({ group: 'g', name: 'a' }, SETTINGS)
      const mina = await lasting.connect('mina')
      await mina.join('g', 'a')
      for (let minute = 0; minute < 60; minute++) jest.advanceTimersByTime(60_000)
      // Another node frees the seats of a node whose lease has expired.
      const other = seats.join()
      const channel = lasting.app.channels.find({ group: 'g', name: 'a' })!
      expect(await other.listShards([channel], { from: 1, limit: 1 })).toMatchObject([
        { members: [{ id: 'mina' }] },
      ])
    } finally {
      jest.useRealTimers()
    }
  })
})

describe('a session', () => {
  test('that was replaced does not free the new session’s seat when it closes', async () => {
    const watcher = await node.connect('watcher')
    await watcher.join('g', 'a')
    const first = await node.connect('mina')
    await first.join('g', 'a')
    const second = await node.connect('mina')
    expect(await first.socket.closed).toMatchObject({ code: 4102 })
    expect(await second.join('g', 'a')).toMatchObject({ type: 'joined', channel_id: 1 })
    node.gateway.onClosed(first.session)
    await settle()
    await second.say('g', 'still here')
    await watcher.hear('still here')
    expect(watcher.socket.frames.map(({ type }) => type)).not.toContain('player_left')
    expect(await listMembers()).toEqual({ a: ['watcher', 'mina'], b: [] })
  })

  test.each([
    ['another channel', 'b', 1],
    ['another number of the channel', 'a', 2],
  ])(
    'that was replaced during a request leaves its channel number when its successor joins %s',
    async (_, name, number) => {
      await node.app.channels.update({ group: 'g', name: 'a' }, { maxMembers: 2 })
      const [watcher, former] = [await node.connect('watcher'), await node.connect('mina')]
      for (const player of [watcher, former, await node.connect('sora')]) await player.join('g', 'a')
      const filed = Promise.withResolvers<number>()
      node.app.reports.file = () => filed.promise
      const reporting = former.ask('report', { message_id: 'm', keyword: 'SPAM' })
      const current = await node.connect('mina')
      node.gateway.onClosed(former.session)
      const place = { channel_group: 'g', channel_name: name, channel_id: number }
      expect(await current.ask('join', place)).toMatchObject({ type: 'joined', ...place })
      filed.resolve(1)
      await reporting
      const isLeave = ({ type, gamer_id }: Frame) => type === 'player_left' && gamer_id === 'mina'
      await watcher.socket.until(isLeave)
      await watcher.say('g', 'after the leave')
      await watcher.hear('after the leave')
      expect(watcher.socket.frames.filter(isLeave)).toMatchObject([{ channel_name: 'a', channel_id: 1 }])
      expect(current.socket.frames.filter(isLeave)).toEqual([])
      expect(await current.say('g', 'still here')).toMatchObject({ type: 'said' })
    },
  )

  test('that was replaced during a join leaves the channel number after joining it', async () => {
    const bus = new MemoryNetwork(systemClock).join()
    await using held = await startNode({}, { bus })
    for (const name of ['a', 'b']) await held.app.channels.create({ group: 'g', name }, SETTINGS)
    const [watcher, former] = [await held.connect('watcher'), await held.connect('mina')]
    await watcher.join('g', 'a')
    const { history } = bus
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    bus.history = async (shard) => {
      if (shard.name === 'a') {
        reached.resolve()
        await released.promise
      }
      return await history.call(bus, shard)
    }
    const joining = former.join('g', 'a')
    await reached.promise
    const current = await held.connect('mina')
    held.gateway.onClosed(former.session)
    expect(await current.join('g', 'b')).toMatchObject({ type: 'joined', channel_name: 'b' })
    released.resolve()
    await joining
    await watcher.socket.until(({ type }) => type === 'player_left')
    const presence = watcher.socket.frames.filter(({ gamer_id }) => gamer_id === 'mina')
    expect(presence.map(({ type }) => type)).toEqual(['player_joined', 'player_left'])
  })

  test('that resumes from beyond the end of the sequence gets recovered: false', async () => {
    const mina = await node.connect('mina')
    const { epoch } = await mina.join('g', 'a')
    await mina.say('g', 'only one')
    const joon = await node.connect('joon')
    const place = { channel_group: 'g', channel_name: 'a', channel_id: 1, epoch }
    expect(await joon.ask('resume', { ...place, seq: 2 })).toMatchObject({ recovered: false, seq: 1 })
    await joon.leave('g')
    expect(await joon.ask('resume', { ...place, seq: 1 })).toMatchObject({ recovered: true, messages: [] })
  })

  test('that disconnects during a join leaves no seat behind and notifies the others', async () => {
    const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
    await mina.join('g', 'a')
    joon.session.receive(JSON.stringify({ type: 'join', id: 9, channel_group: 'g', channel_name: 'a' }))
    node.gateway.onClosed(joon.session)
    await mina.socket.until(({ type, gamer_id }) => type === 'player_left' && gamer_id === 'joon')
    expect(await listMembers()).toEqual({ a: ['mina'], b: [] })
  })

  test('that disconnects before its join takes a seat leaves none behind', async () => {
    const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
    await mina.join('g', 'a')
    const { roster } = node
    const { takeSeat } = roster
    const reached = Promise.withResolvers<void>()
    roster.takeSeat = async (request) => {
      await reached.promise
      return takeSeat.call(roster, request)
    }
    joon.session.receive(JSON.stringify({ type: 'join', id: 9, channel_group: 'g', channel_name: 'a' }))
    node.gateway.onClosed(joon.session)
    await settle()
    reached.resolve()
    await mina.socket.until(({ type, gamer_id }) => type === 'player_left' && gamer_id === 'joon')
    expect(await listMembers()).toEqual({ a: ['mina'], b: [] })
  })

  test('is not moved when a channel that it already left is deleted', async () => {
    await node.app.channels.create({ group: 'g', name: 'lobby' }, { ...SETTINGS, isFallback: true })
    const mina = await node.connect('mina')
    await mina.join('g', 'a')
    const [former] = (await Array.fromAsync(node.app.channels.list('g'))).flat().map(({ shard }) => shard)
    await mina.leave('g')
    await mina.join('g', 'b')
    if (former !== undefined) mina.session.displace(former)
    expect(await mina.say('g', 'still in b')).toMatchObject({ type: 'said' })
    expect(mina.socket.frames.map(({ type }) => type)).not.toContain('channel_deleted')
    expect(await listMembers()).toEqual({ a: [], b: ['mina'], lobby: [] })
  })

  test('with too many pending requests is closed with 4103 and counted once', async () => {
    const mina = await node.connect('mina')
    for (let sent = 0; sent < 64; sent++) mina.session.receive('{"type":"ping","id":1}')
    expect(mina.socket.closedWith).toBeUndefined()
    for (let sent = 0; sent < 10; sent++) mina.session.receive('{"type":"ping","id":1}')
    expect(mina.socket.closedWith).toMatchObject({ code: 4103 })
    expect(await node.disconnects()).toEqual({ protocol: 1 })
  })

  test('is notified of a lifted ban once, and only if it was notified of the ban', async () => {
    const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
    await node.app.bans.apply('mina', 1)
    await node.app.bans.lift('mina')
    await node.app.bans.lift('mina')
    await node.app.bans.lift('joon')
    await Promise.all([mina, joon].map((each) => each.ask('ping')))
    const bansOf = ({ socket }: typeof mina) =>
      socket.frames.map(({ type }) => type).filter((type) => type.startsWith('ban'))
    expect([bansOf(mina), bansOf(joon)]).toEqual([['banned', 'ban_lifted'], []])
  })
})

describe('a failing bus', () => {
  const lines: { msg: string; err?: { message: string } }[] = []
  let bus: Bus

  beforeEach(async () => {
    await node[Symbol.asyncDispose]()
    lines.length = 0
    bus = new MemoryNetwork(systemClock).join()
    const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) })
    node = await startNode({}, { bus }, log)
    await node.app.channels.create(
      { group: 'g', name: 'a' },
      { ...SETTINGS, maxMembers: 1, isAutoscaling: false },
    )
  })

  test('is logged once per failed frame; client errors are not logged', async () => {
    const mina = await node.connect('mina')
    await mina.join('g', 'a')
    expect(await mina.say('g', ' ')).toMatchObject({ code: 'MESSAGE_TOO_SHORT' })
    expect(lines).toEqual([])
    bus.append = () => Promise.reject(new Error('connection refused'))
    expect(await mina.say('g', 'hello')).toMatchObject({ type: 'error', code: 'UNKNOWN_ERROR' })
    expect(lines).toMatchObject([{ msg: 'failed to handle a frame', err: { message: 'connection refused' } }])
  })

  test('leaves no seat and no subscription after a failed join', async () => {
    const [mina, joon] = [await node.connect('mina'), await node.connect('joon')]
    const before = new Set(node.heard)
    const { history } = bus
    bus.history = () => {
      bus.history = history
      return Promise.reject(new Error('connection refused'))
    }
    expect(await mina.join('g', 'a')).toMatchObject({ type: 'error', code: 'UNKNOWN_ERROR' })
    expect([mina.socket.topics.size, node.heard]).toEqual([0, before])
    expect(await joon.join('g', 'a')).toMatchObject({ type: 'joined', players: [{ gamer_id: 'joon' }] })
    expect(await mina.say('g', 'hello')).toMatchObject({ code: 'NOT_JOIN_CHANNEL' })
  })
})

test('acknowledges a ban only after the player’s earlier messages are delivered', async () => {
  const bus = new MemoryNetwork(systemClock).join()
  await using held = await startNode({}, { bus })
  await held.app.channels.create({ group: 'g', name: 'a' }, SETTINGS)
  const [mina, joon] = [await held.connect('mina'), await held.connect('joon')]
  for (const each of [mina, joon]) await each.join('g', 'a')
  const { append } = bus
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  bus.append = async (message) => {
    reached.resolve()
    await released.promise
    return append.call(bus, message)
  }
  const saying = mina.say('g', 'before the ban')
  await reached.promise
  let isAcknowledged = false
  const banning = held.app.bans.apply('mina', 1).then(() => {
    isAcknowledged = true
  })
  await mina.socket.until(({ type }) => type === 'banned')
  await settle()
  expect(isAcknowledged).toBe(false)
  released.resolve()
  await banning
  await saying
  const heard = joon.heard.length
  await settle()
  expect(joon.heard).toHaveLength(heard)
})

test('counts messages by outcome', async () => {
  await node.app.filters.replace({
    kind: 'forbidden',
    language: 'all',
    expressions: packExpressions(['rude']),
  })
  const mina = await node.connect('mina')
  await mina.join('g', 'a')
  for (const text of ['hello', 'a rude word', ' ']) await mina.say('g', text)
  const count = (outcome: string) => node.metric(`parley_messages_total\\{outcome="${outcome}"\\}`)
  expect([await count('delivered'), await count('masked'), await count('message-too-short')]).toEqual([
    1, 1, 1,
  ])
})

import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { signToken } from '../support/player.ts'
import { type FakePlayer, startNode } from './node.ts'

const SETTINGS = { maxMembers: 50, isFallback: false, isAutoscaling: true }

let now: number
let node: Awaited<ReturnType<typeof startNode>>

const start = async (env: Record<string, string> = {}) => {
  node = await startNode({ PARLEY_FLOOD_LIMIT: 'on', ...env }, { monotonicClock: () => now })
  for (const group of ['g', 'h']) await node.app.channels.create({ group, name: 'a' }, SETTINGS)
}
beforeEach(() => {
  now = 0
})
afterEach(() => node[Symbol.asyncDispose]())

const joinAs = async (id: string, group = 'g'): Promise<FakePlayer> => {
  const player = await node.connect(id)
  await player.join(group, 'a')
  return player
}

const spam = (retryAfterMs: number) => ({ code: 'MESSAGE_SPAM', retry_after_ms: retryAfterMs })
const typesOf = ({ socket }: FakePlayer) => socket.frames.map(({ type }) => type)

describe('messages', () => {
  test('are counted per player, across connections and groups', async () => {
    await start()
    const joon = await joinAs('joon')
    await joon.join('h', 'a')
    const accepted: unknown[] = []
    for (let round = 0; round < 8; round++) {
      const mina = await joinAs('mina', round % 2 === 0 ? 'g' : 'h')
      for (let each = 0; each < 2; each++)
        accepted.push((await mina.say(round % 2 === 0 ? 'g' : 'h', `r${round}.${each}`)).type)
      node.gateway.onClosed(mina.session)
    }
    expect(accepted.filter((type) => type === 'said')).toHaveLength(5)
    await joon.say('g', 'the end')
    await joon.hear('the end')
    expect(joon.heard).toEqual(['r0.0', 'r0.1', 'r1.0', 'r1.1', 'r2.0', 'the end'])
    now += 5000
    const mina = await joinAs('mina')
    expect(await mina.say('g', 'again')).toMatchObject({ type: 'said' })
  })

  test('of one player do not count for another', async () => {
    await start()
    const [mina, joon] = [await joinAs('mina'), await joinAs('joon')]
    for (let each = 0; each < 5; each++) await mina.say('g', 'x')
    expect(await mina.say('g', 'x')).toMatchObject(spam(5000))
    expect(await joon.say('g', 'y')).toMatchObject({ type: 'said' })
  })
})

describe('frames of any kind', () => {
  test('are limited, and the error says when the next one is allowed', async () => {
    await start({ PARLEY_FLOOD_FRAMES: '10' })
    const mina = await node.connect('mina')
    for (let each = 0; each < 5; each++) expect(await mina.ask('ping')).toMatchObject({ type: 'pong' })
    for (let each = 0; each < 5; each++) mina.session.receive('nonsense')
    now += 3000
    expect(await mina.ask('ping')).toMatchObject(spam(7000))
    mina.session.receive('nonsense')
    await mina.socket.until(({ id, code }) => id === null && code === 'MESSAGE_SPAM')
    now += 7000
    expect(await mina.ask('ping')).toMatchObject({ type: 'pong' })
  })

  test('count across connections', async () => {
    await start({ PARLEY_FLOOD_FRAMES: '10' })
    const first = await node.connect('mina')
    for (let each = 0; each < 10; each++) await first.ask('ping')
    node.gateway.onClosed(first.session)
    const second = await node.connect('mina')
    expect(await second.ask('ping')).toMatchObject(spam(10_000))
  })

  test('before connect are limited to 12, then the connection is closed with 4103', async () => {
    await start()
    const stranger = node.open()
    for (let each = 0; each < 12; each++) expect(await stranger.ask('ping')).toMatchObject({ type: 'pong' })
    const token = await signToken('stranger')
    stranger.session.receive(JSON.stringify({ type: 'connect', id: 'late', token }))
    expect(await stranger.socket.closed).toMatchObject({ code: 4103 })
    await joinAs('joon')
    expect([node.hub.players, typesOf(stranger)]).toEqual([1, Array(12).fill('pong')])
  })
})

describe('joins, leaves and reconnects', () => {
  test('are limited, which bounds the presence events of a channel', async () => {
    await start({ PARLEY_FLOOD_JOINS: '10' })
    const joon = await joinAs('joon')
    const mina = await node.connect('mina')
    const replies: unknown[] = []
    for (let round = 0; round < 20; round++) {
      replies.push((await mina.join('g', 'a')).type, (await mina.leave('g')).type)
    }
    // One of the ten was the connect.
    expect(replies.filter((type) => type !== 'error')).toHaveLength(9)
    expect(await mina.leave('g')).toMatchObject(spam(10_000))
    const told = () =>
      joon.socket.frames.filter(({ type, gamer_id }) => /^player_/.test(type) && gamer_id === 'mina')
    expect(told()).toHaveLength(9)
    now += 10_000
    expect(await mina.leave('g')).toMatchObject({ type: 'left' })
    await joon.socket.until(() => told().length === 10)
  })

  test('count even if they fail', async () => {
    await start({ PARLEY_FLOOD_JOINS: '5' })
    const mina = await node.connect('mina')
    expect(await mina.join('unknown')).toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
    expect(await mina.leave('unknown')).toMatchObject({ code: 'NOT_JOIN_CHANNEL' })
    const place = { channel_group: 'unknown', channel_name: 'a', channel_id: 1 }
    expect(await mina.ask('resume', { ...place, epoch: 'e', seq: 0 })).toMatchObject({
      code: 'CHANNEL_NOT_FOUND',
    })
    await node.connect('mina')
    const sixth = node.open()
    expect(await sixth.ask('connect', { token: await signToken('mina') })).toMatchObject(spam(10_000))
    expect(await sixth.socket.closed).toMatchObject({ code: 4009 })
  })

  test('allow a client to reconnect to 16 groups twice', async () => {
    await start()
    const groups = Array.from({ length: 16 }, (_, index) => `group-${index}`)
    for (const group of groups) await node.app.channels.create({ group, name: 'a' }, SETTINGS)
    for (let round = 0; round < 2; round++) {
      const mina = await node.connect('mina')
      const joined = await Promise.all(groups.map((group) => mina.join(group, 'a')))
      expect(joined.map(({ type }) => type)).toEqual(Array(16).fill('joined'))
    }
  })
})

describe('reports', () => {
  test('are limited, and over the limit the store is not queried', async () => {
    await start({ PARLEY_FLOOD_REPORTS: '3' })
    const mina = await node.connect('mina')
    const report = (fields: object = {}) =>
      mina.ask('report', { message_id: 'unknown', keyword: 'SPAM', ...fields })
    expect(await report({ keyword: 'NONE' })).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await report()).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await report()).toMatchObject({ code: 'INVALID_PARAMETER' })
    const lookUp = spyOn(node.app.messages, 'find')
    for (let each = 0; each < 20; each++)
      expect(await report()).toMatchObject({ code: 'TOO_MANY_REPORT', retry_after_ms: 60_000 })
    expect(lookUp).not.toHaveBeenCalled()
    now += 60_000
    expect(await report()).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(lookUp).toHaveBeenCalledTimes(1)
  })
})

describe('a client that ignores flood control', () => {
  test.each([
    ['frames', { PARLEY_FLOOD_FRAMES: '1' }, { type: 'ping' }],
    ['messages', { PARLEY_FLOOD_MESSAGES: '1' }, { type: 'say', channel_group: 'g', message: 'x' }],
    ['joins', { PARLEY_FLOOD_JOINS: '2' }, { type: 'leave', channel_group: 'h' }],
    ['reports', { PARLEY_FLOOD_REPORTS: '1' }, { type: 'report', message_id: 'm', keyword: 'SPAM' }],
  ])('with %s is closed with 4009', async (_, env, frame) => {
    await start({ PARLEY_FLOOD_REFUSALS: '5', ...(env as Record<string, string>) })
    const mina = await joinAs('mina')
    const { type, ...fields } = frame
    for (let each = 0; each < 20 && mina.socket.closedWith === undefined; each++) await mina.ask(type, fields)
    expect(mina.socket.closedWith).toEqual({ code: 4009, reason: 'flooding' })
    expect(await node.disconnects()).toEqual({ flooding: 1 })
    const rejected = mina.socket.frames.filter(({ retry_after_ms }) => retry_after_ms !== undefined)
    expect(rejected).toHaveLength(6)
  })

  test('cannot reconnect until the limit has recovered, and affects nobody else', async () => {
    await start({ PARLEY_FLOOD_REFUSALS: '5', PARLEY_FLOOD_FRAMES: '10' })
    const joon = await joinAs('joon')
    const mina = await joinAs('mina')
    for (let each = 0; each < 30; each++) mina.session.receive('{"type":"ping","id":1}')
    await mina.socket.closed
    node.gateway.onClosed(mina.session)
    const again = node.open()
    const token = await signToken('mina')
    expect(await again.ask('connect', { token })).toMatchObject({ code: 'MESSAGE_SPAM' })
    expect(await again.socket.closed).toMatchObject({ code: 4009 })
    expect(await joon.say('g', 'still here')).toMatchObject({ type: 'said' })
    now += 10_000
    expect(typesOf(await node.connect('mina'))).toEqual(['connected'])
  })

  test('has its queued messages dropped when it is closed', async () => {
    await start({ PARLEY_FLOOD_REFUSALS: '1', PARLEY_FLOOD_REPORTS: '1' })
    const [mina, joon] = [await joinAs('mina'), await joinAs('joon')]
    const report = JSON.stringify({ type: 'report', id: 1, message_id: 'm', keyword: 'SPAM' })
    for (let each = 0; each < 3; each++) mina.session.receive(report)
    mina.session.receive(JSON.stringify({ type: 'say', id: 2, channel_group: 'g', message: 'too late' }))
    await mina.socket.closed
    await joon.say('g', 'the end')
    await joon.hear('the end')
    expect(joon.heard).toEqual(['the end'])
  })
})

describe('groups of one player', () => {
  test('are limited to 16, and the 17th join takes no seat', async () => {
    await start({ PARLEY_FLOOD_JOINS: '1000' })
    const groups = Array.from({ length: 17 }, (_, index) => `group-${index}`)
    for (const group of groups) await node.app.channels.create({ group, name: 'a' }, SETTINGS)
    const mina = await node.connect('mina')
    for (const group of groups.slice(0, 16)) await mina.join(group, 'a')
    const takeSeat = spyOn(node.roster, 'takeSeat')
    expect(await mina.join('group-16', 'a')).toMatchObject({
      code: 'ALREADY_JOIN_CHANNEL',
      message: 'You have reached the maximum number of groups.',
    })
    expect(takeSeat).not.toHaveBeenCalled()
    expect((await Array.fromAsync(node.app.channels.list('group-16')))[0]?.[0]?.shard.members).toEqual([])
    await mina.leave('group-3')
    expect(await mina.join('group-16', 'a')).toMatchObject({ type: 'joined' })
  })

  test('are configurable', async () => {
    await start({ PARLEY_GROUPS_PER_PLAYER: '1' })
    const mina = await joinAs('mina')
    expect(await mina.join('h', 'a')).toMatchObject({ code: 'ALREADY_JOIN_CHANNEL' })
  })
})

test('PARLEY_FLOOD_LIMIT=off disables all limits', async () => {
  await start({
    PARLEY_FLOOD_LIMIT: 'off',
    PARLEY_FLOOD_MESSAGES: '1',
    PARLEY_FLOOD_FRAMES: '1',
    PARLEY_FLOOD_JOINS: '1',
    PARLEY_FLOOD_REPORTS: '1',
    PARLEY_FLOOD_REFUSALS: '1',
  })
  const mina = await joinAs('mina')
  for (let each = 0; each < 20; each++) {
    expect(await mina.say('g', 'x')).toMatchObject({ type: 'said' })
    expect(await mina.join('h', 'a')).toMatchObject({ type: 'joined' })
    expect(await mina.leave('h')).toMatchObject({ type: 'left' })
    const report = await mina.ask('report', { message_id: 'unknown', keyword: 'SPAM' })
    expect(report).toMatchObject({ code: 'INVALID_PARAMETER' })
  }
})

import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { monotonicClock } from '../../src/core/ports/clock.ts'
import { yieldToEventLoop } from '../../src/core/time-slice.ts'
import { FrameTurns } from '../../src/gateway/frame-turns.ts'
import { type FakePlayer, startNode } from './node.ts'

const SETTINGS = { maxMembers: 1000, isFallback: false, isAutoscaling: true }
const CROWD = 80

let turns: FrameTurns
let node: Awaited<ReturnType<typeof startNode>>
let members: FakePlayer[]

beforeEach(async () => {
  turns = new FrameTurns(monotonicClock)
  node = await startNode({}, { turns })
  await node.app.channels.create({ group: 'g', name: 'lobby' }, { ...SETTINGS, isFallback: true })
  await node.app.channels.create({ group: 'g', name: 'a' }, SETTINGS)
  members = await Promise.all(Array.from({ length: CROWD }, (_, n) => node.connect(`p${n}`)))
  for (const member of members) await member.join('g', 'a')
})
afterEach(() => node[Symbol.asyncDispose]())

/** Deletes the channel and calls `meanwhile` when the first members were displaced and the others were not. */
async function deleteChannel(meanwhile: () => void): Promise<void> {
  node.app.watch({
    changed: ({ kind }) => {
      if (kind === 'channel-deleted') meanwhile()
    },
    reloaded: () => undefined,
  })
  await node.app.channels.remove({ group: 'g', name: 'a' })
}

const typesOf = (player: FakePlayer, ...types: string[]) =>
  player.socket.frames.map(({ type }) => type).filter((type) => types.includes(type))

const whenMoved = (player: FakePlayer) =>
  player.socket.until(({ type, id }) => type === 'joined' && id === null)

async function listMembers(name: string): Promise<string[]> {
  const listed = (await Array.fromAsync(node.app.channels.list('g'))).flat()
  return listed
    .filter(({ channel }) => channel.name === name)
    .flatMap(({ shard }) => shard.members.map(({ id }) => id))
}

test('moves every member of a deleted channel once, and subscribes it to nothing else', async () => {
  const topics = node.heard.size
  await deleteChannel(() => undefined)
  await Promise.all(members.map(whenMoved))
  for (const member of members)
    expect(typesOf(member, 'channel_deleted', 'moved')).toEqual(['channel_deleted', 'moved'])
  expect(new Set(members.flatMap(({ socket }) => [...socket.topics])).size).toBe(1)
  expect(node.heard.size).toBe(topics)
  expect((await listMembers('lobby')).sort()).toEqual(Array.from({ length: CROWD }, (_, n) => `p${n}`).sort())
})

test('handles what a member sends before it is displaced in the FALLBACK, and displaces it once', async () => {
  const speaker = members.at(-1)!
  let said: Promise<unknown> | undefined
  await deleteChannel(() => {
    expect(typesOf(speaker, 'channel_deleted')).toEqual([])
    said = speaker.say('g', 'where am I?')
  })
  expect(await said).toMatchObject({ type: 'said' })
  await Promise.all(members.map(whenMoved))
  const message = await speaker.hear('where am I?')
  expect(message).toMatchObject({ channel_name: 'lobby' })
  expect(typesOf(speaker, 'channel_deleted', 'moved', 'message')).toEqual([
    'channel_deleted',
    'moved',
    'message',
  ])
})

const joinedTheLobby = (witness: FakePlayer) =>
  witness.socket.frames
    .filter(({ type, channel_name }) => type === 'player_joined' && channel_name === 'lobby')
    .map(({ gamer_id }) => gamer_id)

test('moves no member who disconnects while its displacement waits for a request', async () => {
  const [gone, witness] = members as [FakePlayer, FakePlayer]
  const turn = Promise.withResolvers<void>()
  spyOn(turns, 'enter').mockReturnValueOnce(turn.promise)
  const answered = gone.ask('ping')
  await deleteChannel(() => node.gateway.onClosed(gone.session))
  await Promise.all(members.slice(1).map(whenMoved))
  turn.resolve()
  await answered
  for (let passed = 0; passed < 20; passed++) await yieldToEventLoop()
  expect(joinedTheLobby(witness)).not.toContain('p0')
  expect(await listMembers('lobby')).not.toContain('p0')
})

test('moves no member who leaves or disconnects before it is displaced', async () => {
  const [leaver, gone] = members.slice(-2) as [FakePlayer, FakePlayer]
  let left: Promise<unknown> | undefined
  await deleteChannel(() => {
    left = leaver.leave('g')
    node.gateway.onClosed(gone.session)
  })
  expect(await left).toMatchObject({ type: 'left' })
  await Promise.all(members.slice(0, -2).map(whenMoved))
  for (const member of [leaver, gone]) expect(typesOf(member, 'channel_deleted', 'moved')).toEqual([])
  const lobby = await listMembers('lobby')
  expect([lobby.length, lobby.includes('p78'), lobby.includes('p79')]).toEqual([CROWD - 2, false, false])
  expect(joinedTheLobby(members[0]!).filter((id) => id === 'p78' || id === 'p79')).toEqual([])
})

test('tells everyone to reconnect when the server drains', async () => {
  const early = node.open()
  await node.gateway.drain()
  for (const member of members) {
    expect(member.socket.frames.at(-1)).toMatchObject({ type: 'going_away' })
    expect(member.socket.closedWith).toMatchObject({ code: 4001 })
  }
  expect([early.socket.frames, early.socket.closedWith?.code]).toEqual([[], 4001])
})

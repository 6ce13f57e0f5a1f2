import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel } from '../../src/core/model.ts'
import type { Frame } from '../support/player.ts'
import { type FakePlayer, startNode } from './node.ts'

const SETTINGS = { maxMembers: 1000, isFallback: false, isAutoscaling: true }

let node: Awaited<ReturnType<typeof startNode>>
beforeEach(async () => {
  node = await startNode()
  for (const name of ['a', 'b']) await node.app.channels.create({ group: 'g', name }, SETTINGS)
})
afterEach(() => node[Symbol.asyncDispose]())

/** Seats players `p0`, `p1`, … directly in the roster, without connections. */
async function fill(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await node.roster.takeSeat({ channel: findChannel(), ...holder(n) })
}

function findChannel(): Channel {
  const channel = node.app.channels.find({ group: 'g', name: 'a' })
  if (channel === undefined) throw new Error('there is no channel')
  return channel
}

const holder = (n: number) => ({ player: { id: `p${n}`, name: `P${n}` }, sessionId: `s${n}` })

async function listPages(player: FakePlayer): Promise<Frame[]> {
  const pages = [await player.ask('players', { channel_group: 'g' })]
  for (let last = pages[0]; last.cursor !== undefined; last = pages.at(-1))
    pages.push(await player.ask('players', { channel_group: 'g', cursor: last.cursor }))
  return pages
}

const idsOf = ({ players }: Frame): string[] => players.map(({ gamer_id }: Frame) => gamer_id)
const idsUpTo = (count: number) => Array.from({ length: count }, (_, n) => `p${n}`)

describe('joined', () => {
  test('lists the 200 players who joined first, and counts all', async () => {
    await fill(450)
    const mina = await node.connect('mina')
    const joined = await mina.join('g', 'a')
    expect([idsOf(joined), joined.player_count]).toEqual([idsUpTo(200), 451])
  })

  test('lists everybody in a small channel', async () => {
    await fill(2)
    const mina = await node.connect('mina')
    expect(await mina.join('g', 'a')).toMatchObject({
      players: [
        { gamer_id: 'p0', gamer_name: 'P0' },
        { gamer_id: 'p1', gamer_name: 'P1' },
        { gamer_id: 'mina' },
      ],
      player_count: 3,
    })
  })
})

test('players of a large channel receive the joins and leaves of a second in one frame', async () => {
  const members = await Promise.all(Array.from({ length: 101 }, (_, n) => node.connect(`m${n}`)))
  for (const member of members) await member.join('g', 'a')
  const [first] = members
  // The first join above 100 members is pending.
  node.hub.tick()
  await first!.socket.until(({ type }) => type === 'players_changed')
  const joon = await node.connect('joon')
  await joon.join('g', 'a')
  await members[50]!.leave('g')
  node.hub.tick()
  const change = await first!.socket.until(({ joined }) => joined?.[0]?.gamer_id === 'joon')
  expect(change).toMatchObject({
    joined: [{ gamer_id: 'joon' }],
    left: [{ gamer_id: 'm50' }],
    player_count: 101,
  })
  const later = first!.socket.frames.filter(({ gamer_id }) => gamer_id === 'joon' || gamer_id === 'm50')
  expect(later.map(({ type }) => type)).toEqual(['player_joined'])
})

describe('players', () => {
  test('lists all members of the channel number in pages of 200', async () => {
    await fill(450)
    const mina = await node.connect('mina')
    await mina.join('g', 'a')
    const pages = await listPages(mina)
    const place = { type: 'players', channel_group: 'g', channel_name: 'a', channel_id: 1 }
    for (const page of pages) expect(page).toMatchObject({ ...place, player_count: 451 })
    expect(pages.map(({ players }) => players.length)).toEqual([200, 200, 51])
    expect(pages.flatMap(idsOf)).toEqual([...idsUpTo(450), 'mina'])
    expect(pages[2].players[0]).toEqual({ gamer_id: 'p400', gamer_name: 'P400' })
  })

  test('skips no member and repeats none when others leave between two pages', async () => {
    await fill(450)
    const mina = await node.connect('mina')
    await mina.join('g', 'a')
    const { cursor } = await mina.ask('players', { channel_group: 'g' })
    for (const n of [0, 199, 200]) await node.roster.leaveSeat({ ...findChannel(), number: 1 }, holder(n))
    const second = await mina.ask('players', { channel_group: 'g', cursor })
    expect([idsOf(second)[0], second.players.length, second.player_count]).toEqual(['p201', 200, 448])
  })

  test('rejects a request without a seat, and a cursor of another channel or of nobody', async () => {
    await fill(450)
    const mina = await node.connect('mina')
    expect(await mina.ask('players', { channel_group: 'g' })).toMatchObject({ code: 'NOT_JOIN_CHANNEL' })
    await mina.join('g', 'a')
    const { cursor } = await mina.ask('players', { channel_group: 'g' })
    await mina.leave('g')
    await mina.join('g', 'b')
    for (const wrong of [cursor, 'x', '', `${cursor}0.5`, 7])
      expect(await mina.ask('players', { channel_group: 'g', cursor: wrong })).toMatchObject({
        type: 'error',
        code: 'INVALID_PARAMETER',
        property: 'cursor',
      })
  })

  test('counts as a frame in flood control, not as a move', async () => {
    await using limited = await startNode({ PARLEY_FLOOD_LIMIT: 'on' })
    await limited.app.channels.create({ group: 'g', name: 'a' }, SETTINGS)
    const mina = await limited.connect('mina')
    await mina.join('g', 'a')
    const types: string[] = []
    while (types.at(-1) !== 'error') types.push((await mina.ask('players', { channel_group: 'g' })).type)
    expect(types.length).toBe(200)
  })
})

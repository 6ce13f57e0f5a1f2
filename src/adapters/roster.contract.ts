import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Channel, Shard } from '../core/model.ts'
import { LEASE_MS, RETIREMENT_MS, type Roster } from '../core/ports/roster.ts'
import { testConcurrentSeats } from './roster-concurrency.contract.ts'
import { channel, type RosterHarness } from './roster-harness.contract.ts'

const shard = (name: string, number: number): Shard => ({ group: 'global', name, incarnation: 1, number })

/** Implementations may check leases only once a second. */
const MARGIN_MS = 1000

/** Tests the contract of `Roster`. */
export function testRoster(name: string, createHarness: () => Promise<RosterHarness>): void {
  describe(`${name} satisfies the Roster contract`, () => {
    let harness: RosterHarness
    let roster: Roster
    let now: number

    beforeEach(async () => {
      now = 1_800_000_000_000
      harness = await createHarness()
      roster = await harness.open(() => now)
    })
    afterEach(async () => {
      await roster.close()
      await harness.remove()
    })

    const sit = async (
      player: string,
      options: { channel?: Channel; number?: number; session?: string } = {},
    ) => {
      const outcome = await roster.takeSeat({
        channel: options.channel ?? channel(),
        player: { id: player, name: player.toUpperCase() },
        sessionId: options.session ?? `session of ${player}`,
        ...(options.number !== undefined && { number: options.number }),
      })
      return outcome.outcome === 'seated' ? outcome.shard.number : outcome.outcome
    }
    const leave = (player: string, { in: from = shard('a', 1), session = `session of ${player}` } = {}) =>
      roster.leaveSeat(from, { player: { id: player, name: player.toUpperCase() }, sessionId: session })
    const CHANNELS = ['a', 'b'].map((name) => channel({ name }))
    const ALL = { from: 1, limit: 1000 }
    const members = async (channels = CHANNELS) =>
      (await roster.listShards(channels, ALL)).map(({ name, number, members: players }) => [
        name,
        number,
        players.map(({ id }) => id),
      ])

    test('takes the lowest number with a free seat and opens another when all are full', async () => {
      expect([await sit('p1'), await sit('p2'), await sit('p3'), await sit('p4'), await sit('p5')]).toEqual([
        1, 1, 2, 2, 3,
      ])
      await leave('p1')
      expect([await sit('p6'), await sit('p7')]).toEqual([1, 3])
    })

    test('does not open a second number without autoscaling', async () => {
      const fixed = channel({ isAutoscaling: false })
      expect([await sit('p1', { channel: fixed }), await sit('p2', { channel: fixed })]).toEqual([1, 1])
      expect(await sit('p3', { channel: fixed })).toBe('full')
    })

    test('takes a requested number unless it is full or not open', async () => {
      for (const player of ['p1', 'p2', 'p3']) await sit(player)
      expect(await sit('p4', { number: 1 })).toBe('full')
      expect(await sit('p4', { number: 9 })).toBe('unknown-number')
      expect(await sit('p4', { number: 2 })).toBe(2)
    })

    test('gives a player one seat per group, held by the newest session', async () => {
      await sit('p1')
      expect(await sit('p1')).toBe('already-seated')
      expect(await sit('p1', { channel: channel({ name: 'b' }), session: 'newer' })).toBe(1)
      expect(await members()).toEqual([
        ['a', 1, []],
        ['b', 1, ['p1']],
      ])
      expect(await sit('p1', { channel: channel({ group: 'other' }), session: 'newer' })).toBe(1)
      await leave('p1')
      expect(await members()).toEqual([
        ['a', 1, []],
        ['b', 1, ['p1']],
      ])
      expect(await leave('p1', { in: shard('b', 1), session: 'newer' })).toBe(true)
      expect(await members()).toEqual([
        ['a', 1, []],
        ['b', 1, []],
      ])
    })

    test('reports whether a player whose seat was taken over has left the channel number', async () => {
      for (const player of ['p1', 'p2', 'p3']) await sit(player)
      expect(await sit('p1', { session: 'newer', number: 1 })).toBe(1)
      expect(await leave('p1')).toBe(false)
      expect(await sit('p1', { session: 'newest', number: 2 })).toBe(2)
      expect([await leave('p1'), await leave('p1', { session: 'newer' })]).toEqual([true, true])
      expect(await leave('p1', { in: shard('b', 2) })).toBe(true)
      expect(await leave('p1', { in: { ...shard('a', 2), incarnation: 2 } })).toBe(true)
      expect(await leave('p1', { in: shard('a', 2) })).toBe(false)
      expect(await members()).toEqual([
        ['a', 1, ['p2']],
        ['a', 2, ['p3', 'p1']],
      ])
    })

    test('keeps the seat of a player who rejoins a full number', async () => {
      const fixed = channel({ isAutoscaling: false, maxMembers: 1 })
      await sit('p1', { channel: fixed })
      expect(await sit('p1', { channel: fixed, session: 'newer' })).toBe(1)
    })

    test('frees the seats of a node whose lease has expired', async () => {
      const other = await harness.open(() => now)
      await sit('p1')
      await other.takeSeat({ channel: channel(), player: { id: 'p2', name: 'P2' }, sessionId: 'other' })
      now += LEASE_MS - MARGIN_MS
      await roster.renewLease()
      now += 2 * MARGIN_MS
      expect(await members()).toEqual([['a', 1, ['p1']]])
      expect(await sit('p3')).toBe(1)
      await other.close()
    })

    test('frees the seats of a node that leaves', async () => {
      const other = await harness.open(() => now)
      await other.takeSeat({ channel: channel(), player: { id: 'p2', name: 'P2' }, sessionId: 'other' })
      await sit('p1')
      await other.close()
      expect(await members()).toEqual([['a', 1, ['p1']]])
    })

    test('keeps the seat that a player took on another node when the first one leaves', async () => {
      const other = await harness.open(() => now)
      await other.takeSeat({ channel: channel(), player: { id: 'p1', name: 'P1' }, sessionId: 'former' })
      await sit('p1', { session: 'current' })
      await other.close()
      await sit('p1', { session: 'newer' })
      expect(await members()).toEqual([['a', 1, ['p1']]])
    })

    test('closes a number that stayed empty, and reuses the lowest', async () => {
      const one = channel({ maxMembers: 1 })
      for (const player of ['p1', 'p2', 'p3']) await sit(player, { channel: one })
      for (const player of ['p1', 'p2']) await leave(player)
      now += RETIREMENT_MS - MARGIN_MS
      await roster.renewLease()
      expect(await roster.listNumbers(one)).toEqual([1, 2, 3])
      now += 2 * MARGIN_MS
      await roster.renewLease()
      expect(await roster.listNumbers(one)).toEqual([3])
      for (const player of ['p4', 'p5', 'p6']) await sit(player, { channel: one })
      expect(await members()).toEqual([
        ['a', 1, ['p4']],
        ['a', 2, ['p5']],
        ['a', 3, ['p3']],
        ['a', 4, ['p6']],
      ])
    })

    test('reopens a closed number on request', async () => {
      const request = { channel: channel(), player: { id: 'p1', name: 'P1' }, sessionId: 's', number: 3 }
      expect(await roster.takeSeat(request)).toEqual({ outcome: 'unknown-number' })
      expect(await roster.takeSeat({ ...request, reopen: true })).toMatchObject({ shard: { number: 3 } })
      for (const player of ['p2', 'p3', 'p4', 'p5']) await sit(player)
      expect(await roster.listNumbers(channel())).toEqual([1, 2, 3])
    })

    test('neither frees nor gives seats when max_count shrinks', async () => {
      for (const player of ['p1', 'p2']) await sit(player)
      const smaller = channel({ maxMembers: 1, isAutoscaling: false })
      await leave('p1')
      expect(await sit('p3', { channel: smaller })).toBe('full')
      expect(await members()).toEqual([['a', 1, ['p2']]])
    })

    test('gives seats when max_count grows', async () => {
      const fixed = channel({ maxMembers: 1, isAutoscaling: false })
      await sit('p1', { channel: fixed })
      expect(await sit('p2', { channel: fixed })).toBe('full')
      expect(await sit('p2', { channel: { ...fixed, maxMembers: 2 } })).toBe(1)
    })

    test('lists numbers of several channels in pages, with their members', async () => {
      for (const name of ['b', 'a', 'a', 'a']) {
        const player = `p${(await members()).length}`
        await sit(player, { channel: channel({ name, maxMembers: 1 }) })
      }
      expect(await members()).toEqual([
        ['a', 1, ['p1']],
        ['a', 2, ['p2']],
        ['a', 3, ['p3']],
        ['b', 1, ['p0']],
      ])
      const page = async (from: number, limit: number) =>
        (await roster.listShards(CHANNELS, { from, limit })).map((each) => `${each.name}${each.number}`)
      expect([await page(1, 2), await page(3, 2), await page(4, 9)]).toEqual([
        ['a1', 'a2'],
        ['a3', 'b1'],
        ['b1'],
      ])
      expect(await roster.listShards([channel({ group: 'unknown' })], ALL)).toEqual([])
      expect(await roster.listShards(CHANNELS.slice(1), ALL)).toEqual([
        { ...shard('b', 1), members: [{ id: 'p0', name: 'P0' }] },
      ])
    })

    test('lists the members of a number in the order in which they joined, in pages', async () => {
      const large = channel({ maxMembers: 10 })
      for (const player of ['p3', 'p1', 'p4', 'p2']) await sit(player, { channel: large })
      await leave('p1')
      const first = await roster.listMembers(shard('a', 1), { limit: 2 })
      expect([first.members.map(({ id }) => id), first.count]).toEqual([['p3', 'p4'], 3])
      const second = await roster.listMembers(shard('a', 1), { after: first.next, limit: 2 })
      expect(second).toEqual({ members: [{ id: 'p2', name: 'P2' }], count: 3, next: undefined })
      expect((await roster.listMembers(shard('a', 1), { limit: 3 })).next).toBeUndefined()
      expect(await roster.listMembers(shard('a', 2), { limit: 2 })).toEqual({
        members: [],
        count: 0,
        next: undefined,
      })
    })

    test('frees the seats of a removed channel', async () => {
      for (const player of ['p1', 'p2', 'p3']) await sit(player)
      await roster.removeChannel(channel())
      expect(await members()).toEqual([])
      expect(await leave('p1')).toBe(true)
      expect(await sit('p1')).toBe(1)
    })

    test('keeps the seats that members of a channel take elsewhere while it is removed', async () => {
      const [crowded, lobby] = [channel({ maxMembers: 10_000 }), channel({ name: 'b', maxMembers: 10_000 })]
      const players = Array.from({ length: 3000 }, (_, n) => `p${n}`)
      for (const player of players) await sit(player, { channel: crowded })
      const removed = roster.removeChannel(crowded)
      for (const player of players) {
        await leave(player)
        await sit(player, { channel: lobby })
      }
      await removed
      expect(await roster.listMembers({ ...lobby, number: 1 }, { limit: 1 })).toMatchObject({
        count: players.length,
      })
      for (const player of players) await leave(player, { in: shard('b', 1) })
      expect(await roster.listMembers({ ...lobby, number: 1 }, { limit: 1 })).toMatchObject({ count: 0 })
    })

    test('keeps the seats of a recreated channel apart', async () => {
      const [former, recreated] = [channel({ maxMembers: 1 }), channel({ maxMembers: 1, incarnation: 2 })]
      expect([await sit('p1', { channel: former }), await sit('p2', { channel: recreated })]).toEqual([1, 1])
      expect(await members([recreated])).toEqual([['a', 1, ['p2']]])
      await roster.removeChannel(former)
      expect([await members([former]), await members([recreated])]).toEqual([[], [['a', 1, ['p2']]]])
    })
  })
  testConcurrentSeats(name, createHarness)
}

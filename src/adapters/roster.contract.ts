import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Channel, Shard } from '../core/model.ts'
import type { Clock } from '../core/ports/clock.ts'
import { RETIREMENT_MS, type Roster, SEAT_TTL_MS } from '../core/ports/roster.ts'

/** Makes the rosters of several nodes on the same seats. */
export interface RosterHarness {
  open(clock: Clock): Promise<Roster>
  remove(): Promise<void>
}

const channel = (changes: Partial<Channel> = {}): Channel => ({
  group: 'global',
  name: 'a',
  incarnation: 1,
  maxMembers: 2,
  isFallback: false,
  isAutoscaling: true,
  createdAt: 0,
  ...changes,
})

const shard = (name: string, number: number): Shard => ({ group: 'global', name, incarnation: 1, number })

/** Seats may be looked through once a second only. */
const MARGIN_MS = 1000

/** What every `Roster` owes. */
export function testRoster(name: string, createPlace: () => Promise<RosterHarness>): void {
  describe(`${name} keeps the contract of Roster`, () => {
    let place: RosterHarness
    let roster: Roster
    let now: number

    beforeEach(async () => {
      now = 1_800_000_000_000
      place = await createPlace()
      roster = await place.open(() => now)
    })
    afterEach(async () => {
      await roster.close()
      await place.remove()
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
    const standing = async (group = 'global') =>
      (await roster.listShards(group)).map(({ name, number, members }) => [
        name,
        number,
        members.map(({ id }) => id),
      ])

    test('the lowest number with room is taken, and the next one opens when all are full', async () => {
      expect([await sit('p1'), await sit('p2'), await sit('p3'), await sit('p4'), await sit('p5')]).toEqual([
        1, 1, 2, 2, 3,
      ])
      await roster.leaveSeat('global', 'session of p1')
      expect([await sit('p6'), await sit('p7')]).toEqual([1, 3])
    })

    test('a channel that does not autoscale is full when number 1 is', async () => {
      const fixed = channel({ isAutoscaling: false })
      expect([await sit('p1', { channel: fixed }), await sit('p2', { channel: fixed })]).toEqual([1, 1])
      expect(await sit('p3', { channel: fixed })).toBe('full')
    })

    test('a wished number is given, or refused when it is full or not open', async () => {
      for (const player of ['p1', 'p2', 'p3']) await sit(player)
      expect(await sit('p4', { number: 1 })).toBe('full')
      expect(await sit('p4', { number: 9 })).toBe('unknown-number')
      expect(await sit('p4', { number: 2 })).toBe(2)
    })

    test('a player has one seat in a group: the newest session takes over', async () => {
      await sit('p1')
      expect(await sit('p1')).toBe('already-seated')
      expect(await sit('p1', { channel: channel({ name: 'b' }), session: 'newer' })).toBe(1)
      expect(await standing()).toEqual([
        ['a', 1, []],
        ['b', 1, ['p1']],
      ])
      expect(await sit('p1', { channel: channel({ group: 'other' }), session: 'newer' })).toBe(1)
      expect(await roster.leaveSeat('global', 'session of p1')).toBe(false)
      expect(await standing()).toEqual([
        ['a', 1, []],
        ['b', 1, ['p1']],
      ])
      expect(await roster.leaveSeat('global', 'newer')).toBe(true)
    })

    test('a player who moves within a full number keeps the seat', async () => {
      const fixed = channel({ isAutoscaling: false, maxMembers: 1 })
      await sit('p1', { channel: fixed })
      expect(await sit('p1', { channel: fixed, session: 'newer' })).toBe(1)
    })

    test('a seat that nobody keeps is free again', async () => {
      await sit('p1')
      await sit('p2')
      now += SEAT_TTL_MS - MARGIN_MS
      await roster.renewSeats(['session of p2'])
      now += 2 * MARGIN_MS
      expect(await standing()).toEqual([['a', 1, ['p2']]])
      expect(await sit('p3')).toBe(1)
    })

    test('a number retires after standing empty, number 1 only if nobody has spoken there', async () => {
      const one = channel({ maxMembers: 1 })
      for (const player of ['p1', 'p2', 'p3']) await sit(player, { channel: one })
      await sit('silent', { channel: channel({ name: 'b' }) })
      await roster.recordChat(shard('a', 1), now)
      await roster.leaveSeat('global', 'session of silent')
      await roster.leaveSeat('global', 'session of p1')
      await roster.leaveSeat('global', 'session of p2')
      const pass = async (ms: number) => {
        now += ms
        await roster.renewSeats(['session of p3'])
      }
      for (let passed = 0; passed < RETIREMENT_MS - SEAT_TTL_MS; passed += SEAT_TTL_MS - MARGIN_MS) {
        await pass(SEAT_TTL_MS - MARGIN_MS)
      }
      expect(await standing()).toEqual([
        ['a', 1, []],
        ['a', 2, []],
        ['a', 3, ['p3']],
        ['b', 1, []],
      ])
      await pass(SEAT_TTL_MS - MARGIN_MS)
      await pass(SEAT_TTL_MS - MARGIN_MS)
      expect(await standing()).toEqual([
        ['a', 1, []],
        ['a', 3, ['p3']],
      ])
    })

    test('max_count may shrink: nobody loses a seat and nobody gets one', async () => {
      for (const player of ['p1', 'p2']) await sit(player)
      const smaller = channel({ maxMembers: 1, isAutoscaling: false })
      await roster.leaveSeat('global', 'session of p1')
      expect(await sit('p3', { channel: smaller })).toBe('full')
      expect(await standing()).toEqual([['a', 1, ['p2']]])
    })

    test('numbers are listed by name and number, with who sits there and when someone spoke', async () => {
      const one = { maxMembers: 1 }
      await sit('p1', { channel: channel({ ...one, name: 'b' }) })
      for (const player of ['p2', 'p3']) await sit(player, { channel: channel(one) })
      await roster.recordChat(shard('a', 2), 12_345)
      expect(await roster.listShards('global')).toEqual([
        { ...shard('a', 1), members: [{ id: 'p2', name: 'P2' }], lastChatAt: undefined },
        { ...shard('a', 2), members: [{ id: 'p3', name: 'P3' }], lastChatAt: 12_345 },
        { ...shard('b', 1), members: [{ id: 'p1', name: 'P1' }], lastChatAt: undefined },
      ])
      expect(await roster.listShards('unknown')).toEqual([])
      expect(await roster.findShard(shard('a', 2))).toMatchObject({
        members: [{ id: 'p3' }],
      })
      expect(await roster.findShard(shard('a', 3))).toBeUndefined()
      expect(await roster.findShard({ ...shard('a', 1), group: 'unknown' })).toBeUndefined()
    })

    test('a removed channel gives back its numbers and frees the seats', async () => {
      for (const player of ['p1', 'p2', 'p3']) await sit(player)
      const removed = await roster.removeChannel(channel())
      expect(removed.map(({ number, members }) => [number, members.map(({ id }) => id)])).toEqual([
        [1, ['p1', 'p2']],
        [2, ['p3']],
      ])
      expect(await standing()).toEqual([])
      expect(await sit('p1')).toBe(1)
    })

    test('a channel that was created again has seats of its own', async () => {
      const [former, again] = [channel({ maxMembers: 1 }), channel({ maxMembers: 1, incarnation: 2 })]
      expect([await sit('p1', { channel: former }), await sit('p2', { channel: again })]).toEqual([1, 1])
      await roster.recordChat(shard('a', 1), 1)
      expect(await roster.findShard({ ...shard('a', 1), incarnation: 2 })).toMatchObject({
        incarnation: 2,
        members: [{ id: 'p2' }],
        lastChatAt: undefined,
      })
      await roster.removeChannel(former)
      expect(await standing()).toEqual([['a', 1, ['p2']]])
    })

    test('max_count is never exceeded, and numbers fill from below, whatever happens at once', async () => {
      const nodes = [roster, await place.open(() => now), await place.open(() => now)]
      const act = fc.record({
        player: fc.integer({ min: 0, max: 11 }),
        node: fc.integer({ min: 0, max: 2 }),
        kind: fc.constantFrom('sit', 'sit', 'sit', 'leave', 'wish'),
        number: fc.integer({ min: 1, max: 4 }),
      })
      const run = async (
        rounds: { player: number; node: number; kind: string; number: number }[][],
        max: number,
      ) => {
        const busy = channel({ maxMembers: max, name: `c${max}` })
        for (const round of rounds) {
          await Promise.all(
            round.map(({ player, node, kind, number }) => {
              const sessionId = `s${player}-${node}`
              if (kind === 'leave') return nodes[node]!.leaveSeat('global', sessionId)
              const wish = kind === 'wish' ? { number } : {}
              return nodes[node]!.takeSeat({
                channel: busy,
                player: { id: `p${player}`, name: 'x' },
                sessionId,
                ...wish,
              })
            }),
          )
          const shards = await roster.listShards('global')
          const seated = shards.flatMap(({ members }) => members.map(({ id }) => id))
          expect(shards.every(({ members }) => members.length <= max)).toBe(true)
          expect(new Set(seated).size).toBe(seated.length)
        }
        await roster.removeChannel(busy)
      }
      const seed = Number(process.env['TEST_SEED'] ?? Date.now() % 2 ** 31)
      process.stderr.write(`roster property: TEST_SEED=${seed}\n`)
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(act, { maxLength: 15 }), { maxLength: 6 }),
          fc.integer({ min: 1, max: 4 }),
          run,
        ),
        { seed, numRuns: 100 },
      )
    })
  })
}

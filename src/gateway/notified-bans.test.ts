import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Ban } from '../core/model.ts'
import { NotifiedBans } from './notified-bans.ts'

const banOf = (playerId: string, seq: number, endsAt: number): Ban => ({
  seq,
  playerId,
  count: 1,
  startsAt: 0,
  endsAt,
})

function takeEnded(bans: NotifiedBans, at: number): string[] {
  const players: string[] = []
  for (let taken = bans.size; taken >= 0; taken--) {
    const ban = bans.findEnded(at)
    if (ban === undefined) return players
    players.push(ban.playerId)
    bans.delete(ban.playerId)
  }
  throw new Error('finds more bans than there are')
}

test('finds bans once they end, in the order in which they end', () => {
  const bans = new NotifiedBans()
  bans.set(banOf('late', 1, 3000))
  bans.set(banOf('early', 2, 1000))
  bans.set(banOf('middle', 3, 2000))
  expect(takeEnded(bans, 999)).toEqual([])
  expect(takeEnded(bans, 2000)).toEqual(['early', 'middle'])
  expect(takeEnded(bans, 3000)).toEqual(['late'])
  expect(bans.size).toBe(0)
})

test('keeps bans of several players that end at the same time', () => {
  const bans = new NotifiedBans()
  for (const [index, id] of ['mina', 'joon', 'noor'].entries()) bans.set(banOf(id, index, 1000))
  bans.delete('joon')
  expect(takeEnded(bans, 1000)).toEqual(['mina', 'noor'])
})

test('forgets the end of a replaced and of a lifted ban', () => {
  const bans = new NotifiedBans()
  bans.set(banOf('mina', 1, 1000))
  bans.set(banOf('mina', 2, 5000))
  bans.set(banOf('joon', 3, 1000))
  expect([bans.delete('joon'), bans.delete('joon')]).toEqual([true, false])
  expect(takeEnded(bans, 4999)).toEqual([])
  expect(bans.find('mina')?.seq).toBe(2)
  expect(takeEnded(bans, 5000)).toEqual(['mina'])
})

test('agrees with a plain map', () => {
  const step = fc.record({ player: fc.nat(8), endsAt: fc.nat(20), isDeleted: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(20), (steps, at) => {
      const bans = new NotifiedBans()
      const model = new Map<string, Ban>()
      for (const [seq, { player, endsAt, isDeleted }] of steps.entries()) {
        const ban = banOf(`p${player}`, seq, endsAt)
        if (isDeleted) expect(bans.delete(ban.playerId)).toBe(model.delete(ban.playerId))
        else {
          bans.set(ban)
          model.set(ban.playerId, ban)
        }
      }
      const ended = [...model.values()].filter(({ endsAt }) => endsAt <= at)
      ended.sort((a, b) => a.endsAt - b.endsAt || a.seq - b.seq)
      expect(takeEnded(bans, at)).toEqual(ended.map(({ playerId }) => playerId))
      expect(bans.size).toBe(model.size - ended.length)
    }),
    { numRuns: 2000 },
  )
})

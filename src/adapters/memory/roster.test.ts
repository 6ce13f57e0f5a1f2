import { expect, test } from 'bun:test'
import type { Channel } from '../../core/model.ts'
import { RETIREMENT_MS } from '../../core/ports/roster.ts'
import { testRoster } from '../roster.contract.ts'
import { MemorySeats } from './roster.ts'

testRoster('MemoryRoster', async () => {
  let shared: MemorySeats | undefined
  return {
    open: async (clock) => {
      shared ??= new MemorySeats(clock)
      return shared.join()
    },
    remove: async () => undefined,
  }
})

test('drops groups without a seat and channels without an open number', async () => {
  let now = 0
  const seats = new MemorySeats(() => now)
  const roster = seats.join()
  const settings = { maxMembers: 1, isFallback: false, isAutoscaling: true, createdAt: 0 }
  const channels = ['g', 'h'].map((group) => ({ group, name: 'a', incarnation: 1, ...settings }))
  const [first, second] = channels as [Channel, Channel]
  const leave = (channel: Channel, id: string) =>
    roster.leaveSeat({ ...channel, number: 1 }, { player: { id, name: id }, sessionId: id })
  for (const [channel, id] of [
    [first, 'p1'],
    [first, 'p2'],
    [second, 'p1'],
  ] as const) {
    await roster.takeSeat({ channel, player: { id, name: id }, sessionId: id })
  }
  expect(seats.size).toEqual({ channels: 2, groups: 2 })
  for (const id of ['p1', 'p2']) await leave(first, id)
  expect(seats.size).toEqual({ channels: 2, groups: 1 })
  await leave(second, 'p1')
  now += RETIREMENT_MS
  for (const channel of channels) expect(await roster.listNumbers(channel)).toEqual([])
  expect(seats.size).toEqual({ channels: 0, groups: 0 })
})

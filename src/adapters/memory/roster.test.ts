import { expect, test } from 'bun:test'
import { RETIREMENT_MS } from '../../core/ports/roster.ts'
import { testRoster } from '../roster.contract.ts'
import { MemoryRoster } from './roster.ts'

testRoster('MemoryRoster', async () => {
  let shared: MemoryRoster | undefined
  return {
    open: async (clock) => {
      shared ??= new MemoryRoster(clock)
      return shared
    },
    remove: async () => undefined,
  }
})

test('MemoryRoster forgets sessions without a seat, and groups in which all is retired', async () => {
  let now = 0
  const roster = new MemoryRoster(() => now)
  const settings = { maxMembers: 1, isFallback: false, isAutoscaling: true, createdAt: 0 }
  const sit = (group: string, id: string) =>
    roster.takeSeat({
      channel: { group, name: 'a', incarnation: 1, ...settings },
      player: { id, name: id },
      sessionId: id,
    })
  for (const [group, id] of [
    ['g', 'p1'],
    ['g', 'p2'],
    ['h', 'p1'],
  ] as const) {
    await sit(group, id)
  }
  expect(roster.size).toEqual({ groups: 2, sessions: 2 })
  await roster.leaveSeat('g', 'p1')
  await roster.leaveSeat('g', 'p2')
  expect(roster.size).toEqual({ groups: 2, sessions: 1 })
  await roster.leaveSeat('h', 'p1')
  now += RETIREMENT_MS
  for (const group of ['g', 'h']) expect(await roster.listShards(group)).toEqual([])
  expect(roster.size).toEqual({ groups: 0, sessions: 0 })
})

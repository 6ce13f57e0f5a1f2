import { describe, expect, test } from 'bun:test'
import type { Change } from '../events.ts'
import { packExpressions } from '../expressions.ts'
import type { Channel } from '../model.ts'
import { State } from './state.ts'

type Unversioned<T> = T extends Change ? Omit<T, 'version'> : never

function stateWith(...changes: Unversioned<Change>[]): State {
  const state = new State()
  for (const [index, change] of changes.entries()) state.apply({ ...change, version: index + 1 })
  return state
}

const channel = (group: string, name: string): Channel => ({
  group,
  name,
  incarnation: 1,
  maxMembers: 50,
  isFallback: false,
  isAutoscaling: true,
  createdAt: 0,
})
const set = (group: string, name: string) => ({ kind: 'channel-set', channel: channel(group, name) }) as const
const ban = (playerId: string, seq: number, endsAt = 1000) =>
  ({ kind: 'ban-set', ban: { seq, playerId, count: 1, startsAt: 0, endsAt } }) as const
const list = (language: string) =>
  ({
    kind: 'filter-list-set',
    list: { kind: 'forbidden', language, expressions: packExpressions([]) },
  }) as const

describe('State', () => {
  test('lists a group while it has a channel', () => {
    const removed = { kind: 'channel-deleted', key: { group: 'b', name: 'x' } } as const
    expect(stateWith(set('b', 'x'), set('a', 'x')).channels.groups()).toEqual(['a', 'b'])
    expect(stateWith(set('b', 'x'), set('b', 'y'), removed).channels.groups()).toEqual(['b'])
    expect(stateWith(set('b', 'x'), removed).channels.groups()).toEqual([])
  })

  test('finds channels by name and lists them sorted', () => {
    const { channels } = stateWith(set('a', 'z'), set('a', 'B'), set('a', 'b'), set('a', '가'))
    expect(Array.from(channels.ofGroup('a'), ({ name }) => name)).toEqual(['B', 'b', 'z', '가'])
    expect(channels.find({ group: 'a', name: 'b' })?.name).toBe('b')
    expect(channels.find({ group: 'a', name: 'c' })).toBeUndefined()
    expect(channels.find({ group: 'none', name: 'b' })).toBeUndefined()
  })

  test('lists bans newest first until they end', () => {
    const { bans } = stateWith(ban('a', 1), ban('b', 2, 500), ban('a', 3))
    expect(bans.list(499).map(({ playerId }) => playerId)).toEqual(['a', 'b'])
    expect(bans.find('b', 499)?.seq).toBe(2)
    expect(bans.find('b', 500)).toBeUndefined()
    expect(bans.list(500).map(({ playerId }) => playerId)).toEqual(['a'])
    expect(bans.list(1000)).toEqual([])
  })

  test('slices of bans stay as they were, without ended ones', () => {
    const state = stateWith(ban('a', 1), ban('b', 2, 500), ban('c', 3))
    const slices = state.bans.slices(500)
    state.apply({ ...ban('a', 4), version: 4 })
    state.apply({ ...ban('d', 5), version: 5 })
    expect([...slices].flat().map(({ seq }) => seq)).toEqual([3, 1])
    expect([...state.bans.slices(500)].flat().map(({ seq }) => seq)).toEqual([5, 4, 3])
  })

  test('pages bans newest first and evicts expired ones', () => {
    const { bans } = stateWith(ban('a', 1), ban('b', 2, 500), ban('c', 3), ban('d', 4, 600), ban('a', 5))
    const page = (before: number | undefined, limit: number, at = 0) =>
      bans.page(at, { before, limit }).map(({ playerId, seq }) => `${playerId}${seq}`)
    expect(page(undefined, 2)).toEqual(['a5', 'd4'])
    expect(page(4, 2)).toEqual(['c3', 'b2'])
    expect(page(2, 2)).toEqual([])
    expect(page(undefined, 9, 500)).toEqual(['a5', 'd4', 'c3'])
    expect([bans.size, bans.evict(600, 1), bans.size]).toEqual([4, true, 3])
    expect([bans.evict(600, 9), bans.size]).toEqual([false, 2])
    expect(page(undefined, 9)).toEqual(['a5', 'c3'])
  })

  test('tracks the fallback channel of a group', () => {
    const fallback = (name: string, isFallback = true) =>
      ({ kind: 'channel-set', channel: { ...channel('g', name), isFallback } }) as const
    const removed = { kind: 'channel-deleted', key: { group: 'g', name: 'y' } } as const
    const found = (...changes: Unversioned<Change>[]) =>
      stateWith(...changes).channels.findFallback('g')?.name
    expect(found(set('g', 'a'))).toBeUndefined()
    expect(found(set('g', 'a'), fallback('x'))).toBe('x')
    expect(found(fallback('x'), fallback('x', false), fallback('y'))).toBe('y')
    expect(found(fallback('x'), fallback('y'), fallback('x', false))).toBe('y')
    expect(found(fallback('x', false), fallback('y'), removed)).toBeUndefined()
  })

  test('returns the same array while a list is unchanged', () => {
    const state = stateWith(set('a', 'x'), ban('a', 1), list('en'))
    const [groups, bans, filters] = [
      state.channels.groups(),
      state.bans.list(0),
      state.filters.forbidden.list(),
    ]
    state.apply({ ...set('a', 'y'), version: 4 })
    expect(state.channels.groups()).toBe(groups)
    expect(state.bans.list(0)).toBe(bans)
    expect(state.filters.forbidden.list()).toBe(filters)
    state.apply({ ...set('b', 'x'), version: 5 })
    state.apply({ ...ban('b', 2), version: 6 })
    state.apply({ ...list('en'), version: 7 })
    expect(state.channels.groups()).not.toBe(groups)
    expect(state.bans.list(0)).not.toBe(bans)
    expect(state.filters.forbidden.list()).not.toBe(filters)
  })

  test('lists `all` first, then one filter list per language, regardless of spelling', () => {
    const { filters } = stateWith(list('ko_KR'), list('en'), list('all'), list('ko-kr'))
    expect(filters.forbidden.list().map(({ language }) => language)).toEqual(['all', 'en', 'ko-kr'])
    expect(filters.forbidden.version).toBe(4)
  })

  test('keeps forbidden and allowed lists separate', () => {
    const allowed = {
      kind: 'filter-list-set',
      list: { kind: 'allowed', language: 'en', expressions: packExpressions(['x']) },
    } as const
    const { filters } = stateWith(list('en'), allowed)
    expect([filters.forbidden.list(), filters.forbidden.version]).toEqual([[list('en').list], 1])
    expect([filters.allowed.list(), filters.allowed.version]).toEqual([[allowed.list], 2])
  })
})

import { describe, expect, test } from 'bun:test'
import type { Bus } from './bus.ts'
import type { Change } from './events.ts'
import { Journal } from './journal.ts'
import type { Ban } from './model.ts'
import { State } from './state.ts'
import type { Snapshot, Store } from './store.ts'

const ban = (seq: number): Ban => ({ seq, playerId: `p${seq}`, count: 1, startsAt: 0, endsAt: 1000 })
const change = (version: number): Change => ({ kind: 'ban-set', ban: ban(version), version })
const snapshot = (version: number): Snapshot => ({
  version,
  channels: [],
  bans: Array.from({ length: version }, (_, index) => ban(index + 1)),
  filterLists: [],
  filterVersions: { forbidden: 0, allowed: 0 },
})

/** A node whose store has committed `committed` changes, and whose bus hands announcements to `announce`. */
function createNode(announce: (journal: Journal, changes: readonly Change[]) => Promise<void>) {
  const state = new State()
  const facts = { committed: 0, reads: 0 }
  const store = {
    readSnapshot: async () => {
      facts.reads++
      return snapshot(facts.committed)
    },
  } as Partial<Store> as Store
  const bus = { announce: (changes) => announce(journal, changes) } as Partial<Bus> as Bus
  const journal: Journal = new Journal({ store, bus, state, clock: () => 0 })
  const commit = () => {
    const version = ++facts.committed
    return Promise.resolve({ value: version, version, changes: [change(version)] })
  }
  return { state, facts, journal, commit }
}

const players = (state: State) => state.bans.list(0).map(({ playerId }) => playerId)

describe('Journal', () => {
  test('applies what it commits before it answers, without reading anew', async () => {
    const { state, facts, journal, commit } = createNode((own, changes) => own.receive(changes))
    await journal.start()
    expect(await journal.commit(commit())).toBe(1)
    expect(await journal.commit(commit())).toBe(2)
    expect(players(state)).toEqual(['p2', 'p1'])
    expect(facts.reads).toBe(1)
  })

  test('reads everything anew when a change was missed', async () => {
    const { state, facts, journal } = createNode(async () => undefined)
    await journal.start()
    facts.committed = 3
    await journal.receive([change(3)])
    expect(players(state)).toEqual(['p3', 'p2', 'p1'])
    expect(state.version).toBe(3)
  })

  test('ignores a change that it already has, so an old ban does not come back', async () => {
    const { state, journal } = createNode((own, changes) => own.receive(changes))
    await journal.start()
    await journal.receive([change(1), { kind: 'ban-lifted', playerId: 'p1', version: 2 }])
    await journal.receive([change(1)])
    expect(players(state)).toEqual([])
  })

  test('changes that arrive while it reads anew are neither lost nor applied twice', async () => {
    const { state, facts, journal } = createNode(async () => undefined)
    await journal.start()
    facts.committed = 2
    const gap = journal.receive([change(2)])
    const next = journal.receive([change(3)])
    facts.committed = 3
    await Promise.all([gap, next])
    expect(players(state)).toEqual(['p3', 'p2', 'p1'])
  })

  test('an answer waits until this node knows of it, even when its announcement was lost', async () => {
    const { state, journal, commit } = createNode(async () => undefined)
    await journal.start()
    await journal.commit(commit())
    expect(players(state)).toEqual(['p1'])
  })

  test('a repeated write that another node carried out is known here before the answer', async () => {
    const { state, facts, journal } = createNode((own, changes) => own.receive(changes))
    await journal.start()
    facts.committed = 1
    await journal.commit(Promise.resolve({ value: 'first outcome', version: 1, changes: [] }))
    expect(players(state)).toEqual(['p1'])
  })

  test('an older snapshot does not overwrite what came after it', async () => {
    const { state, facts, journal } = createNode(async () => undefined)
    await journal.start()
    facts.committed = 1
    const reading = journal.commit(Promise.resolve({ value: 0, version: 1, changes: [] }))
    facts.committed = 2
    await journal.receive([change(1), change(2)])
    await reading
    expect(players(state)).toEqual(['p2', 'p1'])
  })
})

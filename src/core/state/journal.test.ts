import { describe, expect, test } from 'bun:test'
import type { Change } from '../events.ts'
import { packExpressions } from '../expressions.ts'
import type { Ban } from '../model.ts'
import { Journal, type JournalOptions } from './journal.ts'
import { CHANGES_PER_PAGE, type StateSource } from './loader.ts'
import { State } from './state.ts'

const ban = (seq: number): Ban => ({ seq, playerId: `p${seq}`, count: 1, startsAt: 0, endsAt: 1000 })
const change = (version: number) => ({ kind: 'ban-set', ban: ban(version), version }) as const
const edit = (version: number): Change => ({
  kind: 'filter-list-set',
  list: { kind: 'forbidden', language: 'en', expressions: packExpressions([]) },
  version,
})
type Announce = (journal: Journal, changes: readonly Change[]) => Promise<void>

/** A node whose store has `committed` changes and whose bus passes announcements to `announce`. */
function createNode(announce: Announce, options: Partial<JournalOptions> = {}) {
  const state = new State()
  /** Each load reads changes once. */
  const facts = { committed: 0, keptFrom: 0, loads: 0, reads: 0, failure: undefined as Error | undefined }
  const changes = (after: number) =>
    Array.from({ length: facts.committed }, (_, n) => change(n + 1)).slice(after)
  const store: StateSource = {
    readVersion: async () => {
      facts.loads++
      if (facts.failure !== undefined) throw facts.failure
      return facts.committed
    },
    listChannels: async () => [],
    listActiveBans: async () => changes(0).map(({ ban }) => ban),
    listFilterLists: async () => [],
    readChanges: async (after, limit) => {
      if (facts.failure !== undefined) throw facts.failure
      facts.reads++
      return after < facts.keptFrom ? undefined : changes(after).slice(0, limit)
    },
  }
  const journal: Journal = new Journal({
    store,
    bus: { announce: (changes) => announce(journal, changes) },
    state,
    clock: () => 0,
    whenFilterCurrent: async () => undefined,
    gapMs: 0,
    ...options,
  })
  const commit = () => {
    const version = ++facts.committed
    return Promise.resolve({ value: version, version, changes: [change(version)], repeated: false })
  }
  return { state, facts, journal, commit, store }
}

const PATIENT = { gapMs: 3_600_000 }
const toItself: Announce = (own, changes) => own.receive(changes)
const nowhere: Announce = async () => undefined
const players = (state: State) => state.bans.list(0).map(({ playerId }) => playerId)

/** Whether a promise has settled after everything pending has run. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, new Promise<boolean>((resolve) => setImmediate(resolve, false))])
}

describe('Journal', () => {
  test('applies a committed change before it resolves, without reloading', async () => {
    const { state, facts, journal, commit } = createNode(toItself)
    await journal.start()
    expect(await journal.commit(commit())).toBe(1)
    expect(await journal.commit(commit())).toBe(2)
    expect(players(state)).toEqual(['p2', 'p1'])
    expect(facts.loads).toBe(1)
  })

  test('does not resolve a commit before the announcement is delivered everywhere', async () => {
    const arrived = Promise.withResolvers<void>()
    const { journal, commit } = createNode(async (own, changes) => {
      await own.receive(changes)
      await arrived.promise
    })
    await journal.start()
    const result = journal.commit(commit())
    expect(await hasSettled(result)).toBe(false)
    arrived.resolve()
    expect(await result).toBe(1)
  })

  test('ignores a change it has already applied, so a lifted ban is not restored', async () => {
    const { state, journal } = createNode(toItself)
    await journal.start()
    await journal.receive([change(1), { kind: 'ban-lifted', playerId: 'p1', version: 2 }])
    await journal.receive([change(1)])
    expect(players(state)).toEqual([])
  })

  test('keeps a change that is announced while an older state is being loaded', async () => {
    const { state, facts, journal, store } = createNode(nowhere)
    const { readChanges } = store
    let announced: Promise<void> | undefined
    store.readChanges = async (after, limit) => {
      const read = await readChanges(after, limit)
      facts.committed = 1
      announced ??= journal.receive([change(1)])
      return read
    }
    await journal.start()
    await announced
    expect(players(state)).toEqual(['p1'])
  })

  test('catches up with another node before it resolves a repeated write', async () => {
    const { state, facts, journal } = createNode(toItself)
    await journal.start()
    facts.committed = 1
    await journal.commit(
      Promise.resolve({ value: 'first outcome', version: 1, changes: [], repeated: false }),
    )
    expect(players(state)).toEqual(['p1'])
  })
})

describe('changes received out of order', () => {
  test('are applied in version order, without reloading', async () => {
    const { state, facts, journal } = createNode(nowhere, PATIENT)
    await journal.start()
    const later = [journal.receive([change(3)]), journal.receive([change(2)])]
    for (const each of later) expect(await hasSettled(each)).toBe(false)
    expect(players(state)).toEqual([])
    await journal.receive([change(1)])
    await Promise.all(later)
    expect(players(state)).toEqual(['p3', 'p2', 'p1'])
    expect(facts.loads).toBe(1)
  })

  test('delay a commit until all earlier changes are applied', async () => {
    const { state, facts, journal } = createNode(toItself, PATIENT)
    await journal.start()
    const result = journal.commit(
      Promise.resolve({ value: 'second', version: 2, changes: [change(2)], repeated: false }),
    )
    const repeated = journal.commit(
      Promise.resolve({ value: 'repeated', version: 2, changes: [], repeated: false }),
    )
    expect(await hasSettled(Promise.race([result, repeated]))).toBe(false)
    await journal.receive([change(1)])
    expect(await Promise.all([result, repeated])).toEqual(['second', 'repeated'])
    expect(players(state)).toEqual(['p2', 'p1'])
    expect(facts.loads).toBe(1)
  })

  test('make the node read the missing ones when more than `maxHeld` are held', async () => {
    const { state, facts, journal } = createNode(nowhere, { ...PATIENT, maxHeld: 3 })
    await journal.start()
    facts.committed = 5
    await Promise.all([2, 3, 4, 5].map((version) => journal.receive([change(version)])))
    expect(state.version).toBe(5)
    expect(facts).toMatchObject({ loads: 1, reads: 2 })
  })

  test('are no longer held after a reload or when they were applied before', async () => {
    const { state, facts, journal } = createNode(nowhere, { ...PATIENT, maxHeld: 3 })
    await journal.start()
    Object.assign(facts, { committed: 5, keptFrom: 1 })
    const early = [2, 3, 4, 5]
    await Promise.all(early.map((version) => journal.receive([change(version)])))
    for (const version of early) await journal.receive([change(version)])
    const { reads } = facts
    const seventh = journal.receive([change(7)])
    expect(await hasSettled(seventh)).toBe(false)
    await journal.receive([change(6)])
    await seventh
    expect([state.version, facts.reads]).toEqual([7, reads])
  })
})

describe('a lost change', () => {
  test('is read from the store, once, without reloading', async () => {
    const { state, facts, journal } = createNode(nowhere)
    await journal.start()
    facts.committed = 3
    await Promise.all([journal.receive([change(2)]), journal.receive([change(3)])])
    expect(players(state)).toEqual(['p3', 'p2', 'p1'])
    expect(state.version).toBe(3)
    expect(facts).toMatchObject({ loads: 1, reads: 2 })
  })

  test('is read with all that follow, page by page', async () => {
    const { state, facts, journal } = createNode(nowhere)
    await journal.start()
    facts.committed = 2 * CHANGES_PER_PAGE + 1
    await journal.receive([change(facts.committed)])
    expect(state.version).toBe(facts.committed)
    expect(state.bans.size).toBe(facts.committed)
    expect(facts).toMatchObject({ loads: 1, reads: 4 })
  })

  test('that the store has deleted is recovered by a single reload', async () => {
    const { state, facts, journal } = createNode(nowhere)
    await journal.start()
    Object.assign(facts, { committed: 3, keptFrom: 1 })
    await Promise.all([journal.receive([change(2)]), journal.receive([change(3)])])
    expect(players(state)).toEqual(['p3', 'p2', 'p1'])
    expect(facts.loads).toBe(2)
  })

  test('that is announced while it is read is applied once', async () => {
    const applied: number[] = []
    const { state, facts, journal } = createNode(nowhere)
    await journal.start()
    state.watch({ changed: ({ version }) => applied.push(version), reloaded: () => applied.push(0) })
    facts.committed = 3
    const gap = journal.receive([change(3)])
    while (facts.reads === 1) await new Promise((resolve) => setTimeout(resolve))
    await journal.receive([change(1), change(2)])
    await gap
    expect(applied).toEqual([1, 2, 3])
  })

  test('does not block changes that arrive during the reload', async () => {
    const { state, facts, journal } = createNode(nowhere)
    await journal.start()
    facts.committed = 2
    const gap = journal.receive([change(2)])
    const next = journal.receive([change(3)])
    facts.committed = 3
    await Promise.all([gap, next])
    expect(players(state)).toEqual(['p3', 'p2', 'p1'])
  })

  test('is recovered before the commit resolves', async () => {
    const { state, journal, commit } = createNode(nowhere)
    await journal.start()
    await journal.commit(commit())
    expect(players(state)).toEqual(['p1'])
  })

  test('fails the check while the store cannot be read, and is recovered by a later check', async () => {
    const { state, facts, journal } = createNode(nowhere)
    await journal.start()
    await journal.check()
    facts.committed = 2
    facts.failure = new Error('disk')
    expect(await journal.receive([change(2)]).catch((thrown: unknown) => thrown)).toBe(facts.failure)
    expect(await journal.check().catch((thrown: unknown) => thrown)).toBe(facts.failure)
    facts.failure = undefined
    await journal.check()
    expect(players(state)).toEqual(['p2', 'p1'])
  })

  test.each([
    ['an older page', 0],
    ['an older load', 1],
  ])('does not overwrite newer changes with %s', async (_, keptFrom) => {
    const { state, facts, journal } = createNode(nowhere)
    await journal.start()
    Object.assign(facts, { committed: 1, keptFrom })
    const reading = journal.commit(Promise.resolve({ value: 0, version: 1, changes: [], repeated: false }))
    facts.committed = 2
    await journal.receive([change(1), change(2)])
    await reading
    expect(players(state)).toEqual(['p2', 'p1'])
  })
})

describe('filter compilation', () => {
  /** A node whose filter is current when `compiled` is resolved. */
  const withFilter = (announce: Announce, options: Partial<JournalOptions> = {}) => {
    const compiled = Promise.withResolvers<void>()
    return { compiled, ...createNode(announce, { whenFilterCurrent: () => compiled.promise, ...options }) }
  }

  test('delays the edit of a list, but not a ban', async () => {
    const { compiled, journal } = withFilter(nowhere)
    const received = journal.receive([edit(1)])
    await journal.receive([change(2)])
    expect(await hasSettled(received)).toBe(false)
    compiled.resolve()
    await received
  })

  test('after a reload finishes before waiting callers continue', async () => {
    const { compiled, state, facts, journal } = withFilter(nowhere)
    facts.committed = 2
    const received = journal.receive([change(2)])
    while (state.version < 2) await new Promise((resolve) => setImmediate(resolve))
    const next = journal.receive([change(3)])
    const check = journal.check()
    for (const each of [received, next, check]) expect(await hasSettled(each)).toBe(false)
    compiled.resolve()
    await Promise.all([received, next, check])
  })

  test('does not block a ban when it fails', async () => {
    const whenFilterCurrent = () => Promise.reject(new Error('no memory'))
    const { state, facts, journal } = createNode(nowhere, { whenFilterCurrent })
    facts.committed = 2
    await journal.receive([change(2)])
    expect(state.version).toBe(2)
  })
})

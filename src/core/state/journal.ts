import type { Change } from '../events.ts'
import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Committed, Store } from '../ports/store.ts'
import type { State } from './state.ts'

/** What is still missing after this long was lost. Announcements of different nodes may cross, by far less than this. */
const GAP_MS = 500
/** Changes that may wait for one that is missing. */
const MAX_HELD = 1000

interface Waiter extends PromiseWithResolvers<void> {
  readonly version: number
  readonly since: number
}

export interface JournalDependencies {
  readonly store: Pick<Store, 'readSnapshot'>
  readonly bus: Pick<Bus, 'announce'>
  readonly state: State
  readonly clock: Clock
  /** Resolves when messages go through a filter made of the lists in the state. */
  readonly whenFilterCurrent: () => Promise<void>
  readonly gapMs?: number
  readonly maxHeld?: number
}

/**
 * Keeps this node's `State` equal to what the store has committed, on whichever node it was committed. Changes are applied
 * in the order of their versions: one that overtook another is held until the other is here. Only when that does not come
 * in time is everything read anew.
 */
export class Journal {
  readonly #dependencies: JournalDependencies
  readonly #state: State
  readonly #gapMs: number
  readonly #maxHeld: number
  /** By version: changes that came before the ones they follow. */
  readonly #held = new Map<number, Change>()
  /** Oldest first. */
  readonly #waiters = new Set<Waiter>()
  /** The newest version that this node has heard of. */
  #newest = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #reloading: Promise<void> | undefined

  constructor(dependencies: JournalDependencies) {
    this.#dependencies = dependencies
    this.#state = dependencies.state
    this.#gapMs = dependencies.gapMs ?? GAP_MS
    this.#maxHeld = dependencies.maxHeld ?? MAX_HELD
  }

  /** Call it when the bus is open, so that no change falls between the snapshot and the first announcement. */
  start(): Promise<void> {
    return this.#reload()
  }

  /** Waits for a write and resolves when its outcome is in force on every live node. */
  async commit<T>(write: Promise<Committed<T>>): Promise<T> {
    const { value, version, changes } = await write
    if (changes.length > 0) await this.#dependencies.bus.announce(changes)
    await this.#reach(version)
    return value
  }

  /** Resolves when what another node, or this one, has committed is in force here, the filter of an edited list included. */
  async receive(changes: readonly Change[]): Promise<void> {
    for (const change of changes)
      if (change.version > this.#state.version) this.#held.set(change.version, change)
    this.#applyHeld()
    this.#wake()
    await this.#reach(Math.max(0, ...changes.map(({ version }) => version)))
    if (changes.some(({ kind }) => kind === 'filter-list-set')) await this.#dependencies.whenFilterCurrent()
  }

  /** Resolves when this node has all that it has heard of; throws while it could not be read. */
  async check(): Promise<void> {
    const hasGivenUp = this.#state.version < this.#newest && this.#waiters.size === 0
    await (hasGivenUp ? this.#reload() : this.#reloading)
  }

  async #reach(version: number): Promise<void> {
    this.#newest = Math.max(this.#newest, version)
    if (version > this.#state.version) await this.#wait(version)
    // A reload may have brought lists too. One that failed is the concern of those who waited for it.
    await this.#reloading?.catch(() => undefined)
  }

  #wait(version: number): Promise<void> {
    const waiter = { ...Promise.withResolvers<void>(), version, since: performance.now() }
    this.#waiters.add(waiter)
    if (this.#held.size > this.#maxHeld) this.#recover()
    else this.#watchGap()
    return waiter.promise
  }

  #watchGap(): void {
    clearTimeout(this.#timer)
    const [oldest] = this.#waiters
    if (oldest === undefined) return
    const left = oldest.since + this.#gapMs - performance.now()
    this.#timer = setTimeout(() => this.#recover(), Math.max(0, left))
  }

  /** Reads everything anew, for those who have waited long enough. */
  #recover(): void {
    this.#reload().then(
      () => this.#watchGap(),
      (thrown: unknown) => {
        for (const waiter of this.#waiters) waiter.reject(thrown)
        this.#waiters.clear()
      },
    )
  }

  #reload(): Promise<void> {
    this.#reloading ??= this.#load().finally(() => {
      this.#reloading = undefined
    })
    return this.#reloading
  }

  async #load(): Promise<void> {
    const snapshot = await this.#dependencies.store.readSnapshot(this.#dependencies.clock())
    if (snapshot.version > this.#state.version) this.#state.load(snapshot)
    for (const version of this.#held.keys()) if (version <= this.#state.version) this.#held.delete(version)
    this.#applyHeld()
    // A filter that could not be made fails its own check; channels and bans are in force all the same.
    await this.#dependencies.whenFilterCurrent().catch(() => undefined)
    this.#wake()
  }

  #applyHeld(): void {
    for (;;) {
      const next = this.#held.get(this.#state.version + 1)
      if (next === undefined) return
      this.#held.delete(next.version)
      this.#state.apply(next)
    }
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      if (waiter.version > this.#state.version) continue
      this.#waiters.delete(waiter)
      waiter.resolve()
    }
    if (this.#waiters.size === 0) clearTimeout(this.#timer)
  }
}

import type { Change } from '../events.ts'
import type { Bus } from '../ports/bus.ts'
import type { Clock } from '../ports/clock.ts'
import type { Committed } from '../ports/fact-store.ts'
import { CHANGES_PER_PAGE, loadTables, type StateSource } from './loader.ts'
import type { State } from './state.ts'

/** A change still missing after this time is considered lost. Announcements of different nodes reorder by far less. */
const GAP_MS = 500
/** Maximum number of out-of-order changes held. */
const MAX_HELD = 1000

interface Waiter extends PromiseWithResolvers<void> {
  readonly version: number
  readonly since: number
}

export interface JournalOptions {
  readonly store: StateSource
  readonly bus: Pick<Bus, 'announce'>
  readonly state: State
  readonly clock: Clock
  /** Resolves when the active filter is compiled from the lists in the state. */
  readonly whenFilterCurrent: () => Promise<void>
  readonly gapMs?: number
  readonly maxHeld?: number
}

/**
 * Keeps this node's `State` in sync with the store, whichever node commits the changes. Changes are applied in version
 * order: one that arrives early is held until its predecessors arrive. If they do not arrive in time, they are read from
 * the store; only if the store no longer has them is the whole state reloaded.
 */
export class Journal {
  readonly #options: JournalOptions
  readonly #state: State
  readonly #gapMs: number
  readonly #maxHeld: number
  /** Changes that arrived before their predecessors, by version. */
  readonly #held = new Map<number, Change>()
  /** Oldest first. */
  readonly #waiters = new Set<Waiter>()
  /** The newest version known to this node, applied or not. */
  #newest = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #catchingUp: Promise<void> | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.#state = options.state
    this.#gapMs = options.gapMs ?? GAP_MS
    this.#maxHeld = options.maxHeld ?? MAX_HELD
  }

  /** Must be called after the bus is open, so that no change is missed between the load and the first announcement. */
  start(): Promise<void> {
    return this.#catchUp(() => this.#reload())
  }

  /** Announces the changes of a write and resolves when they are in effect on every live node. */
  async commit<T>(write: Promise<Committed<T>>): Promise<T> {
    const { value, version, changes } = await write
    if (changes.length > 0) await this.#options.bus.announce(changes)
    await this.#reach(version)
    return value
  }

  /** Resolves when the changes are in effect on this node, including the filter compiled from an edited list. */
  async receive(changes: readonly Change[]): Promise<void> {
    this.#apply(changes)
    this.#wake()
    await this.#reach(Math.max(0, ...changes.map(({ version }) => version)))
    if (changes.some(({ kind }) => kind === 'filter-list-set')) await this.#options.whenFilterCurrent()
  }

  /** Retries a failed attempt to catch up. Throws while this node cannot catch up with the newest known version. */
  async check(): Promise<void> {
    const hasFailed = this.#state.version < this.#newest && this.#waiters.size === 0
    await (hasFailed ? this.#catchUp() : this.#catchingUp)
  }

  async #reach(version: number): Promise<void> {
    this.#newest = Math.max(this.#newest, version)
    if (version > this.#state.version) await this.#wait(version)
    // Changes that were read may include filter lists that are still compiling. If reading fails, its waiters are rejected.
    await this.#catchingUp?.catch(() => undefined)
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

  /** Fills a gap. Rejects all waiters if that fails. */
  #recover(): void {
    this.#catchUp().then(
      () => this.#watchGap(),
      (thrown: unknown) => {
        for (const waiter of this.#waiters) waiter.reject(thrown)
        this.#waiters.clear()
      },
    )
  }

  #catchUp(read = () => this.#readMissing()): Promise<void> {
    this.#catchingUp ??= this.#complete(read).finally(() => {
      this.#catchingUp = undefined
    })
    return this.#catchingUp
  }

  async #complete(read: () => Promise<void>): Promise<void> {
    await read()
    // A failed compilation is reported by the filter's own check; channels and bans must take effect regardless.
    await this.#options.whenFilterCurrent().catch(() => undefined)
    this.#wake()
  }

  async #readMissing(): Promise<void> {
    for (;;) {
      const changes = await this.#options.store.readChanges(this.#state.version, CHANGES_PER_PAGE)
      if (changes === undefined) return this.#reload()
      this.#apply(changes)
      if (changes.length < CHANGES_PER_PAGE) return
    }
  }

  async #reload(): Promise<void> {
    const tables = await loadTables(this.#options.store, this.#options.clock())
    if (tables.version > this.#state.version) this.#state.replace(tables)
    for (const version of this.#held.keys()) if (version <= this.#state.version) this.#held.delete(version)
    this.#apply([])
  }

  /** Applies changes in version order, holding those whose predecessors are missing. */
  #apply(changes: readonly Change[]): void {
    for (const change of changes)
      if (change.version > this.#state.version) this.#held.set(change.version, change)
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

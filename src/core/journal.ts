import type { Bus } from './bus.ts'
import type { Clock } from './clock.ts'
import type { Change } from './events.ts'
import type { State } from './state.ts'
import type { Committed, Store } from './store.ts'

/** Keeps this node's `State` equal to what the store has committed, on whichever node it was committed. */
export class Journal {
  readonly #store: Store
  readonly #bus: Bus
  readonly #state: State
  readonly #clock: Clock
  #reloading: Promise<void> | undefined

  constructor(parts: { store: Store; bus: Bus; state: State; clock: Clock }) {
    this.#store = parts.store
    this.#bus = parts.bus
    this.#state = parts.state
    this.#clock = parts.clock
  }

  /** Call it when the bus is open, so that no change falls between the snapshot and the first announcement. */
  start(): Promise<void> {
    return this.#reload()
  }

  /** Waits for a write and resolves when its outcome is in force on every live node. */
  async commit<T>(write: Promise<Committed<T>>): Promise<T> {
    const { value, version, changes } = await write
    if (changes.length > 0) await this.#bus.announce(changes)
    if (this.#state.version < version) await this.#reload()
    return value
  }

  /** Applies what another node, or this one, has committed. Reads everything anew when one was missed. */
  async receive(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      if (this.#reloading !== undefined) await this.#reloading
      if (change.version <= this.#state.version) continue
      if (change.version === this.#state.version + 1) this.#state.apply(change)
      else await this.#reload()
    }
  }

  #reload(): Promise<void> {
    this.#reloading ??= this.#store
      .readSnapshot(this.#clock())
      .then((snapshot) => {
        if (snapshot.version >= this.#state.version) this.#state.load(snapshot)
      })
      .finally(() => {
        this.#reloading = undefined
      })
    return this.#reloading
  }
}

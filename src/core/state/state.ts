import type { Change } from '../events.ts'
import type { FilterSource } from '../ports/filter-compiler.ts'
import type { BanIndex } from './ban-index.ts'
import type { ChannelIndex } from './channel-index.ts'
import { StateTables } from './tables.ts'

/**
 * The state that every node holds in memory: channels, active bans and filter lists, as of `version`. A list is returned
 * as the same array until its contents change, so that callers can cache what they render from it.
 */
export class State {
  #tables = new StateTables()
  readonly #watchers: StateWatcher[] = []

  get version(): number {
    return this.#tables.version
  }

  get channels(): ChannelIndex {
    return this.#tables.channels
  }

  get bans(): BanIndex {
    return this.#tables.bans
  }

  get filters(): StateTables['filters'] {
    return this.#tables.filters
  }

  /** Registers a watcher, which is called after each change is applied. */
  watch(watcher: StateWatcher): void {
    this.#watchers.push(watcher)
  }

  /** All lists. */
  get filterSource(): FilterSource {
    return { lists: this.filters.forbidden.list(), allowed: this.filters.allowed.list() }
  }

  /** Swaps in tables that were loaded beside the current ones. */
  replace(tables: StateTables): void {
    this.#tables = tables
    for (const { reloaded } of this.#watchers) reloaded()
  }

  apply(change: Change): void {
    this.#tables.apply(change)
    for (const { changed } of this.#watchers) changed(change)
  }
}

export interface StateWatcher {
  readonly changed: (change: Change) => void
  /** Called after a snapshot is loaded; anything may have changed. */
  readonly reloaded: () => void
}

import type { Change } from '../events.ts'
import { ALL_LANGUAGES, FILTER_LIST_KINDS, type FilterList, languageKey } from '../model.ts'
import type { Snapshot } from '../ports/fact-store.ts'
import type { FilterSource } from '../ports/filter-compiler.ts'
import { BanIndex } from './ban-index.ts'
import { ChannelIndex } from './channel-index.ts'

/**
 * The state that every node holds in memory: channels, active bans and filter lists, as of `version`. A list is returned
 * as the same array until its contents change, so that callers can cache what they render from it.
 */
export class State {
  #version = 0
  readonly channels = new ChannelIndex()
  readonly bans = new BanIndex()
  readonly filters = { forbidden: new FilterIndex(), allowed: new FilterIndex() }

  readonly #watchers: StateWatcher[] = []

  get version(): number {
    return this.#version
  }

  /** Notifies the watcher of each change after it is applied. */
  watch(watcher: StateWatcher): void {
    this.#watchers.push(watcher)
  }

  get filterSource(): FilterSource {
    return { lists: this.filters.forbidden.list(), allowed: this.filters.allowed.list() }
  }

  load(snapshot: Snapshot): void {
    this.channels.load(snapshot.channels)
    this.bans.load(snapshot.bans)
    for (const kind of FILTER_LIST_KINDS) {
      const lists = snapshot.filterLists.filter((list) => list.kind === kind)
      this.filters[kind].load(lists, snapshot.filterVersions[kind])
    }
    this.#version = snapshot.version
    for (const { reloaded } of this.#watchers) reloaded()
  }

  apply(change: Change): void {
    switch (change.kind) {
      case 'channel-set':
        this.channels.set(change.channel)
        break
      case 'channel-deleted':
        this.channels.delete(change.key)
        break
      case 'ban-set':
        this.bans.set(change.ban)
        break
      case 'ban-lifted':
        this.bans.delete(change.playerId)
        break
      case 'filter-list-set':
        this.filters[change.list.kind].set(change.list, change.version)
        break
    }
    this.#version = change.version
    for (const { changed } of this.#watchers) changed(change)
  }
}

export interface StateWatcher {
  readonly changed: (change: Change) => void
  /** Called after a snapshot is loaded; anything may have changed. */
  readonly reloaded: () => void
}

/** The filter lists of one kind. */
class FilterIndex {
  readonly #byLanguage = new Map<string, FilterList>()
  #listed: readonly FilterList[] | undefined
  #version = 0

  /** Version of the newest edit of any list of the kind. */
  get version(): number {
    return this.#version
  }

  load(lists: readonly FilterList[], version: number): void {
    this.#byLanguage.clear()
    for (const list of lists) this.#byLanguage.set(languageKey(list.language), list)
    this.#listed = undefined
    this.#version = version
  }

  /** `all` first, then sorted by language. */
  list(): readonly FilterList[] {
    this.#listed ??= [...this.#byLanguage]
      .sort(([a], [b]) => (a === ALL_LANGUAGES || (b !== ALL_LANGUAGES && a < b) ? -1 : 1))
      .map(([, list]) => list)
    return this.#listed
  }

  set(list: FilterList, version: number): void {
    this.#byLanguage.set(languageKey(list.language), list)
    this.#listed = undefined
    this.#version = version
  }
}

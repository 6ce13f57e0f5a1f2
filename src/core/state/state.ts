import type { Change } from '../events.ts'
import {
  type Ban,
  type Channel,
  type ChannelKey,
  EVERY_LANGUAGE,
  FILTER_LIST_KINDS,
  type FilterList,
  languageKey,
  type Timestamp,
} from '../model.ts'
import type { FilterSource } from '../ports/filter-compiler.ts'
import type { Snapshot } from '../ports/store.ts'
import { deleteSorted, setSorted, sortedIndex } from './sorted.ts'

/**
 * What every node holds in memory: channels, bans in force and filter lists, as of `version`.
 * Lists are given out as the same array until something in them changes, so that a door can keep what it
 * made of one.
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

  /** The watcher is told of each change, once it is in the state. */
  watch(watcher: StateWatcher): void {
    this.#watchers.push(watcher)
  }

  /** All lists. */
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
  /** Anything may have changed. */
  readonly reloaded: () => void
}

const nameOf = (channel: Channel) => channel.name
const itself = (text: string) => text

class ChannelIndex {
  readonly #byGroup = new Map<string, Channel[]>()
  #groups: string[] = []

  load(channels: readonly Channel[]): void {
    this.#byGroup.clear()
    for (const channel of channels) {
      const known = this.#byGroup.get(channel.group)
      if (known === undefined) this.#byGroup.set(channel.group, [channel])
      else known.push(channel)
    }
    for (const group of this.#byGroup.values()) group.sort((a, b) => (a.name < b.name ? -1 : 1))
    this.#groups = [...this.#byGroup.keys()].sort()
  }

  /** By name. */
  groups(): readonly string[] {
    return this.#groups
  }

  /** By name. */
  ofGroup(group: string): readonly Channel[] {
    return this.#byGroup.get(group) ?? []
  }

  find({ group, name }: ChannelKey): Channel | undefined {
    const channels = this.ofGroup(group)
    const channel = channels[sortedIndex(channels, name, nameOf)]
    return channel?.name === name ? channel : undefined
  }

  set(channel: Channel): void {
    const channels = this.#byGroup.get(channel.group)
    if (channels !== undefined) {
      setSorted(channels, channel, nameOf)
      return
    }
    this.#byGroup.set(channel.group, [channel])
    this.#groups = [...this.#groups]
    setSorted(this.#groups, channel.group, itself)
  }

  delete({ group, name }: ChannelKey): void {
    const channels = this.#byGroup.get(group)
    if (channels === undefined) return
    deleteSorted(channels, name, nameOf)
    if (channels.length > 0) return
    this.#byGroup.delete(group)
    this.#groups = this.#groups.filter((other) => other !== group)
  }
}

class BanIndex {
  /** In the order they were applied. */
  readonly #byPlayer = new Map<string, Ban>()
  #listed: { readonly bans: readonly Ban[]; readonly until: Timestamp } | undefined

  load(bans: readonly Ban[]): void {
    this.#byPlayer.clear()
    for (const ban of bans) this.#byPlayer.set(ban.playerId, ban)
    this.#listed = undefined
  }

  find(playerId: string, at: Timestamp): Ban | undefined {
    const ban = this.#byPlayer.get(playerId)
    return ban !== undefined && ban.endsAt > at ? ban : undefined
  }

  /** Bans in force, newest first. */
  list(at: Timestamp): readonly Ban[] {
    if (this.#listed === undefined || this.#listed.until <= at) this.#listed = this.#sweep(at)
    return this.#listed.bans
  }

  set(ban: Ban): void {
    this.#byPlayer.delete(ban.playerId)
    this.#byPlayer.set(ban.playerId, ban)
    this.#listed = undefined
  }

  delete(playerId: string): void {
    if (this.#byPlayer.delete(playerId)) this.#listed = undefined
  }

  #sweep(at: Timestamp) {
    let until = Number.POSITIVE_INFINITY
    for (const { playerId, endsAt } of this.#byPlayer.values()) {
      if (endsAt <= at) this.#byPlayer.delete(playerId)
      else if (endsAt < until) until = endsAt
    }
    return { bans: [...this.#byPlayer.values()].reverse(), until }
  }
}

/** The lists of one kind. */
class FilterIndex {
  readonly #byLanguage = new Map<string, FilterList>()
  #listed: readonly FilterList[] | undefined
  #version = 0

  /** Of the newest edit of any list of the kind. */
  get version(): number {
    return this.#version
  }

  load(lists: readonly FilterList[], version: number): void {
    this.#byLanguage.clear()
    for (const list of lists) this.#byLanguage.set(languageKey(list.language), list)
    this.#listed = undefined
    this.#version = version
  }

  /** `all` first, then by language. */
  list(): readonly FilterList[] {
    this.#listed ??= [...this.#byLanguage]
      .sort(([a], [b]) => (a === EVERY_LANGUAGE || (b !== EVERY_LANGUAGE && a < b) ? -1 : 1))
      .map(([, list]) => list)
    return this.#listed
  }

  set(list: FilterList, version: number): void {
    this.#byLanguage.set(languageKey(list.language), list)
    this.#listed = undefined
    this.#version = version
  }
}

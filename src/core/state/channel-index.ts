import type { Channel, ChannelKey } from '../model.ts'
import { yieldToEventLoop } from '../time-slice.ts'
import { SortedList } from './sorted-list.ts'

const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name < b.name ? -1 : Number(a.name > b.name)

/** The channels of a group: in a map for messages and joins, which look up one, and sorted for lists. */
class Group {
  readonly name: string
  readonly byName = new Map<string, Channel>()
  readonly sorted = new SortedList<Pick<Channel, 'name'>, Channel>(byName)
  fallback: Channel | undefined

  constructor(name: string) {
    this.name = name
  }

  set(channel: Channel): void {
    this.byName.set(channel.name, channel)
    this.sorted.set(channel)
    if (channel.isFallback) this.fallback = channel
    else if (this.fallback?.name === channel.name) this.fallback = undefined
  }

  delete(name: string): void {
    this.byName.delete(name)
    this.sorted.delete({ name })
    if (this.fallback?.name === name) this.fallback = undefined
  }
}

/** Channels by group and name. A group exists while it has a channel. */
export class ChannelIndex {
  readonly #groups = new Map<string, Group>()
  #listed: readonly string[] | undefined

  /** Builds an index in slices. */
  static async load(pages: AsyncIterable<readonly Channel[]>): Promise<ChannelIndex> {
    const index = new ChannelIndex()
    for await (const page of pages) {
      for (const channel of page) index.set(channel)
      await yieldToEventLoop()
    }
    return index
  }

  /** Sorted by name. Returns the same array until a group is added or removed. */
  groups(): readonly string[] {
    this.#listed ??= [...this.#groups.keys()].sort()
    return this.#listed
  }

  /** The channels of a group sorted by name, starting at the name `from`. */
  ofGroup(group: string, from?: string): Iterable<Channel> {
    const channels = this.#groups.get(group)?.sorted
    return channels?.ascendingFrom(from === undefined ? undefined : { name: from }) ?? []
  }

  find({ group, name }: ChannelKey): Channel | undefined {
    return this.#groups.get(group)?.byName.get(name)
  }

  findFallback(group: string): Channel | undefined {
    return this.#groups.get(group)?.fallback
  }

  set(channel: Channel): void {
    const group = this.#groups.get(channel.group) ?? this.#addGroup(channel.group)
    group.set(channel)
  }

  delete({ group: groupName, name }: ChannelKey): void {
    const group = this.#groups.get(groupName)
    group?.delete(name)
    if (group?.byName.size !== 0) return
    this.#groups.delete(groupName)
    this.#listed = undefined
  }

  #addGroup(name: string): Group {
    const group = new Group(name)
    this.#groups.set(name, group)
    this.#listed = undefined
    return group
  }
}

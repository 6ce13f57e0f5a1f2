import type { Channel, ChannelKey } from '../model.ts'
import { yieldToEventLoop } from '../time-slice.ts'
import { SortedList } from './sorted-list.ts'

const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name < b.name ? -1 : Number(a.name > b.name)

class Group {
  readonly name: string
  readonly channels = new SortedList<Pick<Channel, 'name'>, Channel>(byName)
  fallback: Channel | undefined

  constructor(name: string) {
    this.name = name
  }
}

/** Channels by group and name. A group exists while it has a channel. */
export class ChannelIndex {
  readonly #groups = new SortedList<Pick<Group, 'name'>, Group>(byName)
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
    this.#listed ??= Array.from(this.#groups.ascendingFrom(), ({ name }) => name)
    return this.#listed
  }

  /** The channels of a group sorted by name, starting at the name `from`. */
  ofGroup(group: string, from?: string): Iterable<Channel> {
    const channels = this.#groups.get({ name: group })?.channels
    return channels?.ascendingFrom(from === undefined ? undefined : { name: from }) ?? []
  }

  find({ group, name }: ChannelKey): Channel | undefined {
    return this.#groups.get({ name: group })?.channels.get({ name })
  }

  findFallback(group: string): Channel | undefined {
    return this.#groups.get({ name: group })?.fallback
  }

  set(channel: Channel): void {
    const group = this.#groups.get({ name: channel.group }) ?? this.#addGroup(channel.group)
    group.channels.set(channel)
    if (channel.isFallback) group.fallback = channel
    else if (group.fallback?.name === channel.name) group.fallback = undefined
  }

  delete({ group: name, name: channelName }: ChannelKey): void {
    const group = this.#groups.get({ name })
    group?.channels.delete({ name: channelName })
    if (group?.fallback?.name === channelName) group.fallback = undefined
    if (group?.channels.size !== 0) return
    this.#groups.delete(group)
    this.#listed = undefined
  }

  #addGroup(name: string): Group {
    const group = new Group(name)
    this.#groups.set(group)
    this.#listed = undefined
    return group
  }
}

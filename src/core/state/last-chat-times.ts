import type { Shard, Timestamp } from '../model.ts'
import type { SequenceStore } from '../ports/message-store.ts'

const PAGE_SIZE = 1000

/** Keyed by name first: a listing looks up every channel of a group, and most of them never had a message. */
class GroupTimes {
  readonly #byName = new Map<string, Map<string, Timestamp>>()

  find({ name, incarnation, number }: Shard): Timestamp | undefined {
    return this.#byName.get(name)?.get(`${incarnation}/${number}`)
  }

  set({ name, incarnation, number }: Shard, at: Timestamp): void {
    const times = this.#byName.get(name) ?? new Map<string, Timestamp>()
    this.#byName.set(name, times.set(`${incarnation}/${number}`, at))
  }
}

/**
 * Times of the last player message, read from the log, for channel numbers that the roster has no time for: those
 * without a message since the start, and those that were closed. A group is loaded when it is first requested.
 */
export class LastChatTimes {
  readonly #store: Pick<SequenceStore, 'listLastChatTimes'>
  readonly #byGroup = new Map<string, { readonly times: GroupTimes; readonly loaded: Promise<void> }>()

  constructor(store: Pick<SequenceStore, 'listLastChatTimes'>) {
    this.#store = store
  }

  /** The lookup returns undefined if the log cannot be read. */
  async find(group: string): Promise<(shard: Shard) => Timestamp | undefined> {
    const { times, loaded } = this.#byGroup.get(group) ?? this.#open(group)
    await loaded.catch(() => this.#byGroup.delete(group))
    return (shard) => times.find(shard)
  }

  record(shard: Shard, at: Timestamp): void {
    this.#byGroup.get(shard.group)?.times.set(shard, at)
  }

  /** Drops all times, so that pruned messages are no longer counted when a group is loaded again. */
  clear(): void {
    this.#byGroup.clear()
  }

  #open(group: string) {
    const times = new GroupTimes()
    const entry = { times, loaded: this.#load(group, times) }
    this.#byGroup.set(group, entry)
    return entry
  }

  async #load(group: string, times: GroupTimes): Promise<void> {
    let after: Shard | undefined
    do {
      const page = await this.#store.listLastChatTimes({ group, after, limit: PAGE_SIZE })
      // Times recorded while loading are newer than the log's.
      for (const { shard, at } of page) if (times.find(shard) === undefined) times.set(shard, at)
      after = page.length < PAGE_SIZE ? undefined : page.at(-1)?.shard
    } while (after !== undefined)
  }
}

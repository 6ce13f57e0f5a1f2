import { shardTopic, type Topic } from './events.ts'
import type { Shard, Timestamp } from './model.ts'
import type { SequenceStore } from './store.ts'

const SLICE = 1000

/**
 * When a player last spoke in the numbers of a group, as the log has it, for numbers that the roster knows nothing of: nobody
 * has spoken there since the start, or they were closed meanwhile. A group is read when it is first asked for.
 */
export class LastChats {
  readonly #store: Pick<SequenceStore, 'listLastChats'>
  readonly #byGroup = new Map<string, { readonly times: Map<Topic, Timestamp>; loaded: Promise<void> }>()

  constructor(store: Pick<SequenceStore, 'listLastChats'>) {
    this.#store = store
  }

  /** Nothing where the log cannot be read. */
  async find(group: string): Promise<(shard: Shard) => Timestamp | undefined> {
    const { times, loaded } = this.#byGroup.get(group) ?? this.#open(group)
    await loaded.catch(() => this.#byGroup.delete(group))
    return (shard) => times.get(shardTopic(shard))
  }

  record(shard: Shard, at: Timestamp): void {
    this.#byGroup.get(shard.group)?.times.set(shardTopic(shard), at)
  }

  /** Groups are read anew, without what the log no longer has. */
  clear(): void {
    this.#byGroup.clear()
  }

  #open(group: string) {
    const times = new Map<Topic, Timestamp>()
    const known = { times, loaded: this.#load(group, times) }
    this.#byGroup.set(group, known)
    return known
  }

  async #load(group: string, times: Map<Topic, Timestamp>): Promise<void> {
    let after: Shard | undefined
    do {
      const page = await this.#store.listLastChats({ group, after, limit: SLICE })
      for (const { shard, at } of page)
        times.set(shardTopic(shard), Math.max(at, times.get(shardTopic(shard)) ?? at))
      after = page.length < SLICE ? undefined : page.at(-1)?.shard
    } while (after !== undefined)
  }
}

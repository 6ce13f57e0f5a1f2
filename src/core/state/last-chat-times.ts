import type { Shard, Timestamp } from '../model.ts'
import type { SequenceStore } from '../ports/store.ts'

const SLICE = 1000

/** By name first, since most channels of a group were never spoken in, and a list asks for each of them. */
class Times {
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
 * When a player last spoke in the numbers of a group, as the log has it, for numbers that the roster knows nothing of: nobody
 * has spoken there since the start, or they were closed meanwhile. A group is read when it is first asked for.
 */
export class LastChatTimes {
  readonly #store: Pick<SequenceStore, 'listLastChatTimes'>
  readonly #byGroup = new Map<string, { readonly times: Times; readonly loaded: Promise<void> }>()

  constructor(store: Pick<SequenceStore, 'listLastChatTimes'>) {
    this.#store = store
  }

  /** Nothing where the log cannot be read. */
  async find(group: string): Promise<(shard: Shard) => Timestamp | undefined> {
    const { times, loaded } = this.#byGroup.get(group) ?? this.#open(group)
    await loaded.catch(() => this.#byGroup.delete(group))
    return (shard) => times.find(shard)
  }

  record(shard: Shard, at: Timestamp): void {
    this.#byGroup.get(shard.group)?.times.set(shard, at)
  }

  /** Groups are read anew, without what the log no longer has. */
  clear(): void {
    this.#byGroup.clear()
  }

  #open(group: string) {
    const times = new Times()
    const known = { times, loaded: this.#load(group, times) }
    this.#byGroup.set(group, known)
    return known
  }

  async #load(group: string, times: Times): Promise<void> {
    let after: Shard | undefined
    do {
      const page = await this.#store.listLastChatTimes({ group, after, limit: SLICE })
      // What was said while the log was read is newer.
      for (const { shard, at } of page) if (times.find(shard) === undefined) times.set(shard, at)
      after = page.length < SLICE ? undefined : page.at(-1)?.shard
    } while (after !== undefined)
  }
}

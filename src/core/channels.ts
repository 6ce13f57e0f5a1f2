import { type CallContext, SYSTEM_CALL } from './context.ts'
import { ChatError } from './errors.ts'
import type { MessageLog } from './message-log.ts'
import {
  type Channel,
  type ChannelIdentity,
  type ChannelKey,
  type ChannelSettings,
  channelIdentity,
  type Shard,
  type ShardRoster,
  type Timestamp,
} from './model.ts'
import type { Bus } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { ChannelQuota, FactStore } from './ports/fact-store.ts'
import type { Roster } from './ports/roster.ts'
import type { Journal } from './state/journal.ts'
import type { State } from './state/state.ts'

export interface ListedShard {
  readonly channel: Channel
  readonly shard: ShardRoster
  /** Undefined if no player has spoken there. */
  readonly lastChatAt: Timestamp | undefined
}

export type ListPosition = Pick<Shard, 'name' | 'number'>

export interface ChannelPage {
  readonly after?: ListPosition | undefined
  readonly limit?: number | undefined
}

/** Entries read at a time, so that a long list never holds the event loop. */
const SLICE = 500

export interface ChannelRules {
  readonly quota: ChannelQuota
  readonly protectFallback: boolean
}

export class Channels {
  readonly #store: FactStore
  readonly #journal: Journal
  readonly #state: State
  readonly #bus: Pick<Bus, 'lastChatTimes'>
  readonly #roster: Roster
  readonly #messages: Pick<MessageLog, 'readLastChatTimes'>
  readonly #clock: Clock
  readonly #rules: ChannelRules

  constructor(dependencies: {
    store: FactStore
    journal: Journal
    state: State
    bus: Pick<Bus, 'lastChatTimes'>
    roster: Roster
    messages: Pick<MessageLog, 'readLastChatTimes'>
    clock: Clock
    rules: ChannelRules
  }) {
    this.#store = dependencies.store
    this.#journal = dependencies.journal
    this.#state = dependencies.state
    this.#bus = dependencies.bus
    this.#roster = dependencies.roster
    this.#messages = dependencies.messages
    this.#clock = dependencies.clock
    this.#rules = dependencies.rules
  }

  listGroups(): readonly string[] {
    return this.#state.channels.groups()
  }

  find(key: ChannelKey): Channel | undefined {
    return this.#state.channels.find(key)
  }

  findFallback(group: string): Channel | undefined {
    return this.#state.channels.findFallback(group)
  }

  /** At most `limit` entries after `after`, one per channel number, sorted by name and number, in slices. */
  async *list(group: string, { after, limit }: ChannelPage = {}): AsyncGenerator<readonly ListedShard[]> {
    let [last, remaining] = [after, limit ?? Number.POSITIVE_INFINITY]
    while (remaining > 0) {
      const size = Math.min(SLICE, remaining)
      const slice = await this.#listSlice(group, last, size)
      yield slice
      if (slice.length < size) return
      remaining -= size
      last = slice.at(-1)?.shard
    }
  }

  /** Ascending. Number 1 exists even if nobody ever joined it. */
  async listNumbers(channel: ChannelIdentity): Promise<number[]> {
    const open = await this.#roster.listNumbers(channel)
    return open[0] === 1 ? open : [1, ...open]
  }

  /** Every channel has at least one number, so the channels of a slice are no more than its entries. */
  async #listSlice(group: string, after: ListPosition | undefined, limit: number): Promise<ListedShard[]> {
    const channels = Iterator.from(this.#state.channels.ofGroup(group, after?.name))
      .take(limit + 1)
      .toArray()
    const from = channels[0]?.name === after?.name ? (after?.number ?? 0) + 1 : 1
    const open = Map.groupBy(await this.#roster.listShards(channels, { from, limit }), ({ name }) => name)
    const shards = channels.flatMap((channel, index) => {
      const known = open.get(channel.name) ?? []
      const isFirstListed = (index === 0 && from > 1) || known[0]?.number === 1
      const all = isFirstListed ? known : [{ ...channelIdentity(channel), number: 1, members: [] }, ...known]
      return all.map((shard) => ({ channel, shard }))
    })
    return this.#withLastChatTimes(shards.slice(0, limit))
  }

  /** The bus knows the times of channel numbers in recent use, the message log those of all others. */
  async #withLastChatTimes(entries: readonly Omit<ListedShard, 'lastChatAt'>[]): Promise<ListedShard[]> {
    const shards = entries.map(({ shard }) => shard)
    const recent = await this.#bus.lastChatTimes(shards)
    const logged = await this.#messages.readLastChatTimes(
      shards.filter((_, index) => recent[index] === undefined),
    )
    let next = 0
    return entries.map((entry, index) => ({ ...entry, lastChatAt: recent[index] ?? logged[next++] }))
  }

  /** False if the channel was deleted, even if a new one has its name. */
  isCurrent(channel: ChannelIdentity): boolean {
    return this.find(channel)?.incarnation === channel.incarnation
  }

  /** Returns the existing channel if one with the same settings exists. */
  async create(
    key: ChannelKey,
    settings: ChannelSettings,
    context: CallContext = SYSTEM_CALL,
  ): Promise<Channel> {
    const channel = { ...key, ...settings, createdAt: this.#clock() }
    const insertion = await this.#journal.commit(
      this.#store.insertChannel(channel, this.#rules.quota, context),
    )
    if (insertion.outcome === 'limit') throw new ChatError('limit-reached')
    if (insertion.outcome === 'taken' && !sameSettings(insertion.channel, settings)) {
      throw new ChatError('channel-exists')
    }
    return insertion.channel
  }

  async update(
    key: ChannelKey,
    settings: Partial<ChannelSettings>,
    context: CallContext = SYSTEM_CALL,
  ): Promise<Channel> {
    const { protectFallback } = this.#rules
    const outcome = await this.#journal.commit(
      this.#store.updateChannel({ key, settings, protectFallback }, context),
    )
    if (outcome === undefined) throw new ChatError('channel-not-found')
    if (outcome === 'protected') throw new ChatError('fallback-protected')
    return outcome
  }

  /** Returns all numbers of the deleted channel, ascending. */
  async remove(key: ChannelKey, context: CallContext = SYSTEM_CALL): Promise<Shard[]> {
    const { protectFallback } = this.#rules
    const channel = this.find(key)
    const numbers = channel === undefined ? [1] : await this.listNumbers(channel)
    const deletion = await this.#journal.commit(
      this.#store.deleteChannel({ key, numbers, protectFallback }, context),
    )
    if (deletion.outcome !== 'deleted') {
      throw new ChatError(deletion.outcome === 'unknown' ? 'channel-not-found' : 'fallback-protected')
    }
    const removed = { ...key, incarnation: deletion.incarnation }
    await this.#roster.removeChannel(removed)
    return deletion.numbers.map((number) => ({ ...removed, number }))
  }
}

function sameSettings(a: ChannelSettings, b: ChannelSettings): boolean {
  return a.maxMembers === b.maxMembers && a.isFallback === b.isFallback && a.isAutoscaling === b.isAutoscaling
}

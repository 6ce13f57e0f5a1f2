import { ChatError } from './errors.ts'
import type { Channel, ChannelIdentity, ChannelKey, ChannelSettings, Shard, ShardRoster } from './model.ts'
import type { Clock } from './ports/clock.ts'
import type { Roster } from './ports/roster.ts'
import type { ChannelQuota, Idempotency, Store } from './ports/store.ts'
import type { Journal } from './state/journal.ts'
import type { LastChatTimes } from './state/last-chat-times.ts'
import type { State } from './state/state.ts'

export interface ListedShard {
  readonly channel: Channel
  readonly shard: ShardRoster
}

export interface ChannelRules {
  readonly quota: ChannelQuota
  readonly protectFallback: boolean
}

export class Channels {
  readonly #store: Store
  readonly #journal: Journal
  readonly #state: State
  readonly #roster: Roster
  readonly #lastChatTimes: LastChatTimes
  readonly #clock: Clock
  readonly #rules: ChannelRules

  constructor(dependencies: {
    store: Store
    journal: Journal
    state: State
    roster: Roster
    lastChatTimes: LastChatTimes
    clock: Clock
    rules: ChannelRules
  }) {
    this.#store = dependencies.store
    this.#journal = dependencies.journal
    this.#state = dependencies.state
    this.#roster = dependencies.roster
    this.#lastChatTimes = dependencies.lastChatTimes
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

  /** One entry per channel number, sorted by name and number. */
  async list(group: string): Promise<ListedShard[]> {
    const channels = Array.from(this.#state.channels.ofGroup(group))
    if (channels.length === 0) return []
    const open = Map.groupBy(await this.#roster.listShards(group), (shard) => shard.name)
    const lastChatAt = await this.#lastChatTimes.find(group)
    const withLastChat = (shard: ShardRoster) =>
      shard.lastChatAt === undefined ? { ...shard, lastChatAt: lastChatAt(shard) } : shard
    return channels.flatMap((channel) =>
      withFirst(channel, open.get(channel.name)).map((shard) => ({ channel, shard: withLastChat(shard) })),
    )
  }

  /** Ascending. */
  async listNumbers(channel: ChannelIdentity): Promise<number[]> {
    const open = await this.#roster.listShards(channel.group)
    const named = open.filter((shard) => shard.name === channel.name)
    return withFirst(channel, named).map((shard) => shard.number)
  }

  /** False if the channel was deleted, even if a new one has its name. */
  isCurrent(channel: ChannelIdentity): boolean {
    return this.find(channel)?.incarnation === channel.incarnation
  }

  /** Returns the existing channel if one with the same settings exists. */
  async create(key: ChannelKey, settings: ChannelSettings, idempotency?: Idempotency): Promise<Channel> {
    const channel = { ...key, ...settings, createdAt: this.#clock() }
    const insertion = await this.#journal.commit(
      this.#store.insertChannel(channel, this.#rules.quota, idempotency),
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
    idempotency?: Idempotency,
  ): Promise<Channel> {
    const { protectFallback } = this.#rules
    const outcome = await this.#journal.commit(
      this.#store.updateChannel({ key, settings, protectFallback }, idempotency),
    )
    if (outcome === undefined) throw new ChatError('channel-not-found')
    if (outcome === 'protected') throw new ChatError('fallback-protected')
    return outcome
  }

  /** Returns all numbers of the deleted channel, ascending. */
  async remove(key: ChannelKey, idempotency?: Idempotency): Promise<Shard[]> {
    const { protectFallback } = this.#rules
    const channel = this.find(key)
    const numbers = channel === undefined ? [1] : await this.listNumbers(channel)
    const deletion = await this.#journal.commit(
      this.#store.deleteChannel({ key, numbers, protectFallback }, idempotency),
    )
    if (deletion.outcome !== 'deleted') {
      throw new ChatError(deletion.outcome === 'unknown' ? 'channel-not-found' : 'fallback-protected')
    }
    const removed = { ...key, incarnation: deletion.incarnation }
    await this.#roster.removeChannel(removed)
    return deletion.numbers.map((number) => ({ ...removed, number }))
  }
}

/** The open numbers of this incarnation. Number 1 exists even if nobody ever joined it. */
function withFirst(
  { group, name, incarnation }: ChannelIdentity,
  named: readonly ShardRoster[] = [],
): readonly ShardRoster[] {
  const open = named.filter((shard) => shard.incarnation === incarnation)
  if (open[0]?.number === 1) return open
  return [{ group, name, incarnation, number: 1, members: [], lastChatAt: undefined }, ...open]
}

function sameSettings(a: ChannelSettings, b: ChannelSettings): boolean {
  return a.maxMembers === b.maxMembers && a.isFallback === b.isFallback && a.isAutoscaling === b.isAutoscaling
}

import { randomUUID } from 'node:crypto'
import type { Bans } from './bans.ts'
import type { Channels } from './channels.ts'
import { ChatError, PlayerError } from './errors.ts'
import { shardTopic } from './events.ts'
import type { Filters } from './filters.ts'
import type { FloodControl } from './flood.ts'
import type { MessageLog } from './message-log.ts'
import {
  type Channel,
  type ChannelKey,
  type ChatMessage,
  channelIdentity,
  type FilterHit,
  type LoggedMessage,
  type Player,
  type SequencedMessage,
  type Shard,
} from './model.ts'
import type { Bus, ChannelHistory } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { Roster } from './ports/roster.ts'
import type { Idempotency, Store } from './ports/store.ts'
import { isMessageText, isVisible } from './text.ts'

export interface SystemMessage {
  readonly channel: ChannelKey
  /** One number of the channel; every number when absent. */
  readonly number: number | undefined
  readonly text: string
}

/** Who joins, by which session. */
export interface SeatHolder {
  readonly player: Player
  readonly sessionId: string
}

/** Where a player wants to sit. Without a name, or when there is no room: the group's FALLBACK. */
export interface JoinTarget {
  readonly group: string
  readonly name: string | undefined
  /** This number or none at all. */
  readonly number: number | undefined
  /**
   * Of the sequence that the player comes back to: opens the number again where a restart has closed it, and takes the
   * FALLBACK where its channel is gone.
   */
  readonly epoch?: string
}

export interface Sender {
  readonly player: Player
  readonly language: string
}

export interface ChatRules {
  readonly messageBytes: number
  /** Whether players are told what the filter found in their own words. */
  readonly showHits: boolean
}

export interface SayResult {
  readonly message: SequencedMessage
  readonly isFiltered: boolean
  /** Absent where players are not told. */
  readonly hits?: readonly FilterHit[]
}

/** How a number stands for who has just sat down there. */
export interface JoinSnapshot {
  readonly shard: Shard
  readonly maxMembers: number
  readonly members: readonly Player[]
  readonly history: ChannelHistory
}

/** What players do, and what the system says to them. */
export class Chat {
  readonly #store: Store
  readonly #bus: Bus
  readonly #roster: Roster
  readonly #channels: Channels
  readonly #bans: Bans
  readonly #filters: Filters
  readonly #messages: MessageLog
  readonly #flood: FloodControl
  readonly #clock: Clock
  readonly #rules: ChatRules
  /** By player: messages that the bus has not taken yet. */
  readonly #inFlight = new Map<string, { count: number; promise: Promise<void>; resolve: () => void }>()

  constructor(dependencies: {
    store: Store
    bus: Bus
    roster: Roster
    channels: Channels
    bans: Bans
    filters: Filters
    messages: MessageLog
    flood: FloodControl
    clock: Clock
    rules: ChatRules
  }) {
    this.#store = dependencies.store
    this.#bus = dependencies.bus
    this.#roster = dependencies.roster
    this.#channels = dependencies.channels
    this.#bans = dependencies.bans
    this.#filters = dependencies.filters
    this.#messages = dependencies.messages
    this.#flood = dependencies.flood
    this.#clock = dependencies.clock
    this.#rules = dependencies.rules
  }

  /** Takes a seat for a session. Whoever calls it subscribes to the number next, then calls `completeJoin`. */
  async takeSeat(target: JoinTarget, holder: SeatHolder): Promise<Shard> {
    const { group, name, number, epoch } = target
    const fallback = this.#channels.findFallback(group)
    const wanted = name === undefined ? fallback : this.#channels.find({ group, name })
    const isBound = number !== undefined && !(epoch !== undefined && wanted === undefined)
    const [first, second] = isBound ? [wanted] : [wanted ?? fallback, fallback]
    if (first === undefined) throw new PlayerError('channel-not-found')
    const seat = await this.#takeSeatIn(first, holder, isBound ? { number, epoch } : {})
    if (seat !== undefined) return seat
    const instead =
      second === undefined || second === first ? undefined : await this.#takeSeatIn(second, holder)
    if (instead !== undefined) return instead
    const channel = { group, name: first.name, number: isBound ? number : undefined }
    throw new PlayerError('channel-full', { channel })
  }

  /** Tells the other members, and gives back what the new one should know. */
  async completeJoin(shard: Shard, player: Player): Promise<JoinSnapshot> {
    const [standing, history] = await Promise.all([this.#roster.findShard(shard), this.#bus.history(shard)])
    await this.#bus.publish(shardTopic(shard), { kind: 'player-joined', shard, player })
    const maxMembers = this.#channels.find(shard)?.maxMembers ?? 0
    return { shard, maxMembers, members: standing?.members ?? [player], history }
  }

  /** Gives up a seat without a word, where nobody is left to hear it. */
  async vacate({ group }: Shard, { sessionId }: SeatHolder): Promise<void> {
    await this.#roster.leaveSeat(group, sessionId)
  }

  async leave(shard: Shard, { player, sessionId }: SeatHolder): Promise<void> {
    const wasSeated = await this.#roster.leaveSeat(shard.group, sessionId)
    if (wasSeated) await this.#bus.publish(shardTopic(shard), { kind: 'player-left', shard, player })
  }

  /** Resolves when nothing that the player has said before is still on its way to the others. */
  async drainMessages(playerId: string): Promise<void> {
    await this.#inFlight.get(playerId)?.promise
  }

  async say(shard: Shard, sender: Sender, text: string): Promise<SayResult> {
    const ban = this.#bans.find(sender.player.id)
    if (ban !== undefined) throw new PlayerError('banned', { remainSeconds: this.#bans.remainSeconds(ban) })
    const original = this.#readText(text)
    const wait = this.#flood.spend('messages', sender.player.id)
    if (wait > 0) throw new PlayerError('message-spam', { retryAfterMs: wait })
    const checked = this.#filters.check(original, sender.language)
    const told = this.#rules.showHits ? { hits: checked.hits } : {}
    if (checked.verdict === 'blocked') throw new PlayerError('message-filtered', told)
    const message = await this.#appendFor(sender.player, {
      shard,
      player: sender.player,
      text: checked.text,
      original,
      language: sender.language,
      hits: checked.hits,
    })
    await this.#roster.recordChat(shard, message.at)
    return { message, isFiltered: checked.verdict === 'masked', ...told }
  }

  /** Tells the members of a channel something in the system's name. Not filtered. */
  async sendSystemMessage(
    { channel, number, ...systemMessage }: SystemMessage,
    idempotency?: Idempotency,
  ): Promise<void> {
    const text = systemMessage.text.trim()
    const shards = await this.#listShards(channel, number)
    const found = shards.length > 0 ? 'announced' : 'unknown'
    const { outcome, repeated } = await this.#remember(found, idempotency)
    if (outcome === 'unknown') throw new ChatError('channel-not-found')
    if (repeated) return
    const said = { player: undefined, text, original: text, language: undefined, hits: [] }
    await Promise.all(shards.map((shard) => this.#append({ shard, ...said })))
  }

  /**
   * Takes a message from the players; the log keeps it. A call that is repeated does it again: the one before may have
   * failed between the log and the players.
   */
  async deleteMessage(id: string, idempotency?: Idempotency): Promise<LoggedMessage> {
    const found = (await this.#messages.find(id)) === undefined ? 'unknown' : 'known'
    const { outcome } = await this.#remember(found, idempotency)
    const message = outcome === 'known' ? await this.#messages.delete(id) : undefined
    if (message === undefined) throw new ChatError('message-not-found')
    await this.#bus.retract(message)
    return message
  }

  /** The outcome that a repeated call had the first time. */
  async #remember<T extends string>(outcome: T, idempotency: Idempotency | undefined) {
    return idempotency === undefined
      ? { outcome, repeated: false }
      : await this.#store.remember(outcome, idempotency)
  }

  /** What players have said and the bus has not taken yet is waited for where a ban must be in force. */
  async #appendFor({ id }: Player, draft: Omit<ChatMessage, 'id' | 'at'>): Promise<SequencedMessage> {
    const inFlight = this.#inFlight.get(id) ?? { count: 0, ...Promise.withResolvers<void>() }
    this.#inFlight.set(id, inFlight)
    inFlight.count++
    try {
      return await this.#append(draft)
    } finally {
      if (--inFlight.count === 0) {
        this.#inFlight.delete(id)
        inFlight.resolve()
      }
    }
  }

  async #append(draft: Omit<ChatMessage, 'id' | 'at'>): Promise<SequencedMessage> {
    const message = { ...draft, id: randomUUID(), at: this.#clock() }
    const sequenced = await this.#bus.append(message)
    this.#messages.add(sequenced)
    return sequenced
  }

  /** Undefined when there is no room. */
  async #takeSeatIn(
    channel: Channel,
    holder: SeatHolder,
    { number, epoch }: { number?: number | undefined; epoch?: string | undefined } = {},
  ): Promise<Shard | undefined> {
    const request = { channel, ...holder, ...(number !== undefined && { number }) }
    let seat = await this.#roster.takeSeat(request)
    if (seat.outcome === 'unknown-number' && number !== undefined && epoch !== undefined) {
      // Nobody can know the epoch who has not been there.
      const known = await this.#messages.restore({ ...channelIdentity(channel), number })
      if (known?.epoch === epoch) seat = await this.#roster.takeSeat({ ...request, reopen: true })
    }
    if (seat.outcome === 'unknown-number') throw new PlayerError('channel-not-found')
    if (seat.outcome === 'already-seated') throw new PlayerError('already-joined')
    return seat.outcome === 'seated' ? seat.shard : undefined
  }

  #readText(text: string): string {
    const trimmed = text.trim()
    if (trimmed === '') throw new PlayerError('message-too-short')
    if (Buffer.byteLength(trimmed) > this.#rules.messageBytes) throw new PlayerError('message-too-long')
    if (!isMessageText(trimmed)) throw new PlayerError('invalid', { input: 'text' })
    if (!isVisible(trimmed)) throw new PlayerError('message-too-short')
    return trimmed
  }

  async #listShards(key: ChannelKey, wished: number | undefined): Promise<Shard[]> {
    const channel = this.#channels.find(key)
    if (channel === undefined) return []
    const open = await this.#channels.listNumbers(channel)
    const meant = wished === undefined ? open : open.filter((number) => number === wished)
    return meant.map((number) => ({ ...channelIdentity(channel), number }))
  }
}

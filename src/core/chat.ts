import type { Bans } from './bans.ts'
import type { Channels } from './channels.ts'
import { type CallContext, SYSTEM_CALL } from './context.ts'
import { ChatError, PlayerError } from './errors.ts'
import { shardTopic } from './events.ts'
import type { Filters } from './filters.ts'
import type { FloodControl } from './flood.ts'
import { MessageIds } from './message-ids.ts'
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
import type { FactStore } from './ports/fact-store.ts'
import type { MemberList, Roster, SeatHolder } from './ports/roster.ts'
import { isMessageText, isVisible } from './text.ts'
import { SharedTimeSlice } from './time-slice.ts'

type Draft = Omit<ChatMessage, 'id' | 'at'>
type PlayerDraft = Draft & { readonly player: Player }

/** Members in the snapshot of a join, and in a page of `listMembers`. */
const MAX_LISTED_MEMBERS = 200

export interface SystemMessage {
  readonly channel: ChannelKey
  /** Undefined sends to every number of the channel. */
  readonly number: number | undefined
  readonly text: string
}

/** The channel a player asks to join. Without a name, or if the channel is full, the player joins the group's FALLBACK. */
export interface JoinTarget {
  readonly group: string
  readonly name: string | undefined
  /** If set, no other number and no other channel is tried. */
  readonly number: number | undefined
  /**
   * The epoch the player resumes. Reopens the channel number if a restart closed it, and joins the FALLBACK if the
   * channel was deleted.
   */
  readonly epoch?: string
}

export interface Sender {
  readonly player: Player
  readonly language: string
}

export interface ChatRules {
  readonly messageBytes: number
  /** Whether senders receive the filter hits in their own messages. */
  readonly showHits: boolean
}

export interface SayResult {
  readonly message: SequencedMessage
  readonly isFiltered: boolean
  /** Absent unless `showHits` is set. */
  readonly hits?: readonly FilterHit[]
}

/** The state of a channel number that a client receives when it joins. */
export interface JoinSnapshot {
  readonly shard: Shard
  readonly maxMembers: number
  /** Those who joined first, up to a limit. */
  readonly members: readonly Player[]
  readonly memberCount: number
  readonly history: ChannelHistory
}

/** Joining and leaving channels, player and system messages. */
export class Chat {
  readonly #store: FactStore
  readonly #bus: Bus
  readonly #roster: Roster
  readonly #channels: Channels
  readonly #bans: Bans
  readonly #filters: Filters
  readonly #messages: MessageLog
  readonly #flood: FloodControl
  readonly #clock: Clock
  readonly #rules: ChatRules
  /** Messages not yet accepted by the bus, by player id. */
  readonly #inFlight = new Map<string, Promise<unknown>>()
  readonly #ids = new MessageIds()
  readonly #systemMessages = new SharedTimeSlice()

  constructor(dependencies: {
    store: FactStore
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

  /** Takes a seat for a session. The caller must then subscribe to the channel number and call `completeJoin`. */
  async takeSeat(target: JoinTarget, holder: SeatHolder): Promise<Shard> {
    const { group, name, number, epoch } = target
    const fallback = this.#channels.findFallback(group)
    const requested = name === undefined ? fallback : this.#channels.find({ group, name })
    const isPinned = number !== undefined && !(epoch !== undefined && requested === undefined)
    const [first, second] = isPinned ? [requested] : [requested ?? fallback, fallback]
    if (first === undefined) throw new PlayerError('channel-not-found')
    const seat = await this.#takeSeatIn(first, holder, isPinned ? { number, epoch } : {})
    if (seat !== undefined) return seat
    const fallbackSeat =
      second === undefined || second === first ? undefined : await this.#takeSeatIn(second, holder)
    if (fallbackSeat !== undefined) return fallbackSeat
    const channel = { group, name: first.name, number: isPinned ? number : undefined }
    throw new PlayerError('channel-full', { channel })
  }

  /** Notifies the other members and returns the snapshot for the new one. */
  async completeJoin(shard: Shard, player: Player): Promise<JoinSnapshot> {
    const [roster, history] = await Promise.all([
      this.#roster.listMembers(shard, { limit: MAX_LISTED_MEMBERS }),
      this.#bus.history(shard),
    ])
    await this.#bus.publish(shardTopic(shard), { kind: 'player-joined', shard, player })
    const maxMembers = this.#channels.find(shard)?.maxMembers ?? 0
    return { shard, maxMembers, members: roster.members, memberCount: roster.count, history }
  }

  /** A page of the members in the order in which they joined. `after` is the `next` of the previous page. */
  async listMembers(shard: Shard, after?: number): Promise<MemberList> {
    return this.#roster.listMembers(shard, { after, limit: MAX_LISTED_MEMBERS })
  }

  /** Members of a channel number on all nodes. */
  async countMembers(shard: Shard): Promise<number> {
    return (await this.#roster.listMembers(shard, { limit: 0 })).count
  }

  /** Releases a seat without notifying the other members. */
  async vacate(shard: Shard, holder: SeatHolder): Promise<void> {
    await this.#roster.leaveSeat(shard, holder)
  }

  /** Notifies the members also if a newer session of the player exchanged the seat for one in another channel number. */
  async leave(shard: Shard, holder: SeatHolder): Promise<void> {
    const { player } = holder
    const hasLeft = await this.#roster.leaveSeat(shard, holder)
    if (hasLeft) await this.#bus.publish(shardTopic(shard), { kind: 'player-left', shard, player })
  }

  /** Resolves when no earlier message of the player is in flight. */
  async drainMessages(playerId: string): Promise<void> {
    await this.#inFlight.get(playerId)?.catch(() => undefined)
  }

  async say(shard: Shard, sender: Sender, text: string): Promise<SayResult> {
    const ban = this.#bans.find(sender.player.id)
    if (ban !== undefined) throw new PlayerError('banned', { remainSeconds: this.#bans.remainSeconds(ban) })
    const original = this.#readText(text)
    const wait = this.#flood.spend('messages', sender.player.id)
    if (wait > 0) throw new PlayerError('message-spam', { retryAfterMs: wait })
    const checked = this.#filters.check(original, sender.language)
    const shownHits = this.#rules.showHits ? { hits: checked.hits } : {}
    if (checked.verdict === 'blocked') throw new PlayerError('message-filtered', shownHits)
    const message = await this.#appendInFlight({
      shard,
      player: sender.player,
      text: checked.text,
      original,
      language: sender.language,
      hits: checked.hits,
    })
    return { message, isFiltered: checked.verdict === 'masked', ...shownHits }
  }

  /** System messages are not filtered. */
  async sendSystemMessage(
    { channel, number, ...systemMessage }: SystemMessage,
    context: CallContext = SYSTEM_CALL,
  ): Promise<void> {
    const text = systemMessage.text.trim()
    const shards = await this.#listShards(channel, number)
    const found = shards.length > 0 ? 'announced' : 'unknown'
    const { outcome, repeated } = await this.#remember(found, context)
    if (outcome === 'unknown') throw new ChatError('channel-not-found')
    if (repeated) return
    const message = { player: undefined, text, original: text, language: undefined, hits: [] }
    await this.#systemMessages.forEach(shards, (shard) => this.#append({ shard, ...message }))
  }

  /**
   * Removes a message from clients; the log keeps it. A repeated call runs again, since the first one may have failed
   * after updating the log and before notifying clients.
   */
  async deleteMessage(id: string, context: CallContext = SYSTEM_CALL): Promise<LoggedMessage> {
    const found = (await this.#messages.find(id)) === undefined ? 'unknown' : 'known'
    const { outcome } = await this.#remember(found, context)
    const message = outcome === 'known' ? await this.#messages.delete(id) : undefined
    if (message === undefined) throw new ChatError('message-not-found')
    await this.#bus.retract(message)
    return message
  }

  /** For a repeated call, returns the outcome of the first one. */
  async #remember(outcome: string, context: CallContext) {
    if (context.idempotency === undefined) return { outcome, repeated: false }
    const { value, repeated } = await this.#store.remember(outcome, context)
    return { outcome: value, repeated }
  }

  /** A ban that takes effect meanwhile waits for the message, see `drainMessages`. */
  async #appendInFlight(draft: PlayerDraft): Promise<SequencedMessage> {
    const { id } = draft.player
    const appending = this.#append(draft)
    const others = this.#inFlight.get(id)
    const inFlight = others === undefined ? appending : Promise.allSettled([others, appending])
    this.#inFlight.set(id, inFlight)
    try {
      return await appending
    } finally {
      if (this.#inFlight.get(id) === inFlight) this.#inFlight.delete(id)
    }
  }

  async #append(draft: Draft): Promise<SequencedMessage> {
    const at = this.#clock()
    const message = await this.#bus.append({
      id: this.#ids.next(at),
      shard: draft.shard,
      player: draft.player,
      text: draft.text,
      original: draft.original,
      language: draft.language,
      hits: draft.hits,
      at,
    })
    this.#messages.add(message)
    return message
  }

  /** Returns undefined if the channel is full. */
  async #takeSeatIn(
    channel: Channel,
    holder: SeatHolder,
    { number, epoch }: { number?: number | undefined; epoch?: string | undefined } = {},
  ): Promise<Shard | undefined> {
    const request = { channel, ...holder, ...(number !== undefined && { number }) }
    let seat = await this.#roster.takeSeat(request)
    if (seat.outcome === 'unknown-number' && number !== undefined && epoch !== undefined) {
      // A matching epoch proves that the player was a member of this channel number.
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

  async #listShards(key: ChannelKey, requested: number | undefined): Promise<Shard[]> {
    const channel = this.#channels.find(key)
    if (channel === undefined) return []
    const open = await this.#channels.listNumbers(channel)
    const numbers = requested === undefined ? open : open.filter((number) => number === requested)
    return numbers.map((number) => ({ ...channelIdentity(channel), number }))
  }
}

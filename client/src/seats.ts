import type { Emitter, GapEvent, ResumedEvent } from './events.ts'
import {
  bodyOf,
  type Channel,
  type ChannelFrame,
  type ChannelRef,
  type ErrorCode,
  type Message,
  ParleyError,
  type PlayersChanged,
} from './protocol.ts'
import type { Requests } from './requests.ts'

export interface JoinRequest {
  readonly channelGroup: string
  /** Defaults to the group's FALLBACK. */
  readonly channelName?: string
  /** A specific channel number, for joining friends. */
  readonly channelId?: number
}

interface Seat extends ChannelRef {
  readonly epoch: string
  /** Sequence number of the last delivered message. */
  seq: number
  /** From the loss of the connection until the seat is resumed. */
  isSuspended: boolean
  /** Frames that preceded the reply to the join are buffered until the caller has processed the reply. */
  isBuffering: boolean
}

const MAX_EARLY_FRAMES = 1000

const EVENT_OF = {
  player_joined: 'playerJoined',
  player_left: 'playerLeft',
  channel_deleted: 'channelDeleted',
  message_deleted: 'messageDeleted',
} as const

/** Errors that do not mean the seat is unavailable. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'DISCONNECTED',
  'TIMEOUT',
  'CLOSED',
  'UNKNOWN_ERROR',
  'MESSAGE_SPAM',
])
const isRejection = (thrown: unknown) => thrown instanceof ParleyError && !TRANSIENT.has(thrown.code)

const isSameChannel = (a: ChannelRef, b: ChannelRef) =>
  a.channelGroup === b.channelGroup && a.channelName === b.channelName && a.channelId === b.channelId

/** The player's seats, one per group, and the position in each sequence. */
export class Seats {
  readonly #requests: Requests
  readonly #emitter: Emitter
  readonly #dedupeWindow: number
  readonly #seats = new Map<string, Seat>()
  /** Frames pushed before the reply that confirms their seat. */
  #earlyFrames: ChannelFrame[] = []
  readonly #seenIds = new Set<string>()

  constructor(options: { requests: Requests; emitter: Emitter; dedupeWindow: number }) {
    this.#requests = options.requests
    this.#emitter = options.emitter
    this.#dedupeWindow = options.dedupeWindow
  }

  async join({ channelGroup, channelName, channelId }: JoinRequest): Promise<Channel> {
    const reply = await this.#requests.send<Channel>({ type: 'join', channelGroup, channelName, channelId })
    const channel = this.#withoutDeleted(reply)
    const seat = this.#take(channel)
    seat.isBuffering = this.#earlyFrames.some((frame) => isSameChannel(frame, seat))
    // On the next turn of the event loop, after the caller has processed the reply.
    if (seat.isBuffering) setTimeout(() => this.#deliverEarlyFrames(seat))
    return channel
  }

  /** A seat does not outlive its connection, so an interrupted leave has succeeded. */
  async leave(channelGroup: string): Promise<void> {
    try {
      await this.#requests.send({ type: 'leave', channelGroup })
      this.#seats.delete(channelGroup)
    } catch (thrown) {
      const code = thrown instanceof ParleyError ? thrown.code : undefined
      if (code === 'DISCONNECTED' || code === 'NOT_JOIN_CHANNEL') this.#seats.delete(channelGroup)
      if (code !== 'DISCONNECTED') throw thrown
    }
  }

  move(from: ChannelRef, reply: Channel): void {
    const former = this.#seats.get(from.channelGroup)
    if (former !== undefined) this.#deliverEarlyFrames(former)
    const to = this.#withoutDeleted(reply)
    this.#occupy(to, () => this.#emitter.emit('moved', { from, to }))
  }

  /** Rejects if it must be retried on another connection. */
  async resume(): Promise<void> {
    await Promise.all(Array.from(this.#seats.values(), (seat) => this.#resume(seat)))
  }

  interrupt(): void {
    this.#earlyFrames = []
    for (const seat of this.#seats.values()) seat.isSuspended = true
  }

  clear(): void {
    this.#earlyFrames = []
    this.#seats.clear()
  }

  receive(frame: ChannelFrame): void {
    const seat = this.#seats.get(frame.channelGroup)
    if (seat === undefined || seat.isSuspended || seat.isBuffering || !isSameChannel(seat, frame)) {
      this.#earlyFrames.push(frame)
      if (this.#earlyFrames.length > MAX_EARLY_FRAMES) this.#earlyFrames.shift()
    } else if (frame.type === 'message') this.#accept(seat, bodyOf(frame))
    else if (frame.type === 'players_changed') this.#emitChanges(frame)
    else {
      if (frame.type === 'channel_deleted') this.#seats.delete(frame.channelGroup)
      this.#emitter.emit(EVENT_OF[frame.type], bodyOf(frame))
    }
  }

  #accept(seat: Seat, message: Message): void {
    if (!this.#remember(message)) return
    const isNext = message.seq === seat.seq + 1
    seat.seq = message.seq
    if (!isNext) this.#emitGap(seat, 'jump')
    this.#emitter.emit('message', message)
  }

  #emitChanges({
    joined = [],
    left = [],
    playerCount,
    channelGroup,
    channelName,
    channelId,
  }: PlayersChanged): void {
    const channel = { channelGroup, channelName, channelId }
    for (const player of joined) this.#emitter.emit('playerJoined', { ...channel, ...player })
    for (const player of left) this.#emitter.emit('playerLeft', { ...channel, ...player })
    this.#emitter.emit('playerCount', { ...channel, playerCount })
  }

  async #resume(seat: Seat): Promise<void> {
    const { channelGroup, channelName, channelId, epoch, seq } = seat
    const frame = { type: 'resume', channelGroup, channelName, channelId, epoch, seq } as const
    try {
      this.#continue(seat, this.#withoutDeleted(await this.#requests.sendEarly<ResumedEvent>(frame)))
    } catch (thrown) {
      if (!isRejection(thrown)) throw thrown
      await this.#rejoin(seat)
    }
  }

  #continue(seat: Seat, channel: ResumedEvent): void {
    if (!isSameChannel(seat, channel)) {
      this.#startOver(seat, channel)
      return
    }
    const isLater = ({ seq }: Message) => channel.epoch !== seat.epoch || seq > seat.seq
    const missed = channel.messages.filter((message) => isLater(message) && this.#remember(message))
    this.#occupy(channel, () => {
      if (!channel.recovered) this.#emitGap(seat, 'unrecovered')
      this.#emitter.emit('resumed', channel)
      for (const message of missed) this.#emitter.emit('message', message)
    })
  }

  async #rejoin(seat: Seat): Promise<void> {
    const { channelGroup, channelName } = seat
    try {
      const reply = await this.#requests.sendEarly<Channel>({ type: 'join', channelGroup, channelName })
      this.#startOver(seat, this.#withoutDeleted(reply))
    } catch (thrown) {
      if (!isRejection(thrown)) throw thrown
      this.#seats.delete(channelGroup)
      this.#emitGap(seat, 'lost')
    }
  }

  #startOver(from: ChannelRef, channel: Channel): void {
    this.#occupy(channel, () => {
      this.#emitGap(from, 'rejoined')
      this.#emitter.emit('resumed', { ...channel, recovered: false })
    })
  }

  /** A reply may contain messages whose deletion overtook it. */
  #withoutDeleted<Reply extends Channel>(reply: Reply): Reply {
    const deleted = new Set(
      this.#earlyFrames.flatMap((frame) => (frame.type === 'message_deleted' ? [frame.messageId] : [])),
    )
    return { ...reply, messages: reply.messages.filter(({ messageId }) => !deleted.has(messageId)) }
  }

  /** Calls `notify` before it delivers the early frames. */
  #occupy(channel: Channel, notify?: () => void): void {
    const seat = this.#take(channel)
    notify?.()
    this.#deliverEarlyFrames(seat)
  }

  #take({ channelGroup, channelName, channelId, epoch, seq, messages }: Channel): Seat {
    const seat = { channelGroup, channelName, channelId, epoch, seq, isSuspended: false, isBuffering: false }
    this.#seats.set(channelGroup, seat)
    this.#earlyFrames = this.#earlyFrames.filter(
      (frame) => frame.channelGroup !== channelGroup || isSameChannel(frame, seat),
    )
    for (const message of messages) this.#remember(message)
    return seat
  }

  #deliverEarlyFrames(seat: Seat): void {
    if (this.#seats.get(seat.channelGroup) !== seat || seat.isSuspended) return
    seat.isBuffering = false
    const { seq } = seat
    const early = this.#earlyFrames.filter((frame) => isSameChannel(frame, seat))
    this.#earlyFrames = this.#earlyFrames.filter((frame) => !isSameChannel(frame, seat))
    for (const frame of early) if (frame.type !== 'message' || frame.seq > seq) this.receive(frame)
  }

  /** Returns whether the message is new, and remembers its id. */
  #remember({ messageId }: Message): boolean {
    if (this.#seenIds.has(messageId)) return false
    this.#seenIds.add(messageId)
    const [oldest] = this.#seenIds
    if (this.#seenIds.size > this.#dedupeWindow && oldest !== undefined) this.#seenIds.delete(oldest)
    return true
  }

  #emitGap({ channelGroup, channelName, channelId }: ChannelRef, reason: GapEvent['reason']): void {
    this.#emitter.emit('gap', { channelGroup, channelName, channelId, reason })
  }
}

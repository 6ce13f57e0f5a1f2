import type { Emitter, Gap, Resumed } from './events.ts'
import {
  bodyOf,
  type Channel,
  type ErrorCode,
  type Message,
  ParleyError,
  type Place,
  type PlaceFrame,
} from './protocol.ts'
import type { Requests } from './requests.ts'

export interface JoinRequest {
  readonly channelGroup: string
  /** The group's FALLBACK when absent. */
  readonly channelName?: string
  /** A certain number of the channel, to sit with friends. */
  readonly channelId?: number
}

interface Seat extends Place {
  readonly epoch: string
  /** Of the last message that was delivered. */
  seq: number
  /** Since the connection was lost, until it is resumed. */
  isAway: boolean
  /** Something was pushed before the answer to the join, and whoever joined has not gone on with the answer yet. */
  isNew: boolean
}

const STRAYS_LIMIT = 1000

const EVENT_OF = {
  player_joined: 'playerJoined',
  player_left: 'playerLeft',
  channel_deleted: 'channelDeleted',
  message_deleted: 'messageDeleted',
} as const

/** Errors that say nothing about the seat that was asked for. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  'DISCONNECTED',
  'TIMEOUT',
  'CLOSED',
  'UNKNOWN_ERROR',
  'MESSAGE_SPAM',
])
const isRefusal = (thrown: unknown) => thrown instanceof ParleyError && !TRANSIENT.has(thrown.code)

const isSamePlace = (a: Place, b: Place) =>
  a.channelGroup === b.channelGroup && a.channelName === b.channelName && a.channelId === b.channelId

/** Where the player sits, one channel for each group, and how far each sequence was delivered. */
export class Seats {
  readonly #requests: Requests
  readonly #emitter: Emitter
  readonly #memory: number
  readonly #seats = new Map<string, Seat>()
  /** Pushed before the answer that gives the seat; they wait for it. */
  #strays: PlaceFrame[] = []
  readonly #seenIds = new Set<string>()

  constructor(parts: { requests: Requests; emitter: Emitter; memory: number }) {
    this.#requests = parts.requests
    this.#emitter = parts.emitter
    this.#memory = parts.memory
  }

  async join({ channelGroup, channelName, channelId }: JoinRequest): Promise<Channel> {
    const answer = await this.#requests.ask<Channel>({ type: 'join', channelGroup, channelName, channelId })
    const channel = this.#withoutDeleted(answer)
    const seat = this.#take(channel)
    seat.isNew = this.#strays.some((stray) => isSamePlace(stray, seat))
    // A turn of the loop later: by then the caller has gone on with the answer.
    if (seat.isNew) setTimeout(() => this.#deliverEarly(seat))
    return channel
  }

  /** A seat does not outlive its connection: a leave that was cut off has come true. */
  async leave(channelGroup: string): Promise<void> {
    try {
      await this.#requests.ask({ type: 'leave', channelGroup })
      this.#seats.delete(channelGroup)
    } catch (thrown) {
      const code = thrown instanceof ParleyError ? thrown.code : undefined
      if (code === 'DISCONNECTED' || code === 'NOT_JOIN_CHANNEL') this.#seats.delete(channelGroup)
      if (code !== 'DISCONNECTED') throw thrown
    }
  }

  move(from: Place, answer: Channel): void {
    const former = this.#seats.get(from.channelGroup)
    if (former !== undefined) this.#deliverEarly(former)
    const to = this.#withoutDeleted(answer)
    this.#sit(to, () => this.#emitter.emit('moved', { from, to }))
  }

  /** Rejects when it has to be tried with another connection. */
  async resume(): Promise<void> {
    await Promise.all(Array.from(this.#seats.values(), (seat) => this.#resume(seat)))
  }

  interrupt(): void {
    this.#strays = []
    for (const seat of this.#seats.values()) seat.isAway = true
  }

  clear(): void {
    this.#strays = []
    this.#seats.clear()
  }

  receive(frame: PlaceFrame): void {
    const seat = this.#seats.get(frame.channelGroup)
    if (seat === undefined || seat.isAway || seat.isNew || !isSamePlace(seat, frame)) {
      this.#strays.push(frame)
      if (this.#strays.length > STRAYS_LIMIT) this.#strays.shift()
    } else if (frame.type === 'message') this.#accept(seat, bodyOf(frame))
    else {
      if (frame.type === 'channel_deleted') this.#seats.delete(frame.channelGroup)
      this.#emitter.emit(EVENT_OF[frame.type], bodyOf(frame))
    }
  }

  #accept(seat: Seat, message: Message): void {
    if (!this.#isNew(message)) return
    const isNext = message.seq === seat.seq + 1
    seat.seq = message.seq
    if (!isNext) this.#tellGap(seat, 'jump')
    this.#emitter.emit('message', message)
  }

  async #resume(seat: Seat): Promise<void> {
    const { channelGroup, channelName, channelId, epoch, seq } = seat
    const frame = { type: 'resume', channelGroup, channelName, channelId, epoch, seq } as const
    try {
      this.#goOn(seat, this.#withoutDeleted(await this.#requests.askEarly<Resumed>(frame)))
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown
      await this.#rejoin(seat)
    }
  }

  #goOn(seat: Seat, channel: Resumed): void {
    if (!isSamePlace(seat, channel)) {
      this.#startOver(seat, channel)
      return
    }
    const isLater = ({ seq }: Message) => channel.epoch !== seat.epoch || seq > seat.seq
    const missed = channel.messages.filter((message) => isLater(message) && this.#isNew(message))
    this.#sit(channel, () => {
      if (!channel.recovered) this.#tellGap(seat, 'unrecovered')
      this.#emitter.emit('resumed', channel)
      for (const message of missed) this.#emitter.emit('message', message)
    })
  }

  async #rejoin(seat: Seat): Promise<void> {
    const { channelGroup, channelName } = seat
    try {
      const answer = await this.#requests.askEarly<Channel>({ type: 'join', channelGroup, channelName })
      this.#startOver(seat, this.#withoutDeleted(answer))
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown
      this.#seats.delete(channelGroup)
      this.#tellGap(seat, 'lost')
    }
  }

  #startOver(from: Place, channel: Channel): void {
    this.#sit(channel, () => {
      this.#tellGap(from, 'rejoined')
      this.#emitter.emit('resumed', { ...channel, recovered: false })
    })
  }

  /** An answer may hold what was deleted before it came. */
  #withoutDeleted<Answer extends Channel>(answer: Answer): Answer {
    const deleted = new Set(
      this.#strays.flatMap((stray) => (stray.type === 'message_deleted' ? [stray.messageId] : [])),
    )
    return { ...answer, messages: answer.messages.filter(({ messageId }) => !deleted.has(messageId)) }
  }

  /** `tell` comes before what was pushed meanwhile. */
  #sit(channel: Channel, tell?: () => void): void {
    const seat = this.#take(channel)
    tell?.()
    this.#deliverEarly(seat)
  }

  #take({ channelGroup, channelName, channelId, epoch, seq, messages }: Channel): Seat {
    const seat = { channelGroup, channelName, channelId, epoch, seq, isAway: false, isNew: false }
    this.#seats.set(channelGroup, seat)
    this.#strays = this.#strays.filter(
      (stray) => stray.channelGroup !== channelGroup || isSamePlace(stray, seat),
    )
    for (const message of messages) this.#isNew(message)
    return seat
  }

  /** What was pushed before the answer. */
  #deliverEarly(seat: Seat): void {
    if (this.#seats.get(seat.channelGroup) !== seat || seat.isAway) return
    seat.isNew = false
    const { seq } = seat
    const early = this.#strays.filter((stray) => isSamePlace(stray, seat))
    this.#strays = this.#strays.filter((stray) => !isSamePlace(stray, seat))
    for (const stray of early) if (stray.type !== 'message' || stray.seq > seq) this.receive(stray)
  }

  /** And remembers it. */
  #isNew({ messageId }: Message): boolean {
    if (this.#seenIds.has(messageId)) return false
    this.#seenIds.add(messageId)
    const [oldest] = this.#seenIds
    if (this.#seenIds.size > this.#memory && oldest !== undefined) this.#seenIds.delete(oldest)
    return true
  }

  #tellGap({ channelGroup, channelName, channelId }: Place, reason: Gap['reason']): void {
    this.#emitter.emit('gap', { channelGroup, channelName, channelId, reason })
  }
}

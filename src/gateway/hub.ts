import type { App } from '../core/app.ts'
import type { Bus } from '../core/bus.ts'
import type { Clock } from '../core/clock.ts'
import { type Change, type ChatEvent, playerTopic, shardTopic, type Topic } from '../core/events.ts'
import type { ChannelKey, Player, Shard } from '../core/model.ts'
import type { Roster } from '../core/roster.ts'
import type { Metrics } from '../metrics.ts'
import { Crowd, type Passage } from './crowd.ts'
import { answers, pushes } from './frames.ts'
import { Outbox, type Publish } from './outbox.ts'
import { type CloseReason, GatewayError } from './protocol.ts'

/** A connection, as a session sees it. */
export interface Socket {
  /** False when the reader is so far behind that the text was dropped. */
  send(text: string): boolean
  close(code: number, reason: string): void
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Bytes that the reader has not taken yet. */
  bufferedBytes(): number
}

/** What the hub needs of a session. */
export interface HubSession {
  readonly id: string
  push(text: string): void
  close(reason: CloseReason): void
  seatIn(channel: ChannelKey): Shard | undefined
  displaced(from: Shard): void
}

export interface HubParts {
  readonly app: App
  readonly bus: Bus
  readonly roster: Roster
  readonly clock: Clock
  readonly publish: Publish
  readonly metrics: Metrics
}

/** Above so many local members comings and goings are told once a second. */
const BIG_CHANNEL = 100

/** The sessions of this node: brings them what happens anywhere. */
export class Hub {
  readonly #parts: HubParts
  readonly #outbox: Outbox
  readonly #crowd = new Crowd()
  readonly #byPlayer = new Map<string, Set<HubSession>>()
  /** How many local sockets hear a topic. */
  readonly #listeners = new Map<Topic, number>()
  /** Players with a session here that were told of a ban, and when it ends. */
  readonly #banned = new Map<string, number>()

  constructor(parts: HubParts) {
    this.#parts = parts
    this.#outbox = new Outbox((topic, text) => {
      parts.metrics.countDeliveries(this.#listeners.get(topic) ?? 0)
      parts.publish(topic, text)
    })
    parts.app.watch({ changed: (change) => this.#changed(change), reloaded: () => this.#reloaded() })
  }

  get players(): number {
    return this.#byPlayer.size
  }

  /** A session has shown who it is. Others of the same player, on any node, give way. */
  async add(session: HubSession, { id }: Player): Promise<void> {
    const sessions = this.#byPlayer.get(id) ?? new Set()
    this.#byPlayer.set(id, sessions.add(session))
    if (sessions.size === 1) await this.#parts.bus.subscribe(playerTopic(id))
    await this.#parts.bus.publish(playerTopic(id), {
      kind: 'session-opened',
      playerId: id,
      sessionId: session.id,
    })
    const ban = this.#parts.app.bans.find(id)
    if (ban !== undefined) this.#banned.set(id, ban.endsAt)
  }

  async remove(session: HubSession, { id }: Player): Promise<void> {
    const sessions = this.#byPlayer.get(id)
    sessions?.delete(session)
    if (sessions === undefined || sessions.size > 0) return
    this.#byPlayer.delete(id)
    this.#banned.delete(id)
    await this.#parts.bus.unsubscribe(playerTopic(id))
  }

  async subscribe(socket: Socket, shard: Shard): Promise<void> {
    const topic = shardTopic(shard)
    const listeners = this.#listeners.get(topic) ?? 0
    this.#listeners.set(topic, listeners + 1)
    socket.subscribe(topic)
    if (listeners === 0) await this.#parts.bus.subscribe(topic)
  }

  /** Resolves when what was delivered to the number before is on its way to its sockets. */
  async settled(shard: Shard): Promise<void> {
    await this.#outbox.settled(shardTopic(shard))
  }

  async unsubscribe(socket: Socket, shard: Shard): Promise<void> {
    const topic = shardTopic(shard)
    const listeners = this.#listeners.get(topic) ?? 0
    socket.unsubscribe(topic)
    if (listeners > 1) {
      this.#listeners.set(topic, listeners - 1)
      return
    }
    this.#listeners.delete(topic)
    await this.#parts.bus.unsubscribe(topic)
  }

  /** Called by the bus. Encoded once, whatever the number of readers. */
  deliver(topic: Topic, event: ChatEvent): void {
    switch (event.kind) {
      case 'message':
        this.#outbox.send(topic, pushes.message(event.message))
        break
      case 'message-deleted':
        this.#outbox.send(topic, pushes.messageDeleted(event.shard, event.messageId))
        break
      case 'player-joined':
      case 'player-left':
        if ((this.#listeners.get(topic) ?? 0) > BIG_CHANNEL) this.#crowd.hold(topic, event)
        else this.#tellPassage(topic, event)
        break
      case 'session-opened':
        for (const session of this.#sessionsOf(event.playerId)) {
          if (session.id === event.sessionId) continue
          session.push(answers.error(null, new GatewayError('replaced')))
          session.close('replaced')
        }
        break
    }
  }

  /** Once a second: bans that have ended are told, and who came to big channels. */
  tick(): void {
    for (const [topic, passage] of this.#crowd.release()) this.#tellPassage(topic, passage)
    const now = this.#parts.clock()
    for (const [playerId, endsAt] of this.#banned) {
      if (endsAt > now) continue
      this.#banned.delete(playerId)
      for (const session of this.#sessionsOf(playerId)) session.push(pushes.banLifted())
    }
  }

  /** Every ten seconds: the seats of this node are still taken. */
  async keepSeats(): Promise<void> {
    const sessions = [...this.#byPlayer.values()].flatMap((each) => Array.from(each, ({ id }) => id))
    await this.#parts.roster.keepSeats(sessions)
  }

  goAway(reconnectWithinMs: number): void {
    for (const sessions of this.#byPlayer.values()) {
      for (const session of sessions) {
        session.push(pushes.goingAway(Math.floor(Math.random() * reconnectWithinMs)))
        session.close('draining')
      }
    }
  }

  close(): void {
    this.#outbox.close()
  }

  #tellPassage(topic: Topic, { kind, shard, player }: Passage): void {
    const push = kind === 'player-joined' ? pushes.playerJoined : pushes.playerLeft
    this.#outbox.send(topic, push(shard, player))
  }

  #sessionsOf(playerId: string): Iterable<HubSession> {
    return this.#byPlayer.get(playerId) ?? []
  }

  #changed(change: Change): void {
    switch (change.kind) {
      case 'ban-set':
        this.#tellBan(change.ban.playerId)
        break
      case 'ban-lifted':
        if (!this.#banned.delete(change.playerId)) break
        for (const session of this.#sessionsOf(change.playerId)) session.push(pushes.banLifted())
        break
      case 'channel-deleted':
        for (const sessions of this.#byPlayer.values()) {
          for (const session of sessions) {
            const seat = session.seatIn(change.key)
            if (seat !== undefined) session.displaced(seat)
          }
        }
        break
      case 'channel-set':
      case 'filter-list-set':
        break
    }
  }

  #reloaded(): void {
    for (const playerId of this.#byPlayer.keys()) this.#tellBan(playerId)
  }

  #tellBan(playerId: string): void {
    const { bans } = this.#parts.app
    const ban = bans.find(playerId)
    if (ban === undefined || !this.#byPlayer.has(playerId)) return
    this.#banned.set(playerId, ban.endsAt)
    for (const session of this.#sessionsOf(playerId))
      session.push(pushes.banned(ban, bans.remainSeconds(ban)))
  }
}

import type { App } from '../core/app.ts'
import { type Change, type ChatEvent, playerTopic, shardTopic, type Topic } from '../core/events.ts'
import type { ChatMessage, Player, Shard } from '../core/model.ts'
import type { Bus } from '../core/ports/bus.ts'
import { type Clock, monotonicClock } from '../core/ports/clock.ts'
import { TimeSlice } from '../core/time-slice.ts'
import { type Logger, ThrottledLog } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { BanNotifier } from './ban-notifier.ts'
import { MessageEncoder, pushes, replies } from './frames.ts'
import { LocalMembers } from './local-members.ts'
import { Outbox, type Publish } from './outbox.ts'
import { PresenceBatcher, type PresenceEvent } from './presence-batcher.ts'
import { type CloseReason, GatewayError } from './protocol.ts'
import { Subscriptions } from './subscriptions.ts'

/** `unread`: the client has bytes to read first. `dropped`: the send buffer is full. */
export type SendOutcome = 'sent' | 'unread' | 'dropped'

/** The connection under a session. */
export interface Socket {
  send(text: string): SendOutcome
  close(code: number, reason: string): void
  subscribe(topic: string): void
  unsubscribe(topic: string): void
  /** Bytes the client has not read yet. */
  bufferedBytes(): number
}

/** The part of a session that the hub uses. */
export interface HubSession {
  readonly id: string
  readonly socket: Socket
  push(text: string): void
  close(reason: CloseReason): void
  /** Called when the channel of a seat was deleted. Idempotent. */
  displace(from: Shard): void
}

export interface HubDependencies {
  readonly app: Pick<App, 'watch'> & {
    readonly bans: Pick<App['bans'], 'find' | 'remainSeconds'>
    readonly channels: Pick<App['channels'], 'isCurrent'>
    readonly chat: Pick<App['chat'], 'countMembers'>
  }
  readonly bus: Pick<Bus, 'publish' | 'subscribe' | 'unsubscribe'>
  readonly clock: Clock
  readonly publish: Publish
  readonly metrics: Pick<Metrics, 'countDeliveries'>
  readonly log: Logger
  readonly loop: { readonly lagMs: number }
}

/** Above this many members on this node, joins and leaves are batched once a second. */
const LARGE_CHANNEL = 100

/** A displacement joins another channel after its slice of time is over, so their number is limited instead. */
const DISPLACEMENTS_PER_TURN = 20

/** Delivers the events of all nodes to the sessions of this node. */
export class Hub {
  readonly #dependencies: HubDependencies
  readonly #outbox: Outbox
  readonly #messages = new MessageEncoder()
  readonly #presence: PresenceBatcher
  readonly #byPlayer = new Map<string, Set<HubSession>>()
  readonly #members = new LocalMembers<HubSession>()
  readonly #subscriptions: Subscriptions
  readonly #bans: BanNotifier

  constructor(dependencies: HubDependencies) {
    this.#dependencies = dependencies
    this.#subscriptions = new Subscriptions(dependencies.bus)
    this.#outbox = new Outbox({
      publish: (audience, text) => {
        dependencies.metrics.countDeliveries(this.#members.audienceSize(audience))
        dependencies.publish(audience, text)
      },
      countRecipients: (audience) => this.#members.audienceSize(audience),
      loop: dependencies.loop,
      clock: monotonicClock,
    })
    this.#bans = new BanNotifier({
      bans: dependencies.app.bans,
      clock: dependencies.clock,
      sessionsOf: (playerId) => this.#byPlayer.get(playerId),
    })
    const log = new ThrottledLog(dependencies.log)
    this.#presence = new PresenceBatcher({
      countMembers: (shard) => dependencies.app.chat.countMembers(shard),
      send: (topic, change) => this.#broadcast(topic, pushes.playersChanged(change)),
      onError: (err) => log.warn('cannot count the members of a channel number', err),
    })
    dependencies.app.watch({
      changed: (change) => this.#changed(change),
      reloaded: () => this.#reloaded(),
    })
  }

  /** Sessions that receive what is published to an audience. */
  membersOf(audience: Topic): Iterable<HubSession> {
    return this.#members.ofAudience(audience)
  }

  /** How long broadcasts of a channel are coalesced. */
  get windowMs(): number {
    return this.#outbox.windowMs
  }

  get players(): number {
    return this.#byPlayer.size
  }

  /** Registers an authenticated session and closes the player's other sessions on every node. On rejection nothing is registered. */
  async add(session: HubSession, player: Player): Promise<void> {
    const { id } = player
    const topic = playerTopic(id)
    await this.#subscriptions.acquire(topic)
    const sessions = this.#byPlayer.get(id) ?? new Set()
    this.#byPlayer.set(id, sessions.add(session))
    try {
      await this.#dependencies.bus.publish(topic, {
        kind: 'session-opened',
        playerId: id,
        sessionId: session.id,
      })
    } catch (thrown) {
      await this.remove(session, player)
      throw thrown
    }
    this.#bans.add(id)
  }

  async remove(session: HubSession, { id }: Player): Promise<void> {
    const sessions = this.#byPlayer.get(id)
    if (sessions === undefined || !sessions.delete(session)) return
    if (sessions.size === 0) {
      this.#byPlayer.delete(id)
      this.#bans.remove(id)
    }
    await this.#subscriptions.release(playerTopic(id))
  }

  /** Resolves once every later event of the channel number reaches the session. Displaces it if the channel was deleted. */
  async subscribe(session: HubSession, shard: Shard): Promise<void> {
    const topic = shardTopic(shard)
    const audience = this.#members.add(session, shard)
    session.socket.subscribe(audience)
    this.#displaceIfDeleted(session, shard)
    try {
      await this.#subscriptions.acquire(topic)
    } catch (thrown) {
      this.#members.remove(session, shard)
      session.socket.unsubscribe(audience)
      throw thrown
    }
  }

  /** Sends a reply together with the next broadcast of the channel number, for replies that must not cost a send. */
  replyWithBroadcast(session: HubSession, shard: Shard, text: string): void {
    const audience = this.#members.audienceOf(session, shard)
    if (audience === undefined) session.push(text)
    else this.#outbox.reply(audience, session, text)
  }

  /** Resolves once everything delivered to the channel number so far was handed to the session's socket. */
  async whenFlushed(session: HubSession, shard: Shard): Promise<void> {
    const audience = this.#members.audienceOf(session, shard)
    if (audience !== undefined) await this.#outbox.whenFlushed(audience)
  }

  async unsubscribe(session: HubSession, shard: Shard): Promise<void> {
    const audience = this.#members.remove(session, shard)
    if (audience === undefined) return
    session.socket.unsubscribe(audience)
    await this.#subscriptions.release(shardTopic(shard))
  }

  /** Called by the bus. Encodes each event once, whatever the number of recipients. */
  deliver(topic: Topic, event: ChatEvent): void {
    switch (event.kind) {
      case 'message':
        // In flight when the ban was set: once a ban is active, none of the player's messages may be delivered.
        if (this.#isFromBannedPlayer(event.message)) break
        this.#broadcast(topic, this.#messages.encode(event.message), event.message.player?.id)
        break
      case 'message-deleted':
        this.#broadcast(topic, pushes.messageDeleted(event.shard, event.messageId))
        break
      case 'player-joined':
      case 'player-left':
        this.#deliverPresence(topic, event)
        break
      case 'session-opened':
        for (const session of this.#sessionsOf(event.playerId)) {
          if (session.id === event.sessionId) continue
          session.push(replies.error(null, new GatewayError('replaced')))
          session.close('replaced')
        }
        break
    }
  }

  /** Called once a second: sends batched presence and notifies players whose ban expired. */
  tick(): void {
    void this.#presence.flush()
    void this.#bans.notifyEnded()
  }

  close(): void {
    this.#outbox.close()
  }

  #deliverPresence(topic: Topic, event: PresenceEvent): void {
    const members = this.#members.size(topic)
    if (members > LARGE_CHANNEL || this.#presence.has(topic)) {
      this.#presence.add(topic, event, members)
      return
    }
    const { kind, shard, player } = event
    const push = kind === 'player-joined' ? pushes.playerJoined : pushes.playerLeft
    this.#broadcast(topic, push(shard, player))
  }

  #broadcast(topic: Topic, text: string, senderId?: string): void {
    for (const audience of this.#members.audiences(topic)) this.#outbox.send(audience, text, senderId)
  }

  #sessionsOf(playerId: string): Iterable<HubSession> {
    return this.#byPlayer.get(playerId) ?? []
  }

  #changed(change: Change): void {
    switch (change.kind) {
      case 'ban-set':
        // Messages sent before the ban must arrive before the ban is acknowledged, not after.
        this.#outbox.flushFor(change.ban.playerId)
        this.#bans.notify(change.ban.playerId)
        break
      case 'ban-lifted':
        this.#bans.notifyLifted(change.playerId)
        break
      case 'channel-deleted':
        void this.#displaceDeleted(this.#members.ofChannel(change.key))
        break
      case 'channel-set':
      case 'filter-list-set':
        break
    }
  }

  /** Called after changes were missed: reconciles the sessions with the current bans and channels. */
  #reloaded(): void {
    void this.#displaceDeleted(this.#members.all())
    void this.#bans.reconcile(this.#byPlayer.keys())
  }

  /** Displaces those whose channel was deleted, some in each turn of the event loop. */
  async #displaceDeleted(members: Iterable<[HubSession, Shard]>): Promise<void> {
    const slice = new TimeSlice()
    let displaced = 0
    for (const [session, shard] of members) {
      if (slice.isOver || displaced === DISPLACEMENTS_PER_TURN) {
        await slice.renew()
        displaced = 0
      }
      if (this.#displaceIfDeleted(session, shard)) displaced++
    }
  }

  #displaceIfDeleted(session: HubSession, shard: Shard): boolean {
    const isDeleted = !this.#dependencies.app.channels.isCurrent(shard)
    if (isDeleted) session.displace(shard)
    return isDeleted
  }

  #isFromBannedPlayer({ player }: ChatMessage): boolean {
    return player !== undefined && this.#dependencies.app.bans.find(player.id) !== undefined
  }
}

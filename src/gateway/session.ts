import { PlayerError } from '../core/errors.ts'
import type { FloodRules } from '../core/flood.ts'
import type { Player, Shard } from '../core/model.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { banFields, replies } from './frames.ts'
import type { HubSession, Socket } from './hub.ts'
import {
  CLOSE,
  type ClientFrame,
  type CloseReason,
  decodeFrame,
  decodeId,
  FrameError,
  type FrameId,
  GatewayError,
  isClientError,
} from './protocol.ts'
import { SessionSeats, type SessionSeatsOptions } from './session-seats.ts'
import type { PlayerTokens } from './tokens.ts'

export interface SessionOptions extends SessionSeatsOptions {
  readonly tokens: PlayerTokens
  readonly log: Logger
  readonly metrics: Metrics
  readonly languages: LanguageRules
}

export interface LanguageRules {
  readonly default: string
  /** The client's language takes precedence over the token's. */
  readonly isClientFirst: boolean
}

type State =
  | { readonly phase: 'awaiting-connect' }
  | {
      readonly phase: 'connected'
      readonly player: Player
      readonly language: string
      readonly seats: SessionSeats
    }
  | { readonly phase: 'closed' }

type Connected = Extract<State, { phase: 'connected' }>
type Frame<T extends ClientFrame['type']> = Extract<ClientFrame, { type: T }>

/** Frames of one connection that may be queued. */
const MAX_QUEUED_FRAMES = 64
/** Turn units of a join, beyond those of any frame. */
const JOIN_UNITS = 2
const BUSY = new GatewayError('busy')
/** Frames that a connection may send before it authenticates. */
const MAX_UNAUTHENTICATED_FRAMES = 12

export interface SessionStart {
  readonly id: string
  readonly socket: Socket
  readonly listener: SessionListener
}

export interface SessionListener {
  /** The player is authenticated. */
  connected(session: Session): void
  /** The client could not take a frame immediately. */
  unread(session: Session): void
}

/** One player connection: its state and its requests, handled in order. */
export class Session implements HubSession {
  readonly id: string
  readonly #socket: Socket
  readonly #listener: SessionListener
  readonly #options: SessionOptions
  #state: State = { phase: 'awaiting-connect' }
  /** Those being handled first, oldest first. */
  readonly #tasks: (string | (() => Promise<void>))[] = []
  /** Resolves when all tasks are done. */
  #work: Promise<void> = Promise.resolve()
  #unauthenticatedFrames = 0
  #isClosing = false
  /** Whether the connection is closed. */
  #isGone = false

  constructor({ id, socket, listener }: SessionStart, options: SessionOptions) {
    this.id = id
    this.#socket = socket
    this.#listener = listener
    this.#options = options
  }

  get player(): Player | undefined {
    return this.#state.phase === 'connected' ? this.#state.player : undefined
  }

  get isAwaitingConnect(): boolean {
    return this.#state.phase === 'awaiting-connect'
  }

  get socket(): Socket {
    return this.#socket
  }

  push(text: string): void {
    const outcome = this.#socket.send(text)
    if (outcome === 'unread') this.#listener.unread(this)
    else if (outcome === 'dropped') this.close('slow')
  }

  /** Handles frames one at a time, so that replies keep the order of the requests. */
  receive(text: string): void {
    if (this.#isClosing) return
    if (this.#tasks.length >= MAX_QUEUED_FRAMES) {
      this.close('protocol')
      return
    }
    this.#enqueue(text)
  }

  /** A task is a frame, or a displacement that must not overtake the frames before it. */
  #enqueue(task: string | (() => Promise<void>)): void {
    this.#tasks.push(task)
    if (this.#tasks.length === 1) this.#work = this.#run()
  }

  async #run(): Promise<void> {
    for (let task = this.#tasks[0]; task !== undefined; task = this.#tasks[0]) {
      try {
        await (typeof task === 'string' ? this.#handle(task) : task())
      } catch (err) {
        this.#options.log.error({ err, sessionId: this.id }, 'session failed')
      }
      this.#tasks.shift()
    }
  }

  close(reason: CloseReason): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#options.metrics.countDisconnect(reason)
    this.#socket.close(CLOSE[reason], reason)
  }

  /** Called after the connection closed: gives up the seats. */
  async cleanUp(): Promise<void> {
    this.#isGone = true
    await this.#work
    const state = this.#state
    this.#state = { phase: 'closed' }
    if (state.phase !== 'connected') return
    await this.#options.hub.remove(this, state.player)
    await state.seats.leaveAll()
  }

  displace(from: Shard): void {
    this.#enqueue(async () => {
      if (this.#state.phase === 'connected' && !this.#isGone) await this.#state.seats.displace(from)
    })
  }

  async #handle(text: string): Promise<void> {
    if (this.#state.phase === 'closed') return
    let id: FrameId = null
    try {
      const wait = this.#spendFrame()
      // Frames queued when the server closed the connection are dropped.
      if (this.#isClosing) return
      if (wait > 0) id = decodeId(text)
      throwIfLimited(wait)
      const frame = decodeFrame(text)
      id = frame.id
      if (frame.type === 'say' && this.#options.turns.isOverloaded) {
        this.#rejectMessage(frame)
        return
      }
      const turn = this.#options.turns.enter()
      if (turn !== undefined) await turn
      const reply = await this.#dispatch(frame)
      if (reply !== undefined) this.push(reply)
    } catch (thrown) {
      if (!isClientError(thrown))
        this.#options.log.error({ err: thrown, sessionId: this.id }, 'failed to handle a frame')
      this.#sendError(thrown instanceof FrameError ? thrown.id : id, thrown)
    }
  }

  /** Costs far less than the message: the reply is sent with the next broadcast. */
  #rejectMessage({ id, group }: Frame<'say'>): void {
    if (this.#state.phase !== 'connected') throw new GatewayError('not-connected')
    const { hub, metrics } = this.#options
    metrics.countMessage('busy')
    hub.replyWithBroadcast(this, this.#state.seats.in(group), replies.error(id, BUSY))
  }

  /** Charges every frame, valid or not. Returns the milliseconds until the next one is allowed. */
  #spendFrame(): number {
    if (this.#state.phase === 'connected') return this.#spend('frames', this.#state.player)
    this.#unauthenticatedFrames++
    if (this.#unauthenticatedFrames > MAX_UNAUTHENTICATED_FRAMES) this.close('protocol')
    return 0
  }

  #spend(budget: keyof FloodRules, { id }: Player): number {
    return this.#options.app.flood.spend(budget, id)
  }

  /** Closes a client that keeps sending over the limit: without that, the cost of rejecting it would be unbounded. */
  #sendError(id: FrameId, thrown: unknown): void {
    this.push(replies.error(id, thrown))
    const isFlooding = thrown instanceof PlayerError && thrown.details.retryAfterMs !== undefined
    if (isFlooding && this.player !== undefined && this.#spend('rejections', this.player) > 0)
      this.close('flooding')
  }

  async #dispatch(frame: ClientFrame): Promise<string | undefined> {
    if (frame.type === 'ping') return replies.pong(frame.id)
    const state = this.#state
    if (state.phase !== 'connected') {
      if (frame.type === 'connect') return this.#connect(frame)
      throw new GatewayError('not-connected')
    }
    const { player, seats } = state
    const deleted = 'group' in frame && frame.type !== 'leave' ? seats.findDeleted(frame.group) : undefined
    if (deleted !== undefined) await seats.displace(deleted)
    switch (frame.type) {
      case 'connect':
        throw new FrameError(frame.id, 'type')
      case 'join':
        throwIfLimited(this.#spend('moves', player))
        this.#options.turns.charge(JOIN_UNITS)
        return seats.join(frame)
      case 'resume':
        throwIfLimited(this.#spend('moves', player))
        this.#options.turns.charge(JOIN_UNITS)
        return seats.resume(frame)
      case 'leave':
        throwIfLimited(this.#spend('moves', player))
        return seats.leave(frame)
      case 'players':
        return seats.listPlayers(frame)
      case 'say':
        return this.#say(frame, state)
      case 'report':
        return replies.reported(frame.id, await this.#options.app.reports.file(player, frame))
    }
  }

  async #connect({ id, token, language: requested }: Frame<'connect'>): Promise<string | undefined> {
    const { app, hub, tokens, languages } = this.#options
    const identity = await tokens.verify(token)
    if (identity === undefined) return this.#reject(id, new GatewayError('bad-token'), 'bad-token')
    const { player } = identity
    const wait = app.flood.lockoutMs(player.id) || this.#spend('moves', player)
    if (wait > 0) return this.#reject(id, new PlayerError('message-spam', { retryAfterMs: wait }), 'flooding')
    const [first, second] = languages.isClientFirst
      ? [requested, identity.language]
      : [identity.language, requested]
    const language = first ?? second ?? languages.default
    await hub.add(this, player)
    this.#state = {
      phase: 'connected',
      player,
      language,
      seats: new SessionSeats(this, player, this.#options),
    }
    this.#listener.connected(this)
    const ban = app.bans.find(player.id)
    const banDetails = ban === undefined ? null : banFields(ban, app.bans.remainSeconds(ban))
    return replies.connected(id, { id: this.id, player, language, ban: banDetails })
  }

  #reject(id: FrameId, error: Error, reason: CloseReason): undefined {
    this.push(replies.error(id, error))
    this.close(reason)
  }

  async #say({ id, group, text }: Frame<'say'>, state: Connected): Promise<string> {
    const { app, metrics } = this.#options
    const startedAt = performance.now()
    try {
      const said = await app.chat.say(state.seats.in(group), state, text)
      metrics.countMessage(said.isFiltered ? 'masked' : 'delivered')
      metrics.observeDelivery((performance.now() - startedAt) / 1000)
      return replies.said(id, said)
    } catch (thrown) {
      metrics.countMessage(thrown instanceof PlayerError ? thrown.kind : 'failed')
      throw thrown
    }
  }
}

function throwIfLimited(waitMs: number): void {
  if (waitMs > 0) throw new PlayerError('message-spam', { retryAfterMs: waitMs })
}

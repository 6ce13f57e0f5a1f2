import type { App } from '../core/app.ts'
import type { Recent } from '../core/bus.ts'
import type { Clock } from '../core/clock.ts'
import { PlayerError } from '../core/errors.ts'
import { FloodGate, type FloodRules } from '../core/flood.ts'
import type { Player, Shard } from '../core/model.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { answers, banFields, pushes } from './frames.ts'
import type { Hub, HubSession, Socket } from './hub.ts'
import {
  CLOSE,
  type ClientFrame,
  type CloseReason,
  decodeFrame,
  FrameError,
  GatewayError,
  isRefusal,
} from './protocol.ts'
import type { PlayerTokens } from './tokens.ts'

export interface SessionParts {
  readonly app: App
  readonly hub: Hub
  readonly tokens: PlayerTokens
  /** Monotonic: what it measures must not follow a step of the date. */
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: Metrics
  readonly flood: FloodRules | undefined
  readonly languages: LanguageRules
}

export interface LanguageRules {
  readonly default: string
  /** The client's language counts even where the token has one. */
  readonly isClientFirst: boolean
}

type State =
  | { readonly phase: 'awaiting-connect' }
  | {
      readonly phase: 'connected'
      readonly player: Player
      readonly language: string
      readonly flood: FloodGate | undefined
      /** By group: one seat in each. */
      readonly seats: Map<string, Shard>
    }
  | { readonly phase: 'closed' }

type Connected = Extract<State, { phase: 'connected' }>
type Frame<T extends ClientFrame['type']> = Extract<ClientFrame, { type: T }>

/** Frames of one connection that may wait for their turn. */
const MAX_WAITING = 64

/** One connection of a player: what it may ask for, in which state, in the order it asks. */
export class Session implements HubSession {
  readonly id: string
  readonly #socket: Socket
  readonly #parts: SessionParts
  #state: State = { phase: 'awaiting-connect' }
  #work: Promise<void> = Promise.resolve()
  #waiting = 0
  #isCut = false

  constructor(id: string, socket: Socket, parts: SessionParts) {
    this.id = id
    this.#socket = socket
    this.#parts = parts
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

  get bufferedBytes(): number {
    return this.#socket.bufferedBytes()
  }

  push(text: string): void {
    if (!this.#socket.send(text)) this.close('slow')
  }

  /** Frames are worked off one after the other, so answers come in the order of the questions. */
  receive(text: string): void {
    if (this.#waiting >= MAX_WAITING) {
      this.close('protocol')
      return
    }
    this.#waiting++
    this.#enqueue(() => this.#handle(text).finally(() => this.#waiting--))
  }

  #enqueue(task: () => Promise<void>): void {
    this.#work = this.#work.then(task).catch((err: unknown) => {
      this.#parts.log.error({ err, sessionId: this.id }, 'session failed')
    })
  }

  close(reason: CloseReason): void {
    if (this.#isCut) return
    this.#isCut = true
    this.#parts.metrics.countCut(reason)
    this.#socket.close(CLOSE[reason], reason)
  }

  /** The connection is gone: gives up the seats. */
  async ended(): Promise<void> {
    await this.#work
    const state = this.#state
    this.#state = { phase: 'closed' }
    if (state.phase !== 'connected') return
    await this.#parts.hub.remove(this, state.player)
    for (const shard of state.seats.values()) await this.#stand(shard, state)
  }

  /** Its channel is gone: sits down in the group's FALLBACK where there is one. */
  displaced(from: Shard): void {
    this.#enqueue(() => this.#displace(from))
  }

  async #displace(from: Shard): Promise<void> {
    const state = this.#state
    if (state.phase !== 'connected' || state.seats.get(from.group) !== from) return
    state.seats.delete(from.group)
    this.push(pushes.channelDeleted(from))
    await this.#parts.hub.unsubscribe(this, from)
    const { chat } = this.#parts.app
    await chat.vacate(from, this.#joiner(state))
    try {
      const shard = await chat.takeSeat(
        { group: from.group, name: undefined, number: undefined },
        this.#joiner(state),
      )
      const arrival = await this.#sitDown(shard, state)
      this.push(pushes.moved(from, shard))
      this.push(answers.joined(null, { ...arrival, ...newest(arrival.recent) }))
    } catch (thrown) {
      if (!(thrown instanceof PlayerError)) throw thrown
    }
  }

  async #handle(text: string): Promise<void> {
    if (this.#state.phase === 'closed') return
    let frame: ClientFrame | undefined
    try {
      frame = decodeFrame(text)
      const answer = await this.#answer(frame)
      if (answer !== undefined) this.push(answer)
    } catch (thrown) {
      if (!isRefusal(thrown)) this.#parts.log.error({ err: thrown, sessionId: this.id }, 'frame failed')
      this.push(answers.error(thrown instanceof FrameError ? thrown.id : (frame?.id ?? null), thrown))
    }
  }

  async #answer(frame: ClientFrame): Promise<string | undefined> {
    if (frame.type === 'ping') return answers.pong(frame.id)
    const state = this.#state
    if (state.phase !== 'connected') {
      if (frame.type === 'connect') return this.#connect(frame)
      throw new GatewayError('not-connected')
    }
    switch (frame.type) {
      case 'connect':
        throw new FrameError(frame.id, 'type')
      case 'join':
        return this.#join(frame, state)
      case 'resume':
        return this.#resume(frame, state)
      case 'leave':
        return this.#leave(frame, state)
      case 'say':
        return this.#say(frame, state)
      case 'report': {
        const id = await this.#parts.app.reports.file(state.player, frame)
        return answers.reported(frame.id, id)
      }
    }
  }

  async #connect({ id, token, language: wished }: Frame<'connect'>): Promise<string | undefined> {
    const { app, hub, tokens, flood, clock, languages } = this.#parts
    const identity = await tokens.verify(token)
    if (identity === undefined) {
      this.push(answers.error(id, new GatewayError('bad-token')))
      this.close('bad-token')
      return undefined
    }
    const { player } = identity
    const [first, second] = languages.isClientFirst
      ? [wished, identity.language]
      : [identity.language, wished]
    const language = first ?? second ?? languages.default
    const gate = flood && new FloodGate(flood, clock)
    await hub.add(this, player)
    this.#state = { phase: 'connected', player, language, flood: gate, seats: new Map() }
    const ban = app.bans.find(player.id)
    const shown = ban === undefined ? null : banFields(ban, app.bans.remainSeconds(ban))
    return answers.connected(id, { id: this.id, player, language, ban: shown })
  }

  async #join({ id, group, name, number }: Frame<'join'>, state: Connected): Promise<string> {
    if (state.seats.has(group)) throw new PlayerError('joined-already')
    const shard = await this.#parts.app.chat.takeSeat({ group, name, number }, this.#joiner(state))
    const arrival = await this.#sitDown(shard, state)
    return answers.joined(id, { ...arrival, ...newest(arrival.recent) })
  }

  /** Sits down in the same number, and says whether everything since `seq` is still there. */
  async #resume({ id, group, name, number, epoch, seq }: Frame<'resume'>, state: Connected): Promise<string> {
    if (state.seats.has(group)) throw new PlayerError('joined-already')
    const shard = await this.#parts.app.chat.takeSeat(
      { group, name, number, isResumed: true },
      this.#joiner(state),
    )
    const arrival = await this.#sitDown(shard, state)
    const isSame = shard.name === name && shard.number === number
    // Who was away has not heard that what is on the screen was deleted.
    if (isSame) for (const each of arrival.recent.retracted) this.push(pushes.messageDeleted(shard, each))
    return answers.joined(id, {
      ...arrival,
      ...(isSame ? missed(arrival.recent, epoch, seq) : { ...newest(arrival.recent), recovered: false }),
    })
  }

  async #leave({ id, group }: Frame<'leave'>, state: Connected): Promise<string> {
    const shard = state.seats.get(group)
    if (shard === undefined) throw new PlayerError('not-joined')
    state.seats.delete(group)
    await this.#stand(shard, state)
    return answers.left(id, group)
  }

  async #say({ id, group, text }: Frame<'say'>, state: Connected): Promise<string> {
    const { app, metrics } = this.#parts
    const startedAt = performance.now()
    try {
      const shard = state.seats.get(group)
      if (shard === undefined) throw new PlayerError('not-joined')
      const said = await app.chat.say(shard, state, text)
      metrics.countMessage(said.isFiltered ? 'masked' : 'delivered')
      metrics.observeDelivery((performance.now() - startedAt) / 1000)
      return answers.said(id, said)
    } catch (thrown) {
      metrics.countMessage(thrown instanceof PlayerError ? thrown.kind : 'failed')
      throw thrown
    }
  }

  /** Subscribes before it asks how things stand, so that nothing falls between. */
  async #sitDown(shard: Shard, state: Connected) {
    const { hub, app } = this.#parts
    state.seats.set(shard.group, shard)
    try {
      await hub.subscribe(this, shard)
      const arrival = await app.chat.arrive(shard, state.player)
      // Pushes of messages that the answer has too go out before it, never after.
      await hub.settled(shard)
      return arrival
    } catch (thrown) {
      state.seats.delete(shard.group)
      await hub.unsubscribe(this, shard)
      await app.chat.vacate(shard, this.#joiner(state))
      throw thrown
    }
  }

  async #stand(shard: Shard, state: Connected): Promise<void> {
    await this.#parts.hub.unsubscribe(this, shard)
    await this.#parts.app.chat.leave(shard, this.#joiner(state))
  }

  #joiner({ player }: Connected) {
    return { player, sessionId: this.id }
  }
}

const newest = ({ messages, seq, epoch }: Recent) => ({ messages, seq, epoch })

function missed({ messages, seq, since, epoch }: Recent, knownEpoch: string, knownSeq: number) {
  const recovered = epoch === knownEpoch && knownSeq <= seq && knownSeq >= since
  const later = messages.filter((message) => message.seq > knownSeq)
  return { messages: recovered ? later : messages, seq, epoch, recovered }
}

import { randomUUID } from 'node:crypto'
import type { Topic } from '../core/events.ts'
import { type Clock, monotonicClock } from '../core/ports/clock.ts'
import { TimeSlice } from '../core/time-slice.ts'
import { Admission, type AdmissionResult, type AdmissionRules, type ConnectionAttempt } from './admission.ts'
import { pushes } from './frames.ts'
import type { Hub, Socket } from './hub.ts'
import { Session, type SessionListener, type SessionOptions } from './session.ts'
import { SlowConsumers } from './slow-consumers.ts'

export const GATEWAY_PATH = '/gateway/v1'

const CONNECT_TIMEOUT_MS = 10_000
const TICK_MS = 1000
const RECONNECT_TIMEOUT_MS = 10_000

/** The player gateway: admission control, connect timeout, eviction of slow consumers. */
export class Gateway {
  readonly #options: SessionOptions
  readonly #hub: Hub
  readonly #admission: Admission
  /** With the function that ends the count of each as pending. */
  readonly #sessions = new Map<Session, () => void>()
  /** Sessions that have not authenticated yet, with the time they were opened, oldest first. */
  readonly #awaitingConnect = new Map<Session, number>()
  readonly #slowConsumers: SlowConsumers
  readonly #clock: Clock
  readonly #timer: ReturnType<typeof setInterval>

  constructor(options: SessionOptions, rules: AdmissionRules, clock: Clock = monotonicClock) {
    this.#options = options
    this.#hub = options.hub
    this.#clock = clock
    this.#admission = new Admission(rules, clock)
    this.#slowConsumers = new SlowConsumers((audience) => options.hub.membersOf(audience), clock)
    this.#timer = setInterval(() => this.#tick(), TICK_MS)
  }

  get connections(): number {
    return this.#sessions.size
  }

  /** Must be called once for each attempt, before the connection is accepted. */
  admit(attempt: ConnectionAttempt): AdmissionResult {
    return this.#admission.check(attempt, this.#sessions.size)
  }

  open(socket: Socket, address: string): Session {
    const session = new Session({ id: randomUUID(), socket, listener: this.#listener }, this.#options)
    this.#sessions.set(session, this.#admission.trackPending(address))
    this.#awaitingConnect.set(session, this.#clock())
    return session
  }

  onClosed(session: Session): void {
    this.#settle(session)
    this.#sessions.delete(session)
    this.#slowConsumers.forget(session)
    session.cleanUp().catch((err: unknown) => this.#options.log.error({ err }, 'session cleanup failed'))
  }

  /** Called for a broadcast that at least one client could not take immediately. */
  onBackpressure(audience: Topic, bytes: number): void {
    this.#slowConsumers.onBroadcast(audience, bytes)
  }

  /** Asks every player to reconnect, each after a random delay. */
  async drain(): Promise<void> {
    const slice = new TimeSlice()
    for (const session of this.#sessions.keys()) {
      if (slice.isOver) await slice.renew()
      if (!session.isAwaitingConnect)
        session.push(pushes.goingAway(Math.floor(Math.random() * RECONNECT_TIMEOUT_MS)))
      session.close('draining')
    }
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#hub.close()
  }

  #tick(): void {
    const due = this.#clock() - CONNECT_TIMEOUT_MS
    for (const [session, openedAt] of this.#awaitingConnect) {
      if (openedAt > due) break
      this.#awaitingConnect.delete(session)
      session.close('connect-timeout')
    }
    this.#slowConsumers.check()
    this.#hub.tick()
  }

  readonly #listener: SessionListener = {
    connected: (session) => this.#settle(session),
    unread: (session) => this.#slowConsumers.onSend(session),
  }

  /** The connection is no longer pending. */
  #settle(session: Session): void {
    this.#sessions.get(session)?.()
    this.#awaitingConnect.delete(session)
  }
}

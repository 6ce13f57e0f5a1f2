import { randomUUID } from 'node:crypto'
import { type Clock, monotonicClock } from '../core/ports/clock.ts'
import { TimeSlice } from '../core/time-slice.ts'
import { Admission, type AdmissionResult, type AdmissionRules, type ConnectionAttempt } from './admission.ts'
import { pushes } from './frames.ts'
import type { Hub, Socket } from './hub.ts'
import { Session, type SessionParts } from './session.ts'

export const GATEWAY_PATH = '/gateway/v1'

const CONNECT_TIMEOUT_MS = 10_000
const TICK_MS = 1000
/** A client with this many bytes unread for this long is a slow consumer and is disconnected. */
const SLOW_BYTES = 262_144
const SLOW_MS = 5000
/** A client with this many bytes unread is disconnected at the next check. */
const STUCK_BYTES = 1_048_576
/** After this many bytes of broadcasts that met backpressure, clients are checked without waiting for the next tick. */
const CHECK_BYTES = 131_072
/** Bytes a connection must buffer without dropping, so that a check sees a stuck client before frames are lost. */
export const MAX_BUFFERED_BYTES = STUCK_BYTES + 2 * CHECK_BYTES
const RECONNECT_TIMEOUT_MS = 10_000

interface ConnectionState {
  readonly openedAt: number
  /** Ends the connection's count as pending. */
  readonly settle: () => void
  slowSince: number | undefined
}

/** The player gateway: admission control, connect timeout, eviction of slow consumers. */
export class Gateway {
  readonly #parts: SessionParts
  readonly #hub: Hub
  readonly #admission: Admission
  readonly #sessions = new Map<Session, ConnectionState>()
  readonly #timer: ReturnType<typeof setInterval>
  #backpressureBytes = 0

  constructor(parts: SessionParts, rules: AdmissionRules, clock: Clock = monotonicClock) {
    this.#parts = parts
    this.#hub = parts.hub
    this.#admission = new Admission(rules, clock)
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
    const settle = this.#admission.trackPending(address)
    const session = new Session({ id: randomUUID(), socket, onConnected: settle }, this.#parts)
    this.#sessions.set(session, { openedAt: performance.now(), settle, slowSince: undefined })
    return session
  }

  onClosed(session: Session): void {
    this.#sessions.get(session)?.settle()
    this.#sessions.delete(session)
    session.cleanUp().catch((err: unknown) => this.#parts.log.error({ err }, 'session cleanup failed'))
  }

  /** Called for a broadcast that at least one client could not take immediately. */
  onBackpressure(bytes: number): void {
    this.#backpressureBytes += bytes
    if (this.#backpressureBytes >= CHECK_BYTES) this.#evictSlowConsumers()
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
    const now = performance.now()
    for (const [session, { openedAt }] of this.#sessions) {
      if (session.isAwaitingConnect && now - openedAt >= CONNECT_TIMEOUT_MS) session.close('connect-timeout')
    }
    this.#evictSlowConsumers()
    this.#hub.tick()
  }

  #evictSlowConsumers(): void {
    this.#backpressureBytes = 0
    const now = performance.now()
    for (const [session, connection] of this.#sessions) {
      const { bufferedBytes } = session
      if (bufferedBytes < SLOW_BYTES) {
        connection.slowSince = undefined
        continue
      }
      connection.slowSince ??= now
      if (bufferedBytes >= STUCK_BYTES || now - connection.slowSince >= SLOW_MS) session.close('slow')
    }
  }
}

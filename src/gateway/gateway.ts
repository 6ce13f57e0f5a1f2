import { randomUUID } from 'node:crypto'
import { type Clock, monotonicClock } from '../core/ports/clock.ts'
import { Admission, type AdmissionResult, type AdmissionRules, type ConnectionAttempt } from './admission.ts'
import type { Hub, Socket } from './hub.ts'
import { Session, type SessionParts } from './session.ts'

export const GATEWAY_PATH = '/gateway/v1'

const CONNECT_WITHIN_MS = 10_000
const TICK_MS = 1000
const KEEP_SEATS_MS = 10_000
/** Who has not taken so much for so long is cut. */
const SLOW_BYTES = 262_144
const SLOW_MS = 5000
/** Who has not taken so much is cut at once. */
const STUCK_BYTES = 1_048_576
/** After so much that not everybody took, readers are looked at without waiting for the next second. */
const LOOK_BYTES = 131_072
/** What a connection must hold back without dropping any of it, so that a look finds whoever is stuck in time. */
export const MAX_BUFFERED_BYTES = STUCK_BYTES + 2 * LOOK_BYTES
const RECONNECT_WITHIN_MS = 10_000

interface Watched {
  readonly openedAt: number
  readonly settle: () => void
  slowSince: number | undefined
}

/** The players' door: admission control, the time to connect, eviction of slow consumers. */
export class Gateway {
  readonly #parts: SessionParts
  readonly #hub: Hub
  readonly #admission: Admission
  readonly #sessions = new Map<Session, Watched>()
  readonly #timers: readonly ReturnType<typeof setInterval>[]
  #backpressureBytes = 0

  constructor(parts: SessionParts, rules: AdmissionRules, clock: Clock = monotonicClock) {
    this.#parts = parts
    this.#hub = parts.hub
    this.#admission = new Admission(rules, clock)
    this.#timers = [
      setInterval(() => this.#tick(), TICK_MS),
      setInterval(() => {
        this.#hub.keepSeats().catch((err: unknown) => parts.log.error({ err }, 'seats were not kept'))
      }, KEEP_SEATS_MS),
    ]
  }

  get connections(): number {
    return this.#sessions.size
  }

  /** Call it once before a connection is made. */
  admit(candidate: ConnectionAttempt): AdmissionResult {
    return this.#admission.judge(candidate, this.#sessions.size)
  }

  open(socket: Socket, address: string): Session {
    const settle = this.#admission.opened(address)
    const session = new Session({ id: randomUUID(), socket, onConnected: settle }, this.#parts)
    this.#sessions.set(session, { openedAt: performance.now(), settle, slowSince: undefined })
    return session
  }

  onClosed(session: Session): void {
    this.#sessions.get(session)?.settle()
    this.#sessions.delete(session)
    session.ended().catch((err: unknown) => this.#parts.log.error({ err }, 'session cleanup failed'))
  }

  /** Tells of a broadcast that not every reader has taken yet. */
  onBackpressure(bytes: number): void {
    this.#backpressureBytes += bytes
    if (this.#backpressureBytes >= LOOK_BYTES) this.#watchReaders()
  }

  /** Asks every player to come back, each after a while of its own. */
  drain(): void {
    this.#hub.goAway(RECONNECT_WITHIN_MS)
    for (const session of this.#sessions.keys()) if (session.isAwaitingConnect) session.close('draining')
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#hub.close()
  }

  #tick(): void {
    const now = performance.now()
    for (const [session, { openedAt }] of this.#sessions) {
      if (session.isAwaitingConnect && now - openedAt >= CONNECT_WITHIN_MS) session.close('connect-timeout')
    }
    this.#watchReaders()
    this.#hub.tick()
  }

  #watchReaders(): void {
    this.#backpressureBytes = 0
    const now = performance.now()
    for (const [session, watched] of this.#sessions) {
      const { bufferedBytes } = session
      if (bufferedBytes < SLOW_BYTES) {
        watched.slowSince = undefined
        continue
      }
      watched.slowSince ??= now
      if (bufferedBytes >= STUCK_BYTES || now - watched.slowSince >= SLOW_MS) session.close('slow')
    }
  }
}

import { randomUUID } from 'node:crypto'
import type { Hub, Socket } from './hub.ts'
import { Session, type SessionParts } from './session.ts'

export const GATEWAY_PATH = '/gateway/v1'

export interface GatewayOptions {
  /** Empty: every origin. Clients that are no browsers send none, and are let in. */
  readonly origins: readonly string[]
  readonly connectionsPerSecond: number
  readonly maxConnections: number
}

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
  slowSince: number | undefined
}

/** The players' door: who may come in, and who is shown out. */
export class Gateway {
  readonly #parts: SessionParts
  readonly #hub: Hub
  readonly #options: GatewayOptions
  readonly #sessions = new Map<Session, Watched>()
  readonly #timers: readonly ReturnType<typeof setInterval>[]
  #admission: { tokens: number; filledAt: number }
  #heldBackBytes = 0

  constructor(parts: SessionParts, options: GatewayOptions) {
    this.#parts = parts
    this.#hub = parts.hub
    this.#options = options
    this.#admission = { tokens: options.connectionsPerSecond, filledAt: performance.now() }
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

  /** Before a connection is made. `busy` asks to come back: those who sit already go first. */
  admits(origin: string | null): 'yes' | 'busy' | 'origin' {
    const { origins, connectionsPerSecond, maxConnections } = this.#options
    if (origin !== null && origins.length > 0 && !origins.includes(origin)) return 'origin'
    const now = performance.now()
    const filled = this.#admission.tokens + ((now - this.#admission.filledAt) / 1000) * connectionsPerSecond
    const tokens = Math.min(connectionsPerSecond, filled)
    const isFree = tokens >= 1 && this.#sessions.size < maxConnections
    this.#admission = { tokens: isFree ? tokens - 1 : tokens, filledAt: now }
    return isFree ? 'yes' : 'busy'
  }

  open(socket: Socket): Session {
    const session = new Session(randomUUID(), socket, this.#parts)
    this.#sessions.set(session, { openedAt: performance.now(), slowSince: undefined })
    return session
  }

  closed(session: Session): void {
    this.#sessions.delete(session)
    session.ended().catch((err: unknown) => this.#parts.log.error({ err }, 'session did not end well'))
  }

  /** Tells of a broadcast that not every reader has taken yet. */
  heldBack(bytes: number): void {
    this.#heldBackBytes += bytes
    if (this.#heldBackBytes >= LOOK_BYTES) this.#watchReaders()
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
    this.#heldBackBytes = 0
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

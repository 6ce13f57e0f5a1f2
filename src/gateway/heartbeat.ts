import type { Clock } from '../core/ports/clock.ts'

/** A connection that answers pings. */
export interface Pingable {
  ping(): void
  /** Closes the connection without a close frame: the peer would not read it. */
  terminate(): void
}

/** Ping state of a connection. Must be reset (`missed = 0`) whenever a frame arrives from the peer. */
export interface PingState {
  dueAt: number
  /** Consecutive pings without a frame from the peer. */
  missed: number
}

const MAX_MISSED = 3
/** Pings sent in one turn of the event loop; the rest follow in the next turns. */
const MAX_PINGS = 1000
/** Turns in an interval, so that pings are spread over it. */
const TURNS = 100

/**
 * Pings every connection once per interval, because proxies close idle ones, and terminates those whose peer missed
 * the last pings: a dead peer would keep its seat.
 */
export class Heartbeat {
  readonly #intervalMs: number
  readonly #clock: Clock
  /** Ordered by due time, earliest first. */
  readonly #states = new Map<Pingable, PingState>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(intervalMs: number, clock: Clock) {
    this.#intervalMs = intervalMs
    this.#clock = clock
  }

  start(): void {
    this.#timer = setInterval(() => this.pingDue(), this.#intervalMs / TURNS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  add(connection: Pingable): PingState {
    const state = { dueAt: this.#clock() + this.#intervalMs, missed: 0 }
    this.#states.set(connection, state)
    return state
  }

  remove(connection: Pingable): void {
    this.#states.delete(connection)
  }

  pingDue(): void {
    const now = this.#clock()
    let pings = 0
    for (const [connection, state] of this.#states) {
      if (state.dueAt > now || pings++ >= MAX_PINGS) return
      this.#states.delete(connection)
      if (state.missed++ >= MAX_MISSED) {
        connection.terminate()
        continue
      }
      state.dueAt = now + this.#intervalMs
      this.#states.set(connection, state)
      connection.ping()
    }
  }
}

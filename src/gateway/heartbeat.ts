import type { Clock } from '../core/ports/clock.ts'

/** A connection that can be probed. */
export interface Pingable {
  ping(): void
  /** Ends it without a farewell, which nobody would read. */
  terminate(): void
}

/** How a connection stands. Whoever hears from the peer sets `missed` to 0. */
export interface PingState {
  dueAt: number
  /** Pings in a row that nothing came back for. */
  missed: number
}

const MAX_MISSED = 3
/** In one turn of the event loop; the others are due at the next one. */
const MAX_PINGS = 1000
/** How many turns an interval is divided into, so that pings are spread over it. */
const TURNS = 100

/**
 * Pings every connection once in each interval, because proxies close the silent ones, and ends those whose peer has
 * answered none of the last pings: a peer that vanished would keep its seat.
 */
export class Heartbeat {
  readonly #intervalMs: number
  readonly #clock: Clock
  /** The next to be pinged first. */
  readonly #beats = new Map<Pingable, PingState>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(intervalMs: number, clock: Clock) {
    this.#intervalMs = intervalMs
    this.#clock = clock
  }

  start(): void {
    this.#timer = setInterval(() => this.beat(), this.#intervalMs / TURNS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  add(pulse: Pingable): PingState {
    const beat = { dueAt: this.#clock() + this.#intervalMs, missed: 0 }
    this.#beats.set(pulse, beat)
    return beat
  }

  remove(pulse: Pingable): void {
    this.#beats.delete(pulse)
  }

  beat(): void {
    const now = this.#clock()
    let pings = 0
    for (const [pulse, beat] of this.#beats) {
      if (beat.dueAt > now || pings++ >= MAX_PINGS) return
      this.#beats.delete(pulse)
      if (beat.missed++ >= MAX_MISSED) {
        pulse.terminate()
        continue
      }
      beat.dueAt = now + this.#intervalMs
      this.#beats.set(pulse, beat)
      pulse.ping()
    }
  }
}

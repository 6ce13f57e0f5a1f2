import type { Clock } from '../core/ports/clock.ts'

/** Units of work in one turn of the event loop, so that requests of the management API get their turn. Each takes about 50 µs. */
const MAX_PER_TURN = 128
/** From this many units on, the end of the turn is waited for. */
const COUNTED = 32

interface WaitingFrame {
  readonly since: number
  readonly resolve: (waitedMs: number) => void
}

/** Spreads the frames of all sessions over turns of the event loop, in the order of their arrival. */
export class FrameTurns {
  readonly #clock: Clock
  /** At most one frame of each session. */
  #waiting: WaitingFrame[] = []
  /** Index of the first one that still waits. */
  #next = 0
  #units = 0
  #turnEnd: ReturnType<typeof setImmediate> | undefined

  /** The clock must be monotonic. */
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How long the frame that is handled next has waited. */
  get delayMs(): number {
    const first = this.#waiting[this.#next]
    return first === undefined ? 0 : this.#clock() - first.since
  }

  /** Returns undefined if a frame can be handled in this turn, otherwise resolves in its turn with the milliseconds it waited. */
  enter(): Promise<number> | undefined {
    if (this.#units < MAX_PER_TURN && this.#next === this.#waiting.length) {
      this.charge(1)
      return undefined
    }
    const { promise, resolve } = Promise.withResolvers<number>()
    this.#waiting.push({ since: this.#clock(), resolve })
    return promise
  }

  /** Counts further work of a frame that entered. */
  charge(units: number): void {
    this.#units += units
    if (this.#units >= COUNTED) this.#turnEnd ??= setImmediate(() => this.#startTurn())
  }

  #startTurn(): void {
    this.#turnEnd = undefined
    this.#units = 0
    const now = this.#clock()
    while (this.#units < MAX_PER_TURN && this.#next < this.#waiting.length) {
      const { since, resolve } = this.#waiting[this.#next++] as WaitingFrame
      this.charge(1)
      resolve(now - since)
    }
    if (this.#next === this.#waiting.length) {
      this.#waiting = []
      this.#next = 0
    } else if (this.#next > MAX_PER_TURN && this.#next > this.#waiting.length / 2) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    if (this.#waiting.length > 0) this.#turnEnd ??= setImmediate(() => this.#startTurn())
  }
}

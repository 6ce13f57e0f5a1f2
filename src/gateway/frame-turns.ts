import type { Clock } from '../core/ports/clock.ts'

/** Units of work that a turn of the event loop handles immediately. Each takes about 50 µs. */
const MAX_PER_TURN = 128
/** From this many units on, the end of the turn is waited for. */
const COUNTED = 32
/** Time of a turn for frames that have waited, so that requests of the management API get their turn. */
const TURN_MS = 12
/** A backlog that takes longer than this is overload. */
const MAX_DELAY_MS = 250
/** Share of a turn in the moving average of the rate. */
const RATE_SHARE = 0.2
/** Frames per millisecond that are assumed without a backlog. */
const USUAL_RATE = 10
/** Frames between two looks at the clock. */
const STEP = 16
/** Promises that a frame awaits, at most, between its turn and its reply, unless it waits for something else. */
const STEPS_TO_REPLY = 10

interface WaitingFrame {
  readonly since: number
  readonly resolve: () => void
}

/** Spreads the frames of all sessions over turns of the event loop, in the order of their arrival. */
export class FrameTurns {
  readonly #clock: Clock
  /** At most one frame of each session. */
  #waiting: WaitingFrame[] = []
  /** Index of the first one that still waits. */
  #next = 0
  #units = 0
  /** Waiting frames handled per millisecond. */
  #rate = USUAL_RATE
  #lastTurnAt: number | undefined
  #turnEnd: ReturnType<typeof setImmediate> | undefined

  /** The clock must be monotonic. */
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Frames in memory. */
  get size(): number {
    return this.#waiting.length
  }

  /** How long the frame that is handled next has waited. */
  get delayMs(): number {
    const first = this.#waiting[this.#next]
    return first === undefined ? 0 : this.#clock() - first.since
  }

  /** Whether a frame that enters now would wait for too long, at the rate of the last turns. */
  get isOverloaded(): boolean {
    return this.#waiting.length - this.#next > MAX_DELAY_MS * this.#rate
  }

  /** Returns undefined if a frame can be handled in this turn, otherwise resolves in its turn. */
  enter(): Promise<void> | undefined {
    if (this.#units < MAX_PER_TURN && !this.#hasWaiting) {
      this.charge(1)
      return undefined
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ since: this.#clock(), resolve })
    return promise
  }

  /** Counts further work of a frame that entered. */
  charge(units: number): void {
    this.#units += units
    if (this.#units >= COUNTED) this.#turnEnd ??= setImmediate(() => void this.#startTurn())
  }

  async #startTurn(): Promise<void> {
    this.#turnEnd = undefined
    this.#units = 0
    const startsAt = this.#clock()
    const endsAt = startsAt + TURN_MS
    const first = this.#next
    for (let now = this.#clock(); this.#hasWaiting && now < endsAt; now = this.#clock()) {
      for (let n = 0; n < STEP && this.#hasWaiting; n++) {
        this.#waiting[this.#next++]?.resolve()
      }
      // Lets those frames run up to their replies, so that the clock shows their cost.
      for (let step = 0; step < STEPS_TO_REPLY; step++) await Promise.resolve()
    }
    this.#measureRate(startsAt, this.#next - first)
    this.#removeHandled()
    if (this.#hasWaiting) this.#turnEnd ??= setImmediate(() => void this.#startTurn())
  }

  /** The rate of a backlog says nothing about the next one. */
  #measureRate(startsAt: number, handled: number): void {
    if (!this.#hasWaiting) this.#rate = USUAL_RATE
    else if (this.#lastTurnAt !== undefined && startsAt > this.#lastTurnAt)
      this.#rate += RATE_SHARE * (handled / (startsAt - this.#lastTurnAt) - this.#rate)
    this.#lastTurnAt = this.#hasWaiting ? startsAt : undefined
  }

  get #hasWaiting(): boolean {
    return this.#next < this.#waiting.length
  }

  /** Copies the list only when half of it is handled, so that the cost does not grow with its length. */
  #removeHandled(): void {
    if (this.#hasWaiting && this.#next < this.#waiting.length / 2) return
    this.#waiting = this.#waiting.slice(this.#next)
    this.#next = 0
  }
}

import type { Clock } from '../core/ports/clock.ts'
import type { Logger } from '../log.ts'

const SAMPLE_MS = 50
/** Share of a sample in the average. The average rises faster than it falls, so that it does not oscillate. */
const RISE = 0.5
const FALL = 0.1
/** Saturated from this lag for this long, until it has been below that lag for that long. */
const SATURATED_LAG_MS = 50
const SATURATED_AFTER_MS = 2000
const RELIEVED_LAG_MS = 20
const RELIEVED_AFTER_MS = 5000

/** Measures how late the event loop runs its timers and handles frames, and logs when it is saturated. */
export class LoopMonitor {
  readonly #clock: Clock
  readonly #log: Pick<Logger, 'warn' | 'info'>
  readonly #frames: { readonly delayMs: number }
  #timer: ReturnType<typeof setTimeout> | undefined
  #expectedAt = 0
  #lagMs = 0
  #saturatedSince: number | undefined
  /** When the lag passed the threshold that ends the current state. */
  #passedAt: number | undefined

  /** The clock must be monotonic. */
  constructor(log: Pick<Logger, 'warn' | 'info'>, clock: Clock, frames: { readonly delayMs: number }) {
    this.#frames = frames
    this.#log = log
    this.#clock = clock
  }

  /** A moving average. */
  get lagMs(): number {
    return this.#lagMs
  }

  get isSaturated(): boolean {
    return this.#saturatedSince !== undefined
  }

  start(): void {
    this.#expectedAt = this.#clock() + SAMPLE_MS
    this.#timer = setTimeout(() => {
      this.sample()
      this.start()
    }, SAMPLE_MS)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Called by the timer. */
  sample(): void {
    const now = this.#clock()
    const lateMs = Math.max(0, now - this.#expectedAt)
    const change = Math.max(lateMs, this.#frames.delayMs) - this.#lagMs
    this.#lagMs += change * (change > 0 ? RISE : FALL)
    if (this.#isStateOver(now)) this.#changeState(now)
  }

  #isStateOver(now: number): boolean {
    const hasPassed = this.isSaturated ? this.#lagMs < RELIEVED_LAG_MS : this.#lagMs >= SATURATED_LAG_MS
    this.#passedAt = hasPassed ? (this.#passedAt ?? now) : undefined
    const afterMs = this.isSaturated ? RELIEVED_AFTER_MS : SATURATED_AFTER_MS
    return this.#passedAt !== undefined && now - this.#passedAt >= afterMs
  }

  #changeState(now: number): void {
    this.#passedAt = undefined
    if (this.#saturatedSince === undefined) {
      this.#saturatedSince = now
      this.#log.warn(
        { lagMs: Math.round(this.#lagMs) },
        'event loop saturated: broadcasts are sent in larger batches, less often',
      )
      return
    }
    const seconds = Math.round((now - this.#saturatedSince) / 1000)
    this.#saturatedSince = undefined
    this.#log.info({ seconds }, 'event loop no longer saturated')
  }
}

import type { Clock } from '../core/clock.ts'

export interface RateLimit {
  readonly perSecond: number
}

export interface RateVerdict {
  readonly allowed: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** A token bucket for each caller: so many requests a second, twice as many at once after a pause. */
export class RateLimiter {
  readonly #rate: number
  readonly #burst: number
  readonly #policy: string
  readonly #clock: Clock
  /** One for each credential, so their number is bounded. */
  readonly #buckets = new Map<string, { tokens: number; filledAt: number }>()

  constructor({ perSecond }: RateLimit, clock: Clock) {
    this.#rate = perSecond
    this.#burst = perSecond * 2
    this.#policy = `"default";q=${perSecond};w=1`
    this.#clock = clock
  }

  take(caller: string): RateVerdict {
    const now = this.#clock()
    const bucket = this.#buckets.get(caller) ?? { tokens: this.#burst, filledAt: now }
    this.#buckets.set(caller, bucket)
    const passed = Math.max(0, now - bucket.filledAt) / 1000
    bucket.tokens = Math.min(this.#burst, bucket.tokens + passed * this.#rate)
    bucket.filledAt = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    const remaining = Math.floor(bucket.tokens)
    const headers = { 'RateLimit-Policy': this.#policy, RateLimit: `"default";r=${remaining};t=1` }
    return { allowed, headers: allowed ? headers : { ...headers, 'Retry-After': '1' } }
  }
}

const WINDOW_MS = 60_000
const FREE_FAILURES = 100
const STEP_MS = 10
const MAX_DELAY_MS = 1000
const MAX_ADDRESSES = 10_000

/** Slows down the answers to addresses that keep guessing tokens; it never refuses one. */
export class FailureBrake {
  readonly #clock: Clock
  readonly #failures = new Map<string, number>()
  #windowStart = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a failure and says how long its answer should wait. */
  delayMs(address: string): number {
    const now = this.#clock()
    if (Math.abs(now - this.#windowStart) >= WINDOW_MS || this.#failures.size >= MAX_ADDRESSES) {
      this.#failures.clear()
      this.#windowStart = now
    }
    const failures = (this.#failures.get(address) ?? 0) + 1
    this.#failures.set(address, failures)
    return Math.min(MAX_DELAY_MS, Math.max(0, failures - FREE_FAILURES) * STEP_MS)
  }
}

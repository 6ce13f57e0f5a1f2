import type { Clock } from '../core/ports/clock.ts'

export interface RateLimit {
  readonly perSecond: number
}

export interface RateLimitResult {
  readonly isAllowed: boolean
  /** Headers of the response, whatever it will be. */
  readonly headers: Headers
}

/** A token bucket per caller: `perSecond` requests, with bursts of up to twice that. */
export class RateLimiter {
  readonly #rate: number
  readonly #burst: number
  readonly #headers: Headers
  readonly #clock: Clock
  /** One per credential, which bounds their number. */
  readonly #buckets = new Map<string, { tokens: number; filledAt: number }>()

  /** `headers` are copied into every result. */
  constructor({ perSecond }: RateLimit, clock: Clock, headers: Headers) {
    this.#rate = perSecond
    this.#burst = perSecond * 2
    this.#headers = new Headers(headers)
    this.#headers.set('RateLimit-Policy', `"default";q=${perSecond};w=1`)
    this.#clock = clock
  }

  take(caller: string): RateLimitResult {
    const now = this.#clock()
    const bucket = this.#buckets.get(caller) ?? { tokens: this.#burst, filledAt: now }
    this.#buckets.set(caller, bucket)
    const passed = (now - bucket.filledAt) / 1000
    bucket.tokens = Math.min(this.#burst, bucket.tokens + passed * this.#rate)
    bucket.filledAt = now
    const isAllowed = bucket.tokens >= 1
    if (isAllowed) bucket.tokens -= 1
    const headers = new Headers(this.#headers)
    headers.set('RateLimit', `"default";r=${Math.floor(bucket.tokens)};t=1`)
    return { isAllowed, headers }
  }
}

const WINDOW_MS = 60_000
const FREE_FAILURES = 100
const STEP_MS = 10
const MAX_DELAY_MS = 1000
const MAX_ADDRESSES = 10_000

/** Delays responses to addresses that keep guessing tokens. Never rejects a request. */
export class FailureBackoff {
  readonly #clock: Clock
  readonly #failures = new Map<string, number>()
  #windowStart: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#windowStart = clock()
  }

  /** Counts a failure and returns the delay of its response. */
  delayMs(address: string): number {
    const now = this.#clock()
    const isFull = this.#failures.size >= MAX_ADDRESSES && !this.#failures.has(address)
    if (now - this.#windowStart >= WINDOW_MS || isFull) {
      this.#failures.clear()
      this.#windowStart = now
    }
    const failures = (this.#failures.get(address) ?? 0) + 1
    this.#failures.set(address, failures)
    return Math.min(MAX_DELAY_MS, Math.max(0, failures - FREE_FAILURES) * STEP_MS)
  }
}

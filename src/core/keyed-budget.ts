import type { Timestamp } from './model.ts'
import type { Clock } from './ports/clock.ts'

/** At most `count` within any window of `windowMs`. */
export interface Budget {
  readonly count: number
  readonly windowMs: number
}

/** Above this, the least recently used keys are evicted. */
const MAX_KEYS = 200_000

/** A sliding-window rate limiter per key, such as a player or an address. Evicts keys whose window has passed. */
export class KeyedBudget {
  readonly #budget: Budget
  readonly #clock: Clock
  readonly #maxKeys: number
  /** Times of use per key, oldest first, at most `count`. Keys are in order of their last use. */
  readonly #spent = new Map<string, Timestamp[]>()

  /** The clock must be monotonic. */
  constructor(budget: Budget, clock: Clock, maxKeys = MAX_KEYS) {
    this.#budget = budget
    this.#clock = clock
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#spent.size
  }

  /** Returns 0 if the budget allows it, otherwise the milliseconds to wait. */
  spend(key: string): number {
    const wait = this.waitMs(key)
    if (wait === 0) this.#add(key)
    return wait
  }

  /** Like `spend`, but without using the budget. */
  waitMs(key: string): number {
    const now = this.#clock()
    const { count, windowMs } = this.#budget
    const spent = this.#spent.get(key) ?? []
    const oldest = spent.length < count ? undefined : spent[spent.length - count]
    return oldest === undefined ? 0 : Math.max(0, Math.ceil(oldest + windowMs - now))
  }

  #add(key: string): void {
    const now = this.#clock()
    const spent = this.#spent.get(key) ?? []
    if (spent.length >= this.#budget.count) spent.shift()
    spent.push(now)
    this.#spent.delete(key)
    this.#spent.set(key, spent)
    this.#evict(now)
  }

  #evict(now: Timestamp): void {
    for (const [key, spent] of this.#spent) {
      const isExpired = (spent.at(-1) ?? 0) + this.#budget.windowMs <= now
      if (!isExpired && this.#spent.size <= this.#maxKeys) return
      this.#spent.delete(key)
    }
  }
}

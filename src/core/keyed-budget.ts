import type { Timestamp } from './model.ts'
import type { Clock } from './ports/clock.ts'

/** So many within a time. */
export interface Budget {
  readonly count: number
  readonly windowMs: number
}

/** Beyond this the keys that have been quiet for longest are forgotten. */
const MAX_KEYS = 200_000

/** A sliding window for each key, such as a player or an address, kept for as long as it can refuse anything. */
export class KeyedBudget {
  readonly #budget: Budget
  readonly #clock: Clock
  readonly #maxKeys: number
  /** When each was spent, oldest first; never more than the count. The keys are in the order of their last one. */
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

  /** 0 when there was some left; otherwise the milliseconds until there is. */
  spend(key: string): number {
    const wait = this.waitMs(key)
    if (wait === 0) this.#add(key)
    return wait
  }

  /** The milliseconds until something may be spent, without spending it. */
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
    this.#forget(now)
  }

  /** Each call forgets more keys than it can have added, so the map shrinks as fast as it grows. */
  #forget(now: Timestamp): void {
    for (const [key, spent] of this.#spent) {
      const isOver = (spent.at(-1) ?? 0) + this.#budget.windowMs <= now
      if (!isOver && this.#spent.size <= this.#maxKeys) return
      this.#spent.delete(key)
    }
  }
}

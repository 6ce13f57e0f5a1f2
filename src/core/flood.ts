import type { Clock } from './clock.ts'
import type { Timestamp } from './model.ts'

export interface FloodRules {
  readonly messages: number
  readonly withinMs: number
}

/** Lets one player say so many messages within a time. */
export class FloodGate {
  readonly #rules: FloodRules
  readonly #clock: Clock
  /** When the last messages passed, oldest first; never more than `rules.messages`. */
  readonly #passed: Timestamp[] = []

  constructor(rules: FloodRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
  }

  /** 0 lets the message pass; else the milliseconds until one may. */
  take(): number {
    const now = this.#clock()
    const oldest = this.#passed.length < this.#rules.messages ? undefined : this.#passed[0]
    if (oldest !== undefined) {
      const wait = oldest + this.#rules.withinMs - now
      if (wait > 0) return wait
      this.#passed.shift()
    }
    this.#passed.push(now)
    return 0
  }
}

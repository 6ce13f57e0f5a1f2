import { KeyedBudget } from '../core/keyed-budget.ts'
import type { Clock } from '../core/ports/clock.ts'

export interface AdmissionRules {
  /** Allowed origins; empty allows every origin. Clients other than browsers send none and are always allowed. */
  readonly origins: readonly string[]
  readonly maxConnections: number
  readonly connectionsPerSecond: number
  /** New connections per second from one address. 0 disables the limit. */
  readonly connectionsPerAddress: number
  /** Connections from one address that have not authenticated yet. 0 disables the limit. */
  readonly pendingPerAddress: number
}

export interface ConnectionAttempt {
  readonly origin: string | null
  /** The key that limits count by. */
  readonly address: string
}

/** `busy` and `address-limit` are temporary: the client may retry. */
export type AdmissionResult = 'admitted' | 'foreign-origin' | 'busy' | 'address-limit'

const SECOND_MS = 1000
/** Up to this rate a second's worth of connections may come at once; above it a quarter, which the event loop can take. */
const BURST_RATE = 20
const BURST_SHARE = 0.25

/** Admission control for new connections. A rejected attempt uses up no capacity that others could use. */
export class Admission {
  readonly #rules: AdmissionRules
  readonly #clock: Clock
  readonly #perAddress: KeyedBudget | undefined
  /** Unauthenticated connections by address. */
  readonly #pending = new Map<string, number>()
  readonly #burst: number
  #tokens: number
  #filledAt: number

  /** The clock must be monotonic. */
  constructor(rules: AdmissionRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
    const { connectionsPerSecond } = rules
    this.#burst = Math.max(Math.min(connectionsPerSecond, BURST_RATE), connectionsPerSecond * BURST_SHARE)
    this.#tokens = this.#burst
    this.#filledAt = clock()
    const { connectionsPerAddress: count } = rules
    this.#perAddress = count === 0 ? undefined : new KeyedBudget({ count, windowMs: SECOND_MS }, clock)
  }

  /** Must be called once for each attempt, with the number of open connections. */
  check({ origin, address }: ConnectionAttempt, connections: number): AdmissionResult {
    const { origins, maxConnections, pendingPerAddress } = this.#rules
    if (origin !== null && origins.length > 0 && !origins.includes(origin)) return 'foreign-origin'
    this.#refill()
    if (connections >= maxConnections || this.#tokens < 1) return 'busy'
    const hasTooManyPending = pendingPerAddress > 0 && (this.#pending.get(address) ?? 0) >= pendingPerAddress
    if (hasTooManyPending || (this.#perAddress?.spend(address) ?? 0) > 0) return 'address-limit'
    this.#tokens -= 1
    return 'admitted'
  }

  /** Counts a connection as pending until the returned function is called: on authentication or on close. */
  trackPending(address: string): () => void {
    let isPending = true
    this.#countPending(address, 1)
    return () => {
      if (isPending) this.#countPending(address, -1)
      isPending = false
    }
  }

  #countPending(address: string, change: number): void {
    const count = (this.#pending.get(address) ?? 0) + change
    if (count > 0) this.#pending.set(address, count)
    else this.#pending.delete(address)
  }

  #refill(): void {
    const { connectionsPerSecond } = this.#rules
    const now = this.#clock()
    const filled = this.#tokens + ((now - this.#filledAt) / SECOND_MS) * connectionsPerSecond
    this.#tokens = Math.min(this.#burst, filled)
    this.#filledAt = now
  }
}

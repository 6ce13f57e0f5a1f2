import { KeyedBudget } from '../core/keyed-budget.ts'
import type { Clock } from '../core/ports/clock.ts'

export interface AdmissionRules {
  /** Empty: every origin. Clients that are no browsers send none, and are let in. */
  readonly origins: readonly string[]
  readonly maxConnections: number
  readonly connectionsPerSecond: number
  /** New ones of one address in a second. 0: no limit. */
  readonly connectionsPerAddress: number
  /** Of one address, before they have sent a good `connect`. 0: no limit. */
  readonly pendingPerAddress: number
}

export interface ConnectionAttempt {
  readonly origin: string | null
  /** What limits count by. */
  readonly address: string
}

/** `busy` and `address-limit` ask to come back later. */
export type AdmissionResult = 'admitted' | 'foreign-origin' | 'busy' | 'address-limit'

const SECOND_MS = 1000

/** Decides which connections are made. A refusal costs the others nothing: neither a place nor a share. */
export class Admission {
  readonly #rules: AdmissionRules
  readonly #clock: Clock
  readonly #shares: KeyedBudget | undefined
  /** Connections of each address that are not known to be a player's yet. */
  readonly #pending = new Map<string, number>()
  #tokens: number
  #filledAt: number

  /** The clock must be monotonic. */
  constructor(rules: AdmissionRules, clock: Clock) {
    this.#rules = rules
    this.#clock = clock
    this.#tokens = rules.connectionsPerSecond
    this.#filledAt = clock()
    const { connectionsPerAddress: count } = rules
    this.#shares = count === 0 ? undefined : new KeyedBudget({ count, windowMs: SECOND_MS }, clock)
  }

  /** Call it once for each connection, with how many there are. */
  judge({ origin, address }: ConnectionAttempt, connections: number): AdmissionResult {
    const { origins, maxConnections, pendingPerAddress } = this.#rules
    if (origin !== null && origins.length > 0 && !origins.includes(origin)) return 'foreign-origin'
    this.#refill()
    if (connections >= maxConnections || this.#tokens < 1) return 'busy'
    const isCrowded = pendingPerAddress > 0 && (this.#pending.get(address) ?? 0) >= pendingPerAddress
    if (isCrowded || (this.#shares?.spend(address) ?? 0) > 0) return 'address-limit'
    this.#tokens -= 1
    return 'admitted'
  }

  /** Counts a connection as pending. Call the result when it is known to be a player's, and when it has ended. */
  opened(address: string): () => void {
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
    this.#tokens = Math.min(connectionsPerSecond, filled)
    this.#filledAt = now
  }
}

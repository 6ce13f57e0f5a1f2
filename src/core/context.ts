import type { Timestamp } from './model.ts'

/** On whose behalf and under which conditions a write runs. The store receives it with every write. */
export interface CallContext {
  readonly actor: Actor
  /** Identifies the request in logs. */
  readonly requestId?: string | undefined
  readonly idempotency?: Idempotency | undefined
}

export interface Actor {
  readonly kind: 'operator' | 'player' | 'system'
  readonly id: string
}

/**
 * Makes a write idempotent: the first call with a key runs, later ones return its outcome until `expiresAt`. Key and
 * outcome are committed together with the write. A known key with a different fingerprint throws
 * `ChatError('key-reused')`. The outcome `stale` is not remembered: a retry may state another expected version.
 */
export interface Idempotency {
  readonly key: string
  readonly fingerprint: string
  readonly at: Timestamp
  readonly expiresAt: Timestamp
}

/** For writes that nobody requested. */
export const SYSTEM_CALL: CallContext = { actor: { kind: 'system', id: 'system' } }

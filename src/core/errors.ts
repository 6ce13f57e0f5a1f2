import type { ChannelKey, FilterHit } from './model.ts'

/** Everything the core refuses. Each door has a table from these to its own words. */
export type ChatErrorKind =
  | 'channel-unknown'
  | 'channel-exists'
  | 'fallback-protected'
  | 'limit-reached'
  | 'filters-changed'
  | 'message-unknown'
  | 'backtest-unknown'
  | 'key-reused'
  | 'unavailable'

/** An expected refusal. Anything else that is thrown is a bug, and doors show it as an internal error. */
export class ChatError extends Error {
  override name = 'ChatError'
  readonly kind: ChatErrorKind

  constructor(kind: ChatErrorKind, options?: ErrorOptions) {
    super(kind, options)
    this.kind = kind
  }
}

/** Everything the core refuses to players. */
export type PlayerErrorKind =
  | 'banned'
  | 'channel-full'
  | 'channel-unknown'
  | 'joined-already'
  | 'not-joined'
  | 'message-too-long'
  | 'message-too-short'
  | 'message-filtered'
  | 'message-spam'
  | 'own-message'
  | 'message-too-old'
  | 'too-many-reports'
  | 'too-many-groups'
  | 'invalid'

/** What a player wrote that can be wrong. */
export type PlayerInput = 'text' | 'messageId' | 'keyword' | 'reason'

/** What a player is told with a refusal. */
export interface RefusalDetails {
  /** Of `invalid`. */
  readonly input?: PlayerInput
  /** Of `channel-full`. The number is there when it was asked for. */
  readonly channel?: ChannelKey & { readonly number: number | undefined }
  readonly remainSeconds?: number
  readonly retryAfterMs?: number
  readonly hits?: readonly FilterHit[]
}

/** An expected refusal of what a player asks for. */
export class PlayerError extends Error {
  override name = 'PlayerError'
  readonly kind: PlayerErrorKind
  readonly details: RefusalDetails

  constructor(kind: PlayerErrorKind, details: RefusalDetails = {}) {
    super(kind)
    this.kind = kind
    this.details = details
  }
}

import type { ChannelKey, FilterHit } from './model.ts'

/** Everything the core refuses. Each door has a table from these to its own words. */
export type ChatErrorKind =
  | 'channel-not-found'
  | 'channel-exists'
  | 'fallback-protected'
  | 'limit-reached'
  | 'filters-changed'
  | 'message-not-found'
  | 'backtest-not-found'
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
  | 'channel-not-found'
  | 'already-joined'
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
export interface PlayerErrorDetails {
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
  readonly details: PlayerErrorDetails

  constructor(kind: PlayerErrorKind, details: PlayerErrorDetails = {}) {
    super(kind)
    this.kind = kind
    this.details = details
  }
}

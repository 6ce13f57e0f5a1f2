import type { ChannelKey, FilterHit } from './model.ts'

/** Errors the core returns to operators. Each transport maps them to its own codes and messages. */
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

/** An expected error. Anything else that is thrown is a bug, which transports report as an internal error. */
export class ChatError extends Error {
  override name = 'ChatError'
  readonly kind: ChatErrorKind

  constructor(kind: ChatErrorKind, options?: ErrorOptions) {
    super(kind, options)
    this.kind = kind
  }
}

/** Errors the core returns to players. */
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

/** Player input that can be invalid. */
export type PlayerInput = 'text' | 'messageId' | 'keyword' | 'reason'

export interface PlayerErrorDetails {
  /** Set for `invalid`. */
  readonly input?: PlayerInput
  /** Set for `channel-full`. The number is undefined unless the player requested one. */
  readonly channel?: ChannelKey & { readonly number: number | undefined }
  readonly remainSeconds?: number
  readonly retryAfterMs?: number
  readonly hits?: readonly FilterHit[]
}

/** An expected error of a player's request. */
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

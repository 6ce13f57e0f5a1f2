/** Everything the core refuses. Each door has a table from these to its own words. */
export type ChatErrorKind =
  | 'channel-unknown'
  | 'channel-exists'
  | 'fallback-protected'
  | 'limit-reached'
  | 'filters-changed'
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

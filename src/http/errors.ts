import { ChatError, type ChatErrorKind } from '../core/errors.ts'

/** Errors that are found before an operation runs. */
export type RequestErrorKind =
  | 'credentials'
  | 'not-string'
  | 'not-number'
  | 'not-strings'
  | 'not-boolean'
  | 'not-object'
  | 'missing'
  | 'bad-cursor'
  | 'too-long'
  | 'invalid'
  | 'path-not-found'
  | 'method-not-allowed'
  | 'too-large'
  | 'encoding-unsupported'
  | 'too-many-requests'
  | 'internal'

export type ErrorKind = ChatErrorKind | RequestErrorKind

export class RequestError extends Error {
  override name = 'RequestError'
  readonly kind: RequestErrorKind
  /** The name of the invalid property, if the error is about one. */
  readonly property: string
  readonly headers: Readonly<Record<string, string>>

  constructor(kind: RequestErrorKind, property = '', headers: Readonly<Record<string, string>> = {}) {
    super(property === '' ? kind : `${kind}: ${property}`)
    this.kind = kind
    this.property = property
    this.headers = headers
  }
}

/** The first three digits of a code are the HTTP status. NAME stands for the property. */
export const ERRORS = {
  credentials: { code: 400701, message: 'There is a problem with the user credentials.' },
  'not-string': { code: 400100, message: '"NAME" must be a string.' },
  'not-number': { code: 400101, message: '"NAME" must be a number.' },
  'not-strings': { code: 400102, message: '"NAME" must be an array of strings.' },
  'not-object': { code: 400103, message: 'The request body must be a JSON object.' },
  'not-boolean': { code: 400104, message: '"NAME" must be a boolean.' },
  missing: { code: 400105, message: '"NAME" is required.' },
  'bad-cursor': { code: 400109, message: 'The page cursor is not valid.' },
  'too-long': { code: 400110, message: '"NAME" is too long.' },
  invalid: { code: 400111, message: '"NAME" has an invalid value.' },
  'key-reused': { code: 400111, message: '"Idempotency-Key" has an invalid value.' },
  'channel-not-found': { code: 400201, message: 'The channel was not found.' },
  'channel-exists': { code: 400202, message: 'The channel already exists.' },
  'fallback-protected': { code: 400204, message: 'The FALLBACK channel is protected.' },
  'limit-reached': { code: 400205, message: 'The limit for this resource is reached.' },
  'message-not-found': { code: 400302, message: 'The message was not found.' },
  'backtest-not-found': { code: 400303, message: 'The back-test was not found.' },
  'path-not-found': { code: 404100, message: 'The requested path was not found.' },
  'method-not-allowed': { code: 405100, message: 'The method is not allowed.' },
  'filters-changed': { code: 412100, message: 'The word lists have changed since this ETag was issued.' },
  'too-large': { code: 413100, message: 'The request body is too large.' },
  'encoding-unsupported': {
    code: 415100,
    message: 'The content encoding of the request body is not supported.',
  },
  'too-many-requests': { code: 429100, message: 'Too many requests.' },
  internal: { code: 500100, message: 'An internal error occurred.' },
  unavailable: { code: 503100, message: 'The service is temporarily unavailable.' },
} as const satisfies Record<ErrorKind, { readonly code: number; readonly message: string }>

const RETRY_AFTER_SECONDS = '1'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Copy this instead of building headers: it is by far the cheapest way to create them. */
export const JSON_HEADERS = new Headers({ 'Content-Type': JSON_TYPE })

export function addHeaders(headers: Headers, more: Readonly<Record<string, string>>): Headers {
  for (const name in more) headers.set(name, more[name] ?? '')
  return headers
}

export interface ErrorResponse {
  readonly status: number
  readonly body: string
  readonly headers: Headers
}

/** `base` has the headers that every response to this request has. */
export function errorResponse(thrown: unknown, base: Headers = JSON_HEADERS): ErrorResponse {
  const { kind, property, headers } = describe(thrown)
  const { code, message } = ERRORS[kind]
  return {
    status: Math.floor(code / 1000),
    body: JSON.stringify({ message: message.replace('NAME', () => property), code, error: true }),
    headers: addHeaders(new Headers(base), headers),
  }
}

function describe(thrown: unknown): Pick<RequestError, 'property' | 'headers'> & { kind: ErrorKind } {
  if (thrown instanceof RequestError) return thrown
  const kind = thrown instanceof ChatError ? thrown.kind : 'internal'
  return { kind, property: '', headers: kind === 'unavailable' ? { 'Retry-After': RETRY_AFTER_SECONDS } : {} }
}

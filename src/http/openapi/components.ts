/** The parts of the OpenAPI document that operations share. */

export const SCHEME =
  'The master token, as printed by `parley token`. Checked before anything else; any problem with it gets 400 with code ' +
  '400701. `Bearer` is case-insensitive.'

export const TAGS: Readonly<Record<string, string>> = {
  Channels: 'Open channels and their groups.',
  Bans: 'Chat bans: who may not send messages, and until when.',
  Profanity: 'Word lists for each language, and ways to try them before they are published.',
  Reports: 'Reports filed by players.',
  Messages: 'System messages, and the deletion of messages.',
  Players: 'Tokens that players connect with.',
}

/** Headers of every response, errors included. */
export const EVERY_HEADER = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

const text = { type: 'string' }

export const HEADERS: Readonly<Record<string, { readonly schema: object; readonly description: string }>> = {
  'X-Request-Id': {
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
    description:
      "Identifies the request in the server's log: the client's own id if it sent one of this form.",
  },
  RateLimit: {
    schema: text,
    description:
      'Requests left and seconds until the budget is refilled, such as `"default";r=9999;t=1`. Absent without a limit, and if ' +
      'credentials, path or method were rejected.',
  },
  'RateLimit-Policy': {
    schema: text,
    description: 'Requests per second, such as `"default";q=5000;w=1`. Absent whenever `RateLimit` is.',
  },
  'Retry-After': {
    schema: { type: 'integer', minimum: 1 },
    description: 'Seconds to wait before retrying.',
  },
  Link: { schema: text, description: 'The next page, with rel="next"; absent on the last page.' },
  ETag: {
    schema: text,
    description:
      'The version of the lists of all languages, for `If-Match` and `If-None-Match`. Each content coding has its own.',
  },
}

export const headersOf = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const PARAMETERS = {
  limit: {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
    description: 'Number of entries per page. Without `limit` and `cursor`, the response is the whole list.',
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    schema: { type: 'string' },
    description: 'Start of the page: the cursor in the `Link` header of the previous page.',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'Makes retries safe: the first response to a key is replayed, by default for 24 hours.',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'The `ETag` of the lists that the edit is based on.',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'An `ETag`: the response is 304 while the lists are unchanged.',
  },
}

/** The parts of the OpenAPI document that are the same for every operation. */

export const SCHEME =
  'The master token, as `parley token` shows it. Checked before anything else; whatever is wrong with it is answered 400 with ' +
  'code 400701. `Bearer` may be written in any case.'

export const TAGS: Readonly<Record<string, string>> = {
  Channels: 'Open channels and their groups.',
  Bans: 'Chat bans: who may not send messages, and until when.',
  Profanity: 'Word lists for each language, and ways to try them before they are published.',
  Reports: 'What players have reported.',
  Messages: 'System messages, and the removal of messages.',
  Players: 'Tokens that players connect with.',
}

/** Of every answer, refusals included. */
export const EVERY_HEADER = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']

const text = { type: 'string' }

export const HEADERS: Readonly<Record<string, { readonly schema: object; readonly description: string }>> = {
  'X-Request-Id': {
    schema: { type: 'string', pattern: '^[A-Za-z0-9_.:-]{1,128}$' },
    description: "Names the request in the server's log: the caller's own id where it sent one of this form.",
  },
  RateLimit: {
    schema: text,
    description:
      'Requests left and seconds until the budget is refilled, such as `"default";r=9999;t=1`. Absent where there is no limit, and ' +
      'where credentials, path or method were refused.',
  },
  'RateLimit-Policy': {
    schema: text,
    description: 'Requests per second, such as `"default";q=5000;w=1`. Absent where `RateLimit` is.',
  },
  'Retry-After': {
    schema: { type: 'integer', minimum: 1 },
    description: 'Seconds to wait before the request is worth repeating.',
  },
  Link: { schema: text, description: 'The next page, with rel="next"; absent on the last one.' },
  ETag: {
    schema: text,
    description:
      'The version of the list, for `If-Match` and `If-None-Match`. Differs between content codings.',
  },
}

/** By reference. */
export const headersOf = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const PARAMETERS = {
  limit: {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
    description: 'Entries of one page. Without `limit` and `cursor` the answer is the whole list.',
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    schema: { type: 'string' },
    description: 'Where the page begins: the cursor of the `Link` that came with the page before.',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'Makes a retry safe: the first answer to a key is given again, by default for 24 hours.',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'The `ETag` of the list that the edit was made from.',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'An `ETag`: the answer is 304 while the list is the same.',
  },
}

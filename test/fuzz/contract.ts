import { BODY_BYTES } from './bodies.ts'
import type { WireRequest, WireResponse } from './client.ts'

/** The contract of every API response, stated independently of the server's own code. */

const BASE = '/chat/v1'
const JSON_TYPE = 'application/json; charset=utf-8'
const NAMES =
  'channel_group channel_name max_count is_default is_autoscaling gamer_id days language filters texts limit ' +
  'channel_type channel_id message message_id backtest_id Idempotency-Key'

const about = (rest: string) => new RegExp(`^"(?:${NAMES.replaceAll(' ', '|')})" ${rest}$`)
const exactly = (message: string) => new RegExp(`^${message.replaceAll('.', '\\.')}$`)

export const ERROR_TABLE: Readonly<Record<number, RegExp>> = {
  400100: about('must be a string\\.'),
  400101: about('must be a number\\.'),
  400102: about('must be an array of strings\\.'),
  400103: exactly('The request body must be a JSON object.'),
  400104: about('must be a boolean\\.'),
  400105: about('is required\\.'),
  400109: exactly('The page cursor is not valid.'),
  400110: about('is too long\\.'),
  400111: about('has an invalid value\\.'),
  400201: exactly('The channel was not found.'),
  400202: exactly('The channel already exists.'),
  400205: exactly('The limit for this resource is reached.'),
  400302: exactly('The message was not found.'),
  400303: exactly('The back-test was not found.'),
  400701: exactly('There is a problem with the user credentials.'),
  404100: exactly('The requested path was not found.'),
  405100: exactly('The method is not allowed.'),
  412100: exactly('The word lists have changed since this ETag was issued.'),
  413100: exactly('The request body is too large.'),
  415100: exactly('The content encoding of the request body is not supported.'),
}

type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

const text: Check = (value) => typeof value === 'string'
const flag: Check = (value) => typeof value === 'boolean'
const number: Check = (value) => typeof value === 'number'
const whole: Check = (value) => Number.isSafeInteger(value)
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const spacedTime = matches(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
const isoTime = matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const listOf = (check: Check) => (value: unknown) => Array.isArray(value) && value.every(check)
const maybe = (check: Check) => (value: unknown) => value === undefined || check(value)

/** Exactly these fields, except for optional ones. */
const object = (shape: Shape) => (value: unknown) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return (
    [...fields.keys()].every((name) => Object.hasOwn(shape, name)) &&
    Object.entries(shape).every(([name, check]) => check(fields.get(name)))
  )
}

const keys = { channel_group: text, channel_name: text, channel_id: whole }
const created = object({ ...keys, max_count: whole, is_default: flag, create_at: spacedTime })
const listed = object({
  channel_name: text,
  channel_id: whole,
  max_count: whole,
  is_default: flag,
  is_autoscaling: flag,
  players: listOf(object({ gamer_id: text, gamer_name: text })),
  last_chat_time: spacedTime,
  create_at: spacedTime,
})
const restricted = object({ gamer_id: text, count: whole, start_time: isoTime, end_time: isoTime })
const profanity = object({ language: text, filters: listOf(text) })
const rule = matches(/^(word|open|inflection|compound|disguise|split)$/)
const hit = object({ start: whole, end: whole, expression: text, language: text, rule })
const verdict = matches(/^(clean|masked|blocked)$/)
const checked = object({ text, filtered: text, verdict, hits: listOf(hit) })
const sample = object({ message_id: text, gamer_id: text, time: isoTime, text, hits: listOf(hit) })
const caught = object({ count: whole, samples: listOf(sample) })
const backtest = object({
  backtest_id: text,
  state: matches(/^(running|done|failed)$/),
  language: text,
  days: number,
  scanned: whole,
  total: whole,
  judged: whole,
  newly_caught: caught,
  no_longer_caught: caught,
  still_caught: caught,
})
const announced = object({ ...keys, channel_type: whole, channel_id: maybe(whole), message: text })

/** Percent-encoded, as they appear in a path. */
const MESSAGE_IDS = ['none', '__proto__', '%2F', '%00', '%FF', '%zz', '%', '%F0%9F%92%A9', 'x'.repeat(200)]

export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  '/open_channel_groups': { GET: listOf(text) },
  '/open_channels': { GET: listOf(listed), PUT: created, PATCH: created, DELETE: listOf(object(keys)) },
  '/block_user_list': { GET: listOf(restricted) },
  '/block_user_chat': { PUT: object({ gamer_id: text, days: number }), DELETE: object({ gamer_id: text }) },
  '/bad_word_list': { GET: listOf(profanity), PUT: profanity },
  '/report_list': { GET: listOf(() => false) },
  '/allow_list': { GET: listOf(profanity), PUT: profanity },
  '/filter_check': { POST: object({ results: listOf(checked) }) },
  '/filter_backtest': { POST: backtest, GET: backtest },
  '/system_message': { POST: announced },
  // There are no messages, so none of these succeeds.
  ...Object.fromEntries(MESSAGE_IDS.map((id) => [`/messages/${id}`, { DELETE: () => false }])),
}

const ECHOED = new Set([
  'PUT /block_user_chat',
  'PUT /bad_word_list',
  'PUT /allow_list',
  'POST /system_message',
])

/** Pages that need no credentials. The response of `/` is not part of this contract. */
const PAGES = new Set(['/livez', '/readyz', '/metrics', `${BASE}/openapi.json`, `${BASE}/docs`])

export interface CheckedRequest {
  readonly request: WireRequest
  readonly credentials: 'right' | 'wrong'
}

/** Returns how the response violates the contract; undefined when it does not. */
export function findViolation(
  { request, credentials }: CheckedRequest,
  response: WireResponse,
): string | undefined {
  const { method } = request
  const path = pathOf(request.target)
  const isApi = path === BASE || path.startsWith(`${BASE}/`)
  const isRead = method === 'GET' || method === 'HEAD'
  const bare = findFrameViolation(request, response)
  if (bare !== undefined) return bare
  if (path === '/') return undefined
  if (PAGES.has(path) && isRead) return response.status === 200 ? undefined : 'a page failed'
  if (response.body !== '' && response.headers.get('content-type') !== JSON_TYPE)
    return 'unexpected content type'
  const methods = OPERATIONS[path.slice(BASE.length)]
  const isKnown = isApi && methods !== undefined
  const check = isKnown ? methods[method === 'HEAD' ? 'GET' : method] : undefined

  if (isApi && credentials === 'wrong' && !PAGES.has(path)) return requireCode(response, method, 400701)
  if (PAGES.has(path)) return credentials === 'right' ? findMethodViolation(response, method) : undefined
  if (!isKnown) return requireCode(response, method, 404100)
  if (check === undefined) return findMethodViolation(response, method)
  if (!isRead && isEncoded(request)) return requireCode(response, method, 415100)
  if (!isRead && (request.body?.length ?? 0) > BODY_BYTES) return requireCode(response, method, 413100)
  if (response.status === 304)
    return /\/(bad_word|allow)_list$/.test(path) && isRead ? undefined : 'unexpected 304'
  if (response.status !== 200) return findEnvelopeViolation(response, method)
  return method === 'HEAD' ? undefined : findSuccessViolation(request, response, check)
}

const isEncoded = ({ headers }: WireRequest) =>
  headers.some(([name, value]) => /^content-encoding$/i.test(name) && !/^\s*(identity\s*)?$/i.test(value))

/** Resolves dots and backslashes as the WHATWG URL standard does. */
export const pathOf = (target: string) =>
  new URL(target.startsWith('/') ? `http://localhost${target}` : target).pathname

const SANE_ID = /^[\w.:-]{1,128}$/

function findFrameViolation(
  { method, headers }: WireRequest,
  { status, headers: answered, body }: WireResponse,
) {
  const id = answered.get('x-request-id')
  if (id === undefined || !SANE_ID.test(id)) return 'missing or invalid X-Request-Id'
  const sent = headers
    .find(([name]) => name.toLowerCase() === 'x-request-id')?.[1]
    .replace(/^[ \t]+|[ \t]+$/g, '')
  if (sent !== undefined && SANE_ID.test(sent) && sent !== id) return 'X-Request-Id is not the one sent'
  if (!(status >= 200 && status < 500)) return `status ${status}`
  if (method === 'HEAD' && body !== '') return 'a response to HEAD with a body'
  return undefined
}

function findSuccessViolation({ method, target, body }: WireRequest, response: WireResponse, check: Check) {
  const answered: unknown = JSON.parse(response.body)
  if (!check(answered)) return 'a success response with the wrong shape'
  if (body === undefined || !ECHOED.has(`${method} ${pathOf(target).slice(BASE.length)}`)) return undefined
  const sent = new Map<string, unknown>(Object.entries(JSON.parse(new TextDecoder().decode(body))))
  const echo = Object.entries(answered as object)
  return echo.every(([name, value]) => JSON.stringify(sent.get(name)) === JSON.stringify(value))
    ? undefined
    : 'the echo differs from the request'
}

const requireCode = (response: WireResponse, method: string, code: number) =>
  findEnvelopeViolation(response, method) ??
  (method === 'HEAD' || JSON.parse(response.body).code === code ? undefined : `not ${code}`)

function findMethodViolation(response: WireResponse, method: string): string | undefined {
  if (!response.headers.has('allow')) return 'missing Allow'
  return method === 'OPTIONS' && response.status === 204 ? undefined : requireCode(response, method, 405100)
}

const isEnvelope = object({ message: text, code: whole, error: (value) => value === true })

function findEnvelopeViolation({ status, body }: WireResponse, method: string): string | undefined {
  if (method === 'HEAD')
    return Object.keys(ERROR_TABLE).some((code) => code.startsWith(`${status}`)) ? undefined : 'status'
  const envelope = parse(body)
  if (!isEnvelope(envelope)) return 'missing error envelope'
  const { message, code } = envelope as { message: string; code: number }
  if (!ERROR_TABLE[code]?.test(message)) return 'an undocumented code or message'
  return Math.floor(code / 1000) === status ? undefined : 'the status does not match the code'
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

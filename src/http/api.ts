import { createHash } from 'node:crypto'
import type { App } from '../core/app.ts'
import type { Clock } from '../core/clock.ts'
import { ChatError } from '../core/errors.ts'
import type { Once } from '../core/store.ts'
import { authenticate, type Credential, type Principal, permits } from './auth.ts'
import { parseObject, readBody } from './body.ts'
import { answerError, JSON_TYPE, RequestError } from './errors.ts'
import { type Cursor, type Page, readPage, writeCursor } from './lists.ts'
import type { Answer, Method, Operation } from './operation.ts'
import { FailureBrake, type RateLimit, RateLimiter } from './rate-limit.ts'
import { parse } from './schemas.ts'

export const BASE_PATH = '/chat/v1'

export interface ApiOptions {
  readonly operations: readonly Operation[]
  /** Paths below the base path that something else answers GET and HEAD of. */
  readonly readOnlyPaths: ReadonlySet<string>
  readonly credentials: readonly Credential[]
  readonly rateLimit: RateLimit | undefined
  readonly bodyBytes: number
  readonly idempotencyMs: number
  readonly clock: Clock
}

/** A request to the API, with what the listener knows of it. */
export interface ApiRequest {
  readonly request: Request
  readonly path: string
  readonly query: string
  readonly address: () => string
  readonly isDraining: boolean
}

export interface ApiAnswer {
  /** The id of the operation, '' when the request did not get so far. */
  readonly operation: string
  readonly status: number
  readonly body: string | null
  readonly headers: Record<string, string>
  /** What made it a refusal. */
  readonly thrown?: unknown
}

/** How far a request got, for the answer when it is refused. */
interface Reached {
  operation: string
  headers: Readonly<Record<string, string>>
}

/** Answers management requests. */
export class Api {
  readonly #app: App
  readonly #options: ApiOptions
  readonly #routes: ReadonlyMap<string, ReadonlyMap<string, Operation>>
  readonly #limiter: RateLimiter | undefined
  readonly #brake: FailureBrake

  constructor(app: App, options: ApiOptions) {
    this.#app = app
    this.#options = options
    this.#routes = routeTable(options.operations)
    this.#limiter = options.rateLimit && new RateLimiter(options.rateLimit, options.clock)
    this.#brake = new FailureBrake(options.clock)
  }

  async answer(incoming: ApiRequest): Promise<ApiAnswer> {
    const reached: Reached = { operation: '', headers: {} }
    try {
      return await this.#carryOut(incoming, reached)
    } catch (thrown) {
      const { status, body, headers } = answerError(thrown)
      return {
        operation: reached.operation,
        status,
        body,
        headers: { ...headers, ...reached.headers },
        thrown,
      }
    }
  }

  /** The order of the checks is part of the API: credentials, path, method, rate, size, JSON, types, values, state. */
  async #carryOut(incoming: ApiRequest, reached: Reached): Promise<ApiAnswer> {
    const { request, path } = incoming
    const principal = authenticate(request.headers.get('authorization'), this.#options.credentials)
    if (principal === undefined) return this.#refuseCredentials(incoming)
    const methods = this.#routes.get(path)
    if (methods === undefined) return this.#refusePath(incoming)
    const operation = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (operation === undefined) return refuseMethod(request.method, [...methods.keys()])
    reached.operation = operation.id
    if (!permits(principal.role, operation.role)) throw new RequestError('credentials')
    const rate = this.#limiter?.take(principal.id)
    if (rate !== undefined) reached.headers = rate.headers
    if (rate?.allowed === false) throw new RequestError('too-many-requests')
    if (incoming.isDraining) throw new ChatError('unavailable')
    const sent =
      operation.method === 'GET'
        ? readQuery(operation, incoming)
        : await this.#readBody(operation, incoming, principal)
    const answer = await operation.handle({
      app: this.#app,
      input: sent.input as never,
      page: sent.page,
      once: sent.once,
      header: (name) => request.headers.get(name),
    })
    return present(operation, answer, incoming, reached.headers)
  }

  async #refuseCredentials({ address }: ApiRequest): Promise<never> {
    const delay = this.#brake.delayMs(address())
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    throw new RequestError('credentials')
  }

  #refusePath({ request, path }: ApiRequest): ApiAnswer {
    if (this.#options.readOnlyPaths.has(path)) return refuseMethod(request.method, ['GET'])
    throw new RequestError('path-unknown')
  }

  async #readBody(operation: Operation, { request, query }: ApiRequest, principal: Principal): Promise<Sent> {
    const body = await readBody(request, this.#options.bodyBytes)
    const isInQuery = operation.method === 'DELETE' && body === '' && query !== ''
    const input = parse(operation.input, isInQuery ? readParameters(operation, query) : parseObject(body))
    const key = request.headers.get('idempotency-key')
    const once =
      key === null ? undefined : this.#once(key, operation, { body: isInQuery ? query : body, principal })
    return { input, page: undefined, once }
  }

  #once(
    key: string,
    { method, path }: Operation,
    { body, principal }: { body: string; principal: Principal },
  ): Once {
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new RequestError('invalid', 'Idempotency-Key')
    const at = this.#options.clock()
    return {
      key: `${principal.holder} ${key}`,
      fingerprint: createHash('sha256').update(`${method} ${path}\n${body}`).digest('base64url'),
      at,
      expiresAt: at + this.#options.idempotencyMs,
    }
  }
}

function routeTable(operations: readonly Operation[]): ReadonlyMap<string, ReadonlyMap<Method, Operation>> {
  const byPath = Map.groupBy(operations, ({ path }) => BASE_PATH + path)
  return new Map(Array.from(byPath, ([path, rows]) => [path, new Map(rows.map((row) => [row.method, row]))]))
}

function refuseMethod(method: string, allowed: readonly string[]): ApiAnswer {
  const Allow = [
    ...(allowed.includes('GET') ? ['GET', 'HEAD'] : []),
    ...allowed.filter((m) => m !== 'GET'),
    'OPTIONS',
  ].join(', ')
  if (method !== 'OPTIONS') throw new RequestError('method-not-allowed', '', { Allow })
  return { operation: '', status: 204, body: null, headers: { Allow } }
}

const NOTHING = {}

/** What a request brings, read and checked. */
interface Sent {
  readonly input: unknown
  readonly page: Page | undefined
  readonly once: Once | undefined
}

function readQuery(operation: Operation, { query }: ApiRequest): Sent {
  if (query === '') return { input: parse(operation.input, NOTHING), page: undefined, once: undefined }
  const parameters = readParameters(operation, query)
  const input = parse(operation.input, parameters)
  return { input, page: operation.output.list ? readPage(parameters) : undefined, once: undefined }
}

const REPLACEMENT = '\ufffd'

/** Of a parameter that stands twice the last one counts. Bytes that are not UTF-8 are refused, as in a body. */
function readParameters({ input }: Operation, query: string): Record<string, string> {
  const parameters = Object.fromEntries(new URLSearchParams(query))
  const broken = Object.keys(input.shape).find((name) => parameters[name]?.includes(REPLACEMENT))
  if (broken !== undefined && !query.toUpperCase().includes(encodeURIComponent(REPLACEMENT))) {
    throw new RequestError('invalid', broken)
  }
  return parameters
}

function present(
  operation: Operation,
  answer: Answer,
  incoming: ApiRequest,
  rateHeaders: Readonly<Record<string, string>>,
): ApiAnswer {
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE, ...rateHeaders, ...answer.headers }
  if ('next' in answer && answer.next !== undefined) headers['Link'] = nextLink(incoming, answer.next)
  const status = 'status' in answer ? answer.status : 200
  return { operation: operation.id, status, body: bodyOf(answer), headers }
}

function bodyOf(answer: Answer): string | null {
  if ('body' in answer) return answer.body
  return 'value' in answer ? JSON.stringify(answer.value) : null
}

function nextLink({ path, query }: ApiRequest, cursor: Cursor): string {
  const next = new URLSearchParams(query)
  next.set('cursor', writeCursor(cursor))
  return `<${path}?${next}>; rel="next"`
}

import { createHash } from 'node:crypto'
import type { App } from '../core/app.ts'
import type { Clock } from '../core/clock.ts'
import { ChatError } from '../core/errors.ts'
import type { Once } from '../core/store.ts'
import { authenticate, type Credential, type Principal, permits } from './auth.ts'
import { parseObject, readBody } from './body.ts'
import { answerError, JSON_TYPE, RequestError } from './errors.ts'
import { readPage, writeCursor } from './lists.ts'
import type { Answer, Method, Operation } from './operation.ts'
import { FailureBrake, type RateLimit, RateLimiter } from './rate-limit.ts'
import { parse } from './schemas.ts'

export const BASE_PATH = '/chat/v1'

export interface ApiOptions {
  readonly operations: readonly Operation[]
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
  readonly headers: Readonly<Record<string, string>>
  /** What made it a refusal. */
  readonly thrown?: unknown
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
    const reached = { operation: '' }
    try {
      return await this.#carryOut(incoming, reached)
    } catch (thrown) {
      return { ...reached, ...answerError(thrown), thrown }
    }
  }

  /** The order of the checks is part of the API: credentials, path, method, rate, size, JSON, types, values, state. */
  async #carryOut(incoming: ApiRequest, reached: { operation: string }): Promise<ApiAnswer> {
    const { request, path, query } = incoming
    const principal = await this.#authenticate(incoming)
    const methods = this.#routes.get(path)
    if (methods === undefined) throw new RequestError('path-unknown')
    const operation = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (operation === undefined) return refuseMethod(request.method, [...methods.keys()])
    reached.operation = operation.id
    if (!permits(principal.role, operation.role)) throw new RequestError('credentials')
    const rate = this.#limiter?.take(principal.name)
    if (rate?.allowed === false) throw new RequestError('too-many-requests', '', rate.headers)
    if (incoming.isDraining) throw new ChatError('unavailable')
    const parameters = new URLSearchParams(query)
    const page = operation.output.list && operation.method === 'GET' ? readPage(parameters) : undefined
    const { input, once } = await this.#read(operation, { request, query, parameters, principal })
    const header = (name: string) => request.headers.get(name)
    const answer = await operation.handle({ app: this.#app, input: input as never, page, once, header })
    return { operation: operation.id, ...present(answer, incoming, rate?.headers) }
  }

  async #authenticate({ request, address }: ApiRequest): Promise<Principal> {
    const principal = authenticate(request.headers.get('authorization'), this.#options.credentials)
    if (principal !== undefined) return principal
    const delay = this.#brake.delayMs(address())
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    throw new RequestError('credentials')
  }

  async #read(
    operation: Operation,
    from: { request: Request; query: string; parameters: URLSearchParams; principal: Principal },
  ): Promise<{ input: unknown; once: Once | undefined }> {
    if (operation.method === 'GET') {
      return { input: parse(operation.input, Object.fromEntries(from.parameters)), once: undefined }
    }
    const body = await readBody(from.request, this.#options.bodyBytes)
    const fromQuery = operation.method === 'DELETE' && body === '' && from.query !== ''
    const sent = fromQuery ? Object.fromEntries(from.parameters) : parseObject(body)
    const input = parse(operation.input, sent)
    const key = from.request.headers.get('idempotency-key')
    if (key === null) return { input, once: undefined }
    return {
      input,
      once: this.#once(key, operation, { body: fromQuery ? from.query : body, principal: from.principal }),
    }
  }

  #once(
    key: string,
    { method, path }: Operation,
    { body, principal }: { body: string; principal: Principal },
  ): Once {
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new RequestError('invalid', 'Idempotency-Key')
    const at = this.#options.clock()
    return {
      key: `${principal.name} ${key}`,
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

function present(
  answer: Answer,
  { path, query }: ApiRequest,
  rateHeaders: Readonly<Record<string, string>> | undefined,
): Omit<ApiAnswer, 'operation'> {
  const headers = { 'Content-Type': JSON_TYPE, ...rateHeaders, ...answer.headers }
  if ('status' in answer) return { status: answer.status, body: null, headers }
  if ('value' in answer) return { status: 200, body: JSON.stringify(answer.value), headers }
  if (answer.next === undefined) return { status: 200, body: answer.body, headers }
  const next = new URLSearchParams(query)
  next.set('cursor', writeCursor(answer.next))
  return { status: 200, body: answer.body, headers: { ...headers, Link: `<${path}?${next}>; rel="next"` } }
}

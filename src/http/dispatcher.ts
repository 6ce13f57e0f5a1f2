import type { App } from '../core/app.ts'
import type { Idempotency } from '../core/context.ts'
import { ChatError } from '../core/errors.ts'
import type { Clock } from '../core/ports/clock.ts'
import { andThen } from './and-then.ts'
import { type Authenticator, type Principal, permits } from './authenticator.ts'
import {
  type BodyJob,
  decodeSegments,
  fingerprintOf,
  LONG_BYTES,
  type ParsedBody,
  parseBody,
  readBody,
} from './body/body.ts'
import type { BodyParser } from './body/body-parser.ts'
import { parse } from './body/parse.ts'
import { JSON_HEADERS, RequestError } from './errors.ts'
import { BASE_PATH, type Operation, type OperationResult } from './operation.ts'
import { type Page, readPage } from './paging.ts'
import { FailureBackoff, type RateLimit, RateLimiter } from './rate-limit.ts'
import { type ApiResponse, type Progress, reject, rejectMethod, toResponse } from './response.ts'
import { type Route, Router } from './router.ts'
import { type Permit, Semaphore } from './semaphore.ts'

/** Requests with long bodies in progress at the same time, from the first byte read to the response. */
const LONG_BODIES = { permits: 4, maxQueued: 60 }

export interface DispatcherOptions {
  readonly operations: readonly Operation[]
  /** Paths below the base path that are pages: only GET and HEAD are allowed. */
  readonly readOnlyPaths: ReadonlySet<string>
  readonly authenticator: Authenticator
  readonly rateLimit: RateLimit | undefined
  readonly bodyBytes: number
  readonly bodyParser: Pick<BodyParser, 'parse'>
  readonly idempotencyMs: number
  readonly clock: Clock
  /** For rate limits, which a change of the system time must not affect. */
  readonly monotonicClock: Clock
}

/** A request to the API, as the listener received it. */
export interface ApiRequest {
  readonly request: Request
  readonly path: string
  readonly query: string
  readonly requestId: string
  readonly address: () => string
  /** Aborted when the server begins to drain. */
  readonly draining: AbortSignal
}

/** Dispatches management requests to operations. */
export class Dispatcher {
  readonly #app: App
  readonly #options: DispatcherOptions
  readonly #router: Router
  /** The parsed empty query of each read: most requests have no parameters. */
  readonly #emptyQueryInputs: ReadonlyMap<Operation, ParsedRequest>
  readonly #longBodies = new Semaphore(LONG_BODIES)
  readonly #limiter: RateLimiter | undefined
  readonly #backoff: FailureBackoff

  constructor(app: App, options: DispatcherOptions) {
    this.#app = app
    this.#options = options
    this.#router = new Router(options.operations, BASE_PATH)
    this.#emptyQueryInputs = new Map(options.operations.flatMap(parseEmptyQuery))
    this.#limiter =
      options.rateLimit && new RateLimiter(options.rateLimit, options.monotonicClock, JSON_HEADERS)
    this.#backoff = new FailureBackoff(options.monotonicClock)
  }

  /** Returns synchronously where nothing has to be awaited, as for most reads. */
  handle(incoming: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const progress: Progress = { operation: '', headers: JSON_HEADERS }
    try {
      const response = this.#dispatch(incoming, progress)
      return response instanceof Promise ? response.catch((thrown) => reject(thrown, progress)) : response
    } catch (thrown) {
      return reject(thrown, progress)
    }
  }

  /** The order of the checks is part of the API: credentials, path, method, rate, encoding, size, JSON, types, values, state. */
  #dispatch(incoming: ApiRequest, progress: Progress): ApiResponse | Promise<ApiResponse> {
    const { request, path } = incoming
    const principal = this.#options.authenticator.authenticate(request)
    if (principal === undefined) return this.#rejectCredentials(incoming)
    const route = this.#router.find(path)
    if (route === undefined) return this.#rejectPath(incoming)
    const { methods, segments } = route
    const operation = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (operation === undefined) return rejectMethod(request.method, [...methods.keys()])
    progress.operation = operation.id
    if (!permits(principal.role, operation.role)) throw new RequestError('credentials')
    const rate = this.#limiter?.take(principal.id)
    progress.headers = rate?.headers ?? new Headers(JSON_HEADERS)
    if (rate?.isAllowed === false) throw new RequestError('too-many-requests', '', { 'Retry-After': '1' })
    if (incoming.draining.aborted) throw new ChatError('unavailable')
    const target = { operation, segments, principal }
    const result =
      operation.method === 'GET'
        ? this.#run(target, incoming, this.#parseQuery(target, incoming))
        : this.#handleBody(target, incoming)
    return andThen(result, (given) => toResponse(given, operation, incoming, progress))
  }

  /** The permit of a long body is released with the response, so that memory stays bounded. */
  async #handleBody(target: Target, incoming: ApiRequest): Promise<OperationResult> {
    using permit = this.#longBodies.permit()
    const parsed = await this.#readBody(target, incoming, permit)
    return await this.#run(target, incoming, parsed)
  }

  #run(
    { operation, principal }: Target,
    { request, requestId, draining }: ApiRequest,
    { input, page, idempotency }: ParsedRequest,
  ): OperationResult | Promise<OperationResult> {
    const header = (name: string) => request.headers.get(name)
    const actor = { kind: 'operator', id: principal.holder } as const
    const context = { actor, requestId, idempotency }
    return operation.handle({ app: this.#app, input: input as never, page, context, header, draining })
  }

  async #rejectCredentials({ address }: ApiRequest): Promise<never> {
    const delay = this.#backoff.delayMs(address())
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    throw new RequestError('credentials')
  }

  #rejectPath({ request, path }: ApiRequest): ApiResponse {
    if (this.#options.readOnlyPaths.has(path)) return rejectMethod(request.method, ['GET'])
    throw new RequestError('path-not-found')
  }

  #parseQuery({ operation, segments }: Target, { query }: ApiRequest): ParsedRequest {
    const empty = query === '' ? this.#emptyQueryInputs.get(operation) : undefined
    if (empty !== undefined) return empty
    const parameters = readParameters(operation, query)
    const input = parse(operation.input, { ...parameters, ...decodeSegments(segments) })
    return { input, page: operation.output.isList ? readPage(parameters) : undefined, idempotency: undefined }
  }

  async #readBody(
    target: Target,
    { request, path, query }: ApiRequest,
    permit: Permit,
  ): Promise<ParsedRequest> {
    const { operation, segments } = target
    rejectEncoding(request.headers.get('content-encoding'))
    const bytes = await readBody(request, this.#options.bodyBytes, permit)
    const key = operation.ignoresKey ? null : request.headers.get('idempotency-key')
    const requestLine = key === null ? undefined : `${operation.method} ${path.slice(BASE_PATH.length)}`
    const hasInputElsewhere = query !== '' || Object.keys(segments).length > 0
    const { input, fingerprint } =
      operation.method === 'DELETE' && hasInputElsewhere && isEmpty(bytes)
        ? parseQueryOfDelete(operation, query, { segments, requestLine })
        : await this.#parseBody(operation, { bytes, segments, requestLine })
    return { input, page: undefined, idempotency: this.#idempotency(key, fingerprint, target) }
  }

  #parseBody(operation: Operation, job: BodyJob): ParsedBody | Promise<ParsedBody> {
    return job.bytes.byteLength > LONG_BYTES
      ? this.#options.bodyParser.parse(operation.id, job)
      : parseBody(operation.input, job)
  }

  #idempotency(
    key: string | null,
    fingerprint: string | undefined,
    { principal }: Target,
  ): Idempotency | undefined {
    if (key === null || fingerprint === undefined) return undefined
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new RequestError('invalid', 'Idempotency-Key')
    const at = this.#options.clock()
    return {
      key: `${principal.holder} ${key}`,
      fingerprint,
      at,
      expiresAt: at + this.#options.idempotencyMs,
    }
  }
}

/** Some clients and proxies send an empty object in place of no body. */
const isEmpty = (bytes: Uint8Array) =>
  bytes.byteLength <= LONG_BYTES && /^(\s*\{\s*\}\s*)?$/.test(Buffer.from(bytes).toString())

/** Compressed bodies are rejected, because their length does not limit what they expand to. */
function rejectEncoding(encoding: string | null): void {
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity' && encoding.trim() !== '')
    throw new RequestError('encoding-unsupported', '', { 'Accept-Encoding': 'identity' })
}

function parseQueryOfDelete(
  operation: Operation,
  query: string,
  { segments, requestLine }: Omit<BodyJob, 'bytes'>,
): ParsedBody {
  const input = parse(operation.input, { ...readParameters(operation, query), ...decodeSegments(segments) })
  return { input, fingerprint: requestLine === undefined ? undefined : fingerprintOf(requestLine, query) }
}

/** The operation of a request and its caller. */
interface Target extends Pick<Route, 'segments'> {
  readonly operation: Operation
  readonly principal: Principal
}

interface ParsedRequest {
  readonly input: unknown
  readonly page: Page | undefined
  readonly idempotency: Idempotency | undefined
}

function parseEmptyQuery(operation: Operation): [Operation, ParsedRequest][] {
  const { success, data } = operation.input.safeParse({})
  return success ? [[operation, { input: data, page: undefined, idempotency: undefined }]] : []
}

const REPLACEMENT = '\ufffd'

/** The last value of a repeated parameter wins. Rejects bytes that are not UTF-8, as in a body. */
function readParameters({ input }: Operation, query: string): Record<string, string> {
  const parameters = Object.fromEntries(new URLSearchParams(query))
  const broken = Object.keys(input.shape).find((name) => parameters[name]?.includes(REPLACEMENT))
  if (broken !== undefined && !query.toUpperCase().includes(encodeURIComponent(REPLACEMENT))) {
    throw new RequestError('invalid', broken)
  }
  return parameters
}

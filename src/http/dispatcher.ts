import type { App } from '../core/app.ts'
import { ChatError } from '../core/errors.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Idempotency } from '../core/ports/store.ts'
import { andThen } from './and-then.ts'
import { authenticate, type Credential, type Principal, permits } from './auth.ts'
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
import type { Body, CompressedVariants } from './compression.ts'
import { addHeaders, errorResponse, JSON_HEADERS, RequestError } from './errors.ts'
import { BASE_PATH, type Operation, type OperationResult } from './operation.ts'
import { type Cursor, type Page, readPage, writeCursor } from './paging.ts'
import { FailureBackoff, type RateLimit, RateLimiter } from './rate-limit.ts'
import { type Route, Router } from './router.ts'
import { type Permit, Semaphore } from './semaphore.ts'

/** Requests with long bodies that are worked on at a time, from the first byte read to the answer. */
const LONG_BODIES = { permits: 4, maxQueued: 60 }

export interface DispatcherOptions {
  readonly operations: readonly Operation[]
  /** Paths below the base path that something else answers GET and HEAD of. */
  readonly readOnlyPaths: ReadonlySet<string>
  readonly credentials: readonly Credential[]
  readonly rateLimit: RateLimit | undefined
  readonly bodyBytes: number
  readonly bodyParser: Pick<BodyParser, 'parse'>
  readonly idempotencyMs: number
  readonly clock: Clock
  /** For the rate limit, which a step of the date must not change. */
  readonly monotonicClock: Clock
}

/** A request to the API, with what the listener knows of it. */
export interface ApiRequest {
  readonly request: Request
  readonly path: string
  readonly query: string
  readonly address: () => string
  readonly isDraining: boolean
}

export interface ApiResponse {
  /** The id of the operation, '' when the request did not get so far. */
  readonly operation: string
  readonly status: number
  readonly body: Body
  readonly headers: Headers
  readonly variants?: CompressedVariants | undefined
  readonly isSecret?: boolean | undefined
  /** What made it a refusal. */
  readonly thrown?: unknown
}

/** How far a request got, for the answer when it is refused. */
interface Progress {
  operation: string
  headers: Headers
}

/** Answers management requests. */
export class Dispatcher {
  readonly #app: App
  readonly #options: DispatcherOptions
  readonly #router: Router
  /** What the reads make of an empty query, by operation: most are asked with none. */
  readonly #emptyQueryInputs: ReadonlyMap<Operation, ParsedRequest>
  readonly #longBodies = new Semaphore(LONG_BODIES)
  readonly #limiter: RateLimiter | undefined
  readonly #backoff: FailureBackoff

  constructor(app: App, options: DispatcherOptions) {
    this.#app = app
    this.#options = options
    this.#router = new Router(options.operations, BASE_PATH)
    this.#emptyQueryInputs = new Map(options.operations.flatMap(readEmptyQuery))
    this.#limiter =
      options.rateLimit && new RateLimiter(options.rateLimit, options.monotonicClock, JSON_HEADERS)
    this.#backoff = new FailureBackoff(options.monotonicClock)
  }

  /** Answers at once where nothing has to be waited for, which is most of the reads. */
  handle(incoming: ApiRequest): ApiResponse | Promise<ApiResponse> {
    const progress: Progress = { operation: '', headers: JSON_HEADERS }
    try {
      const answer = this.#dispatch(incoming, progress)
      return answer instanceof Promise ? answer.catch((thrown) => refuse(thrown, progress)) : answer
    } catch (thrown) {
      return refuse(thrown, progress)
    }
  }

  /** The order of the checks is part of the API: credentials, path, method, rate, encoding, size, JSON, types, values, state. */
  #dispatch(incoming: ApiRequest, progress: Progress): ApiResponse | Promise<ApiResponse> {
    const { request, path } = incoming
    const principal = authenticate(request.headers.get('authorization'), this.#options.credentials)
    if (principal === undefined) return this.#refuseCredentials(incoming)
    const route = this.#router.find(path)
    if (route === undefined) return this.#refusePath(incoming)
    const { methods, segments } = route
    const operation = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (operation === undefined) return refuseMethod(request.method, [...methods.keys()])
    progress.operation = operation.id
    if (!permits(principal.role, operation.role)) throw new RequestError('credentials')
    const rate = this.#limiter?.take(principal.id)
    progress.headers = rate?.headers ?? new Headers(JSON_HEADERS)
    if (rate?.isAllowed === false) throw new RequestError('too-many-requests', '', { 'Retry-After': '1' })
    if (incoming.isDraining) throw new ChatError('unavailable')
    const found = { operation, segments, principal }
    const answer =
      operation.method === 'GET'
        ? this.#run(operation, request, this.#readQuery(found, incoming))
        : this.#handleBody(found, incoming)
    return andThen(answer, (given) => present(given, operation, incoming, progress))
  }

  /** What a long body needs is given back when the request is answered, so that memory stays bounded. */
  async #handleBody(found: Found, incoming: ApiRequest): Promise<OperationResult> {
    using permit = this.#longBodies.permit()
    const sent = await this.#readBody(found, incoming, permit)
    return await this.#run(found.operation, incoming.request, sent)
  }

  #run(
    operation: Operation,
    { headers }: Request,
    { input, page, idempotency }: ParsedRequest,
  ): OperationResult | Promise<OperationResult> {
    const header = (name: string) => headers.get(name)
    return operation.handle({ app: this.#app, input: input as never, page, idempotency, header })
  }

  async #refuseCredentials({ address }: ApiRequest): Promise<never> {
    const delay = this.#backoff.delayMs(address())
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    throw new RequestError('credentials')
  }

  #refusePath({ request, path }: ApiRequest): ApiResponse {
    if (this.#options.readOnlyPaths.has(path)) return refuseMethod(request.method, ['GET'])
    throw new RequestError('path-unknown')
  }

  #readQuery({ operation, segments }: Found, { query }: ApiRequest): ParsedRequest {
    const emptyQuery = query === '' ? this.#emptyQueryInputs.get(operation) : undefined
    if (emptyQuery !== undefined) return emptyQuery
    const parameters = readParameters(operation, query)
    const input = parse(operation.input, { ...parameters, ...decodeSegments(segments) })
    return { input, page: operation.output.isList ? readPage(parameters) : undefined, idempotency: undefined }
  }

  async #readBody(
    found: Found,
    { request, path, query }: ApiRequest,
    permit: Permit,
  ): Promise<ParsedRequest> {
    const { operation, segments } = found
    refuseEncoding(request.headers.get('content-encoding'))
    const bytes = await readBody(request, this.#options.bodyBytes, permit)
    const key = operation.ignoresKey ? null : request.headers.get('idempotency-key')
    const asked = key === null ? undefined : `${operation.method} ${path.slice(BASE_PATH.length)}`
    const isElsewhere = query !== '' || Object.keys(segments).length > 0
    const { input, fingerprint } =
      operation.method === 'DELETE' && isElsewhere && isEmpty(bytes)
        ? parseQuery(operation, query, { segments, asked })
        : await this.#parseBody(operation, { bytes, segments, asked })
    return { input, page: undefined, idempotency: this.#idempotency(key, fingerprint, found) }
  }

  #parseBody(operation: Operation, job: BodyJob): ParsedBody | Promise<ParsedBody> {
    return job.bytes.byteLength > LONG_BYTES
      ? this.#options.bodyParser.parse(operation.id, job)
      : parseBody(operation.input, job)
  }

  #idempotency(
    key: string | null,
    fingerprint: string | undefined,
    { principal }: Found,
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

/** Some clients and proxies send an empty object where there is no body. */
const isEmpty = (bytes: Uint8Array) =>
  bytes.byteLength <= LONG_BYTES && /^(\s*\{\s*\}\s*)?$/.test(Buffer.from(bytes).toString())

/** Compressed bodies are not taken: what one of them expands to could not be bounded by its length. */
function refuseEncoding(encoding: string | null): void {
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity' && encoding.trim() !== '')
    throw new RequestError('encoding-unsupported', '', { 'Accept-Encoding': 'identity' })
}

function refuseMethod(method: string, allowed: readonly string[]): ApiResponse {
  const Allow = [
    ...(allowed.includes('GET') ? ['GET', 'HEAD'] : []),
    ...allowed.filter((m) => m !== 'GET'),
    'OPTIONS',
  ].join(', ')
  if (method !== 'OPTIONS') throw new RequestError('method-not-allowed', '', { Allow })
  return { operation: '', status: 204, body: null, headers: new Headers({ Allow }) }
}

function parseQuery(
  operation: Operation,
  query: string,
  { segments, asked }: Omit<BodyJob, 'bytes'>,
): ParsedBody {
  const input = parse(operation.input, { ...readParameters(operation, query), ...decodeSegments(segments) })
  return { input, fingerprint: asked === undefined ? undefined : fingerprintOf(asked, query) }
}

/** The operation that a request has found, and who asks for it. */
interface Found extends Pick<Route, 'segments'> {
  readonly operation: Operation
  readonly principal: Principal
}

/** What a request brings, read and checked. */
interface ParsedRequest {
  readonly input: unknown
  readonly page: Page | undefined
  readonly idempotency: Idempotency | undefined
}

function readEmptyQuery(operation: Operation): [Operation, ParsedRequest][] {
  const { success, data } = operation.input.safeParse({})
  return success ? [[operation, { input: data, page: undefined, idempotency: undefined }]] : []
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
  answer: OperationResult,
  operation: Operation,
  incoming: ApiRequest,
  { headers }: Progress,
): ApiResponse {
  if (answer.headers !== undefined) addHeaders(headers, answer.headers)
  if ('next' in answer && answer.next !== undefined) headers.set('Link', nextLink(incoming, answer.next))
  const status = 'status' in answer ? answer.status : 200
  const variants = 'variants' in answer ? answer.variants : undefined
  const { id, isSecret } = operation
  return { operation: id, status, body: bodyOf(answer), headers, variants, isSecret }
}

const refuse = (thrown: unknown, { operation, headers }: Progress): ApiResponse => ({
  operation,
  ...errorResponse(thrown, headers),
  thrown,
})

function bodyOf(answer: OperationResult): string | null {
  if ('body' in answer) return answer.body
  return 'value' in answer ? JSON.stringify(answer.value) : null
}

function nextLink({ path, query }: ApiRequest, cursor: Cursor): string {
  const next = new URLSearchParams(query)
  next.set('cursor', writeCursor(cursor))
  return `<${path}?${next}>; rel="next"`
}

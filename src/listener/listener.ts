import { randomUUID } from 'node:crypto'
import { ChatError } from '../core/errors.ts'
import { GATEWAY_PATH, type Gateway } from '../gateway/gateway.ts'
import { findHandshakeError } from '../gateway/handshake.ts'
import { andThen } from '../http/and-then.ts'
import { hasUnreadBody, respondAndDrain } from '../http/body/drain.ts'
import { Compressor } from '../http/compression.ts'
import type { ApiResponse, Dispatcher } from '../http/dispatcher.ts'
import { errorResponse, RequestError } from '../http/errors.ts'
import { BASE_PATH } from '../http/operation.ts'
import type { Pages } from '../http/pages/page.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Broadcaster } from './broadcaster.ts'
import { addressBlock, type ClientAddresses } from './client-address.ts'
import { type ListenAddress, listenError } from './listen-error.ts'
import { PlayerSockets, type SocketData } from './player-sockets.ts'
import { RequestLog } from './request-log.ts'

export interface ListenerOptions extends ListenAddress {
  /** A second address, which then serves everything but the players. Undefined: one address serves all. */
  readonly admin: ListenAddress | undefined
  /** A connection that neither sends nor takes anything for so long is cut. */
  readonly idleSeconds: number
  /** A request body that is not here after so long is not waited for. */
  readonly bodySeconds: number
  /** Each player's connection is pinged this often. */
  readonly pingSeconds: number
}

/** What one address serves. */
type Door = 'all' | 'players' | 'admin'

/** A request id of the caller's own is kept when it is of this form. */
const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/
const DRAIN_STEP_MS = 10
const NO_BOUND = Number.MAX_SAFE_INTEGER

/** Tells clients of other versions which one to use. */
const SUPPORTED_VERSION = { 'Sec-WebSocket-Version': '13' }
export interface ListenerParts {
  readonly dispatcher: Dispatcher
  readonly gateway: Gateway
  readonly pages: Pages
  readonly addresses: ClientAddresses
  readonly log: Logger
  readonly metrics: Metrics
  /** Attached to the server of the players' connections. */
  readonly broadcaster: Broadcaster
  /** Aborted when draining begins. */
  readonly draining: AbortController
}

/** The server of HTTP and WebSocket: the one place that knows `Bun.serve`. */
export class Listener {
  readonly #dispatcher: Dispatcher
  readonly #gateway: Gateway
  readonly #pages: Pages
  readonly #addresses: ClientAddresses
  readonly #log: RequestLog
  readonly #metrics: Metrics
  readonly #broadcaster: Broadcaster
  readonly #draining: AbortController
  readonly #compressor = new Compressor()
  readonly #servers: Bun.Server<SocketData>[] = []
  #sockets: PlayerSockets | undefined
  #timing: Pick<ListenerOptions, 'idleSeconds' | 'bodySeconds'> = { idleSeconds: 0, bodySeconds: 0 }

  constructor(parts: ListenerParts) {
    this.#dispatcher = parts.dispatcher
    this.#gateway = parts.gateway
    this.#pages = parts.pages
    this.#addresses = parts.addresses
    this.#log = new RequestLog(parts.log)
    this.#metrics = parts.metrics
    this.#broadcaster = parts.broadcaster
    this.#draining = parts.draining
  }

  /** Gives back the addresses it listens on. Throws with a message for people; `stop` closes what was opened. */
  start(options: ListenerOptions): { readonly url: URL; readonly adminUrl: URL } {
    const { admin } = options
    this.#timing = options
    this.#sockets = new PlayerSockets(this.#gateway, options.pingSeconds)
    const players = this.#listen(options, admin === undefined ? 'all' : 'players')
    this.#broadcaster.attach(players, (bytes) => this.#gateway.onBackpressure(bytes))
    const { url } = players
    return { url, adminUrl: admin === undefined ? url : this.#listen(admin, 'admin').url }
  }

  #listen(address: ListenAddress, door: Door): Bun.Server<SocketData> {
    try {
      const server = this.#serve(address, door)
      this.#servers.push(server)
      return server
    } catch (thrown) {
      throw listenError(address, thrown, door === 'admin')
    }
  }

  #serve({ host, port }: ListenAddress, door: Door): Bun.Server<SocketData> {
    return Bun.serve<SocketData>({
      hostname: host,
      port,
      // Bun would otherwise let a second server take half of the connections.
      reusePort: false,
      idleTimeout: this.#timing.idleSeconds,
      // The bound is kept in http/body/body.ts, where the refusal has the API's form and comes after the credentials.
      maxRequestBodySize: NO_BOUND,
      development: false,
      fetch: (request, server) => this.#handle(request, server, door),
      error: (thrown) => this.#fail(thrown),
      websocket: this.#sockets?.handler ?? { message: () => undefined },
    })
  }

  /** Answers what is under way, refuses what comes, and resolves when nothing is left or the time is up. */
  async drain(deadlineMs: number): Promise<void> {
    this.#draining.abort()
    const deadline = performance.now() + deadlineMs
    // Bun counts a request until the last byte of its answer has left, and tells nobody when it has.
    const isBusy = () => this.#servers.some(({ pendingRequests }) => pendingRequests > 0)
    while (isBusy() && performance.now() < deadline) {
      await Bun.sleep(DRAIN_STEP_MS)
    }
  }

  async stop(): Promise<void> {
    this.#sockets?.stop()
    await Promise.all(this.#servers.map((server) => server.stop(true)))
  }

  #handle(
    request: Request,
    server: Bun.Server<SocketData>,
    door: Door,
  ): Response | Promise<Response> | undefined {
    const startedAt = performance.now()
    const target = splitUrl(request.url)
    if (!serves(door, target.path))
      return this.#respond(request, { operation: '', ...errorResponse(outside(false)) }, startedAt)
    const refusal = target.path === GATEWAY_PATH ? this.#upgrade(request, server) : undefined
    if (refusal === 'upgraded') return undefined
    // The bytes of a body do not count as signs of life: without this, a long list could not be sent over a slow line.
    if (request.method !== 'GET') server.timeout(request, this.#timing.bodySeconds)
    return andThen(refusal ?? this.#answer(request, target, server), (answer) => {
      if (request.method !== 'GET') server.timeout(request, this.#timing.idleSeconds)
      return this.#respond(request, answer, startedAt)
    })
  }

  /** Judges a request for a connection before it costs anything, and makes the connection or gives the refusal. */
  #upgrade(request: Request, server: Bun.Server<SocketData>): 'upgraded' | ApiResponse {
    const address = this.#addressOf(request, server)
    const refusal = this.#judgeUpgrade(request, address)
    if (refusal === undefined && server.upgrade(request, { data: { address } })) return 'upgraded'
    return { operation: GATEWAY_PATH, ...errorResponse(refusal ?? new RequestError('invalid', 'Upgrade')) }
  }

  #judgeUpgrade(request: Request, address: string): Error | undefined {
    const fault = findHandshakeError(request)
    if (fault !== undefined) return new RequestError('invalid', fault, SUPPORTED_VERSION)
    if (this.#draining.signal.aborted) return new ChatError('unavailable')
    switch (this.#gateway.admit({ origin: request.headers.get('origin'), address })) {
      case 'admitted':
        return undefined
      case 'foreign-origin':
        return new RequestError('invalid', 'Origin')
      case 'address-limit':
        return new RequestError('too-many-requests', '', { 'Retry-After': '1' })
      case 'busy':
        return new ChatError('unavailable')
    }
  }

  /** What limits count by. */
  #addressOf(request: Request, server: Bun.Server<SocketData>): string {
    const peer = server.requestIP(request)?.address ?? ''
    return addressBlock(this.#addresses.find(peer, request.headers.get('x-forwarded-for')))
  }

  #respond(request: Request, answer: ApiResponse, startedAt: number): Response | Promise<Response> {
    const requestId = readRequestId(request)
    const { status, headers } = answer
    headers.set('X-Request-Id', requestId)
    if (this.#draining.signal.aborted) headers.set('Connection', 'close')
    return andThen(this.#compressor.encode(request, answer), (body) => {
      this.#metrics.observeRequest(answer.operation, status, (performance.now() - startedAt) / 1000)
      this.#log.record(requestId, answer)
      if (body !== null && hasUnreadBody(request, status))
        return respondAndDrain(request, { status, headers, body }, this.#timing.bodySeconds * 1000)
      return new Response(body, { status, headers })
    })
  }

  #answer(
    request: Request,
    { path, query }: Target,
    server: Bun.Server<SocketData>,
  ): ApiResponse | Promise<ApiResponse> {
    const page = this.#pages.get(path)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (page !== undefined && isRead)
      return andThen(page({ header: (name) => request.headers.get(name) }), (answer) => ({
        ...answer,
        operation: path,
        headers: new Headers(answer.headers),
      }))
    if (path === BASE_PATH || path.startsWith(`${BASE_PATH}/`)) {
      const address = () => this.#addressOf(request, server)
      return this.#dispatcher.handle({
        request,
        path,
        query,
        address,
        isDraining: this.#draining.signal.aborted,
      })
    }
    return { operation: '', ...errorResponse(outside(page !== undefined)) }
  }

  /** For what goes wrong outside the API, which answers its own failures. */
  #fail(thrown: unknown): Response {
    this.#log.fail(thrown)
    const { status, body, headers } = errorResponse(thrown)
    headers.set('X-Request-Id', randomUUID())
    return new Response(body, { status, headers })
  }
}

const PLAYER_PATHS: ReadonlySet<string> = new Set([GATEWAY_PATH, '/livez', '/readyz'])

const serves = (door: Door, path: string) =>
  door === 'all' || (door === 'players' ? PLAYER_PATHS.has(path) : path !== GATEWAY_PATH)

const outside = (isPage: boolean) =>
  isPage
    ? new RequestError('method-not-allowed', '', { Allow: 'GET, HEAD' })
    : new RequestError('path-unknown')

function readRequestId(request: Request): string {
  const sent = request.headers.get('x-request-id')
  return sent !== null && SANE_REQUEST_ID.test(sent) ? sent : randomUUID()
}

interface Target {
  readonly path: string
  readonly query: string
}

/** Without the cost of parsing it whole. A request of HTTP/1.0 may have no host: then it is the path alone. */
function splitUrl(url: string): Target {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?', start)
  if (start === -1) return { path: '/', query: '' }
  return mark === -1
    ? { path: url.slice(start), query: '' }
    : { path: url.slice(start, mark), query: url.slice(mark + 1) }
}

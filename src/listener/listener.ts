import { randomUUID } from 'node:crypto'
import { ChatError } from '../core/errors.ts'
import { GATEWAY_PATH, type Gateway } from '../gateway/gateway.ts'
import { findHandshakeError } from '../gateway/handshake.ts'
import { andThen } from '../http/and-then.ts'
import { hasUnreadBody, respondAndDrain } from '../http/body/drain.ts'
import { Compressor, isBytes } from '../http/compression.ts'
import type { Dispatcher } from '../http/dispatcher.ts'
import { errorResponse, RequestError } from '../http/errors.ts'
import { isApiPath, PageRouter, type Pages } from '../http/pages/page.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Broadcaster } from './broadcaster.ts'
import { addressBlock, type ClientAddresses } from './client-address.ts'
import { type ListenAddress, listenError } from './listen-error.ts'
import { PlayerSockets, type SocketData } from './player-sockets.ts'
import { RequestLog } from './request-log.ts'

export interface ListenerOptions extends ListenAddress {
  /** A second address for everything but the gateway. Undefined: one address serves everything. */
  readonly admin: ListenAddress | undefined
  /** Seconds of inactivity before an HTTP connection is closed. */
  readonly idleSeconds: number
  /** Seconds within which a request body must arrive. */
  readonly bodySeconds: number
  /** Seconds between pings on each player connection. */
  readonly pingSeconds: number
}

/** The paths that an address serves. */
type Scope = 'all' | 'players' | 'admin'

/** A caller's own request id is used if it matches. */
const VALID_REQUEST_ID = /^[\w.:-]{1,128}$/
const DRAIN_STEP_MS = 10
const UNLIMITED = Number.MAX_SAFE_INTEGER

/** Tells clients of another version which one the server supports. */
const SUPPORTED_VERSION = { 'Sec-WebSocket-Version': '13' }

export interface ListenerDependencies {
  readonly dispatcher: Dispatcher
  readonly gateway: Gateway
  readonly pages: Pages
  readonly addresses: ClientAddresses
  readonly log: Logger
  readonly metrics: Metrics
  /** Attached to the server that accepts player connections. */
  readonly broadcaster: Broadcaster
  /** Aborted when draining begins. */
  readonly draining: AbortController
}

/** The HTTP and WebSocket server: the only user of `Bun.serve`. */
export class Listener {
  readonly #dispatcher: Dispatcher
  readonly #gateway: Gateway
  readonly #pages: PageRouter
  readonly #addresses: ClientAddresses
  readonly #log: RequestLog
  readonly #metrics: Metrics
  readonly #broadcaster: Broadcaster
  readonly #draining: AbortController
  readonly #compressor = new Compressor()
  readonly #servers: Bun.Server<SocketData>[] = []
  #sockets: PlayerSockets | undefined
  #timing: Pick<ListenerOptions, 'idleSeconds' | 'bodySeconds'> = { idleSeconds: 0, bodySeconds: 0 }

  constructor(dependencies: ListenerDependencies) {
    this.#dispatcher = dependencies.dispatcher
    this.#gateway = dependencies.gateway
    this.#pages = new PageRouter(dependencies.pages)
    this.#addresses = dependencies.addresses
    this.#log = new RequestLog(dependencies.log)
    this.#metrics = dependencies.metrics
    this.#broadcaster = dependencies.broadcaster
    this.#draining = dependencies.draining
  }

  /** Returns the addresses it listens on. Throws an error with a remedy; `stop` closes what was opened until then. */
  start(options: ListenerOptions): { readonly url: URL; readonly adminUrl: URL } {
    const { admin } = options
    this.#timing = options
    this.#sockets = new PlayerSockets(this.#gateway, options.pingSeconds)
    const players = this.#listen(options, admin === undefined ? 'all' : 'players')
    this.#broadcaster.attach(players, (topic, bytes) => this.#gateway.onBackpressure(topic, bytes))
    const { url } = players
    return { url, adminUrl: admin === undefined ? url : this.#listen(admin, 'admin').url }
  }

  #listen(address: ListenAddress, scope: Scope): Bun.Server<SocketData> {
    try {
      const server = this.#serve(address, scope)
      this.#servers.push(server)
      return server
    } catch (thrown) {
      throw listenError(address, thrown, scope === 'admin')
    }
  }

  #serve({ host, port }: ListenAddress, scope: Scope): Bun.Server<SocketData> {
    return Bun.serve<SocketData>({
      hostname: host,
      port,
      // With it, a second process on the same port would get half of the connections.
      reusePort: false,
      idleTimeout: this.#timing.idleSeconds,
      // http/body/body.ts enforces the limit, after authentication and with an error in the API's format.
      maxRequestBodySize: UNLIMITED,
      development: false,
      fetch: (request, server) => this.#handle(request, server, scope),
      error: (thrown) => this.#fail(thrown),
      websocket: this.#sockets?.handler ?? { message: () => undefined },
    })
  }

  /** Rejects new requests and resolves when those in flight are complete or the deadline has passed. */
  async drain(deadlineMs: number): Promise<void> {
    this.#draining.abort()
    const deadline = performance.now() + deadlineMs
    // Bun counts a request until the last byte of its response was sent, and has no event for that.
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
    scope: Scope,
  ): Response | Promise<Response> | undefined {
    const received = { startedAt: performance.now(), requestId: readRequestId(request) }
    const target = splitUrl(request.url)
    if (!serves(scope, target.path))
      return this.#respond(request, { operation: '', ...errorResponse(unservedPath(false)) }, received)
    const response = target.path === GATEWAY_PATH ? this.#upgrade(request, server) : undefined
    if (response === 'upgraded') return undefined
    // Bun does not count body bytes as activity: without this, a long list could not be uploaded over a slow connection.
    if (request.method !== 'GET') server.timeout(request, this.#timing.bodySeconds)
    return andThen(response ?? this.#dispatch(request, { ...target, ...received }, server), (result) => {
      if (result.isLongLived) server.timeout(request, 0)
      else if (request.method !== 'GET') server.timeout(request, this.#timing.idleSeconds)
      return this.#respond(request, result, received)
    })
  }

  /** Checks an upgrade request before it costs anything; upgrades the connection or returns the error response. */
  #upgrade(request: Request, server: Bun.Server<SocketData>): 'upgraded' | ApiResponse {
    const address = this.#addressOf(request, server)
    const error = this.#checkUpgrade(request, address)
    if (error === undefined && server.upgrade(request, { data: { address } })) return 'upgraded'
    return { operation: GATEWAY_PATH, ...errorResponse(error ?? new RequestError('invalid', 'Upgrade')) }
  }

  #checkUpgrade(request: Request, address: string): Error | undefined {
    const header = findHandshakeError(request)
    if (header !== undefined) return new RequestError('invalid', header, SUPPORTED_VERSION)
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

  /** The key that limits count by. */
  #addressOf(request: Request, server: Bun.Server<SocketData>): string {
    const peer = server.requestIP(request)?.address ?? ''
    return addressBlock(this.#addresses.find(peer, request.headers.get('x-forwarded-for')))
  }

  #respond(
    request: Request,
    response: ApiResponse,
    { startedAt, requestId }: Received,
  ): Response | Promise<Response> {
    const { status, headers, body } = response
    headers.set('X-Request-Id', requestId)
    if (this.#draining.signal.aborted) headers.set('Connection', 'close')
    const record = () => {
      this.#metrics.observeRequest(response.operation, status, (performance.now() - startedAt) / 1000)
      this.#log.record(requestId, response)
    }
    if (body !== null && !isBytes(body)) {
      record()
      const onError = (thrown: unknown) => this.#log.recordAborted(requestId, response, thrown)
      const stream = this.#compressor.encodeStream(request, response, { source: body, onError })
      return new Response(stream, { status, headers })
    }
    return andThen(this.#compressor.encode(request, response, body), (encoded) => {
      record()
      if (encoded !== null && hasUnreadBody(request, status))
        return respondAndDrain(request, { status, headers, body: encoded }, this.#timing.bodySeconds * 1000)
      return new Response(encoded, { status, headers })
    })
  }

  #dispatch(
    request: Request,
    { path, query, requestId }: Target & Received,
    server: Bun.Server<SocketData>,
  ): ApiResponse | Promise<ApiResponse> {
    const route = this.#pages.find(path)
    const draining = this.#draining.signal
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (route !== undefined && isRead) {
      const header = (name: string) => request.headers.get(name)
      return andThen(route.page({ path, header, draining }), (response) => ({
        ...response,
        operation: route.path,
        headers: new Headers(response.headers),
      }))
    }
    if (isApiPath(path)) {
      const address = () => this.#addressOf(request, server)
      return this.#dispatcher.handle({ request, requestId, path, query, address, draining })
    }
    return { operation: '', ...errorResponse(unservedPath(route !== undefined)) }
  }

  /** Handles errors thrown outside the API, which handles its own. */
  #fail(thrown: unknown): Response {
    this.#log.fail(thrown)
    const { status, body, headers } = errorResponse(thrown)
    headers.set('X-Request-Id', randomUUID())
    return new Response(body, { status, headers })
  }
}

const PLAYER_PATHS: ReadonlySet<string> = new Set([GATEWAY_PATH, '/livez', '/readyz'])

const serves = (scope: Scope, path: string) =>
  scope === 'all' || (scope === 'players' ? PLAYER_PATHS.has(path) : path !== GATEWAY_PATH)

const unservedPath = (isPage: boolean) =>
  isPage
    ? new RequestError('method-not-allowed', '', { Allow: 'GET, HEAD' })
    : new RequestError('path-not-found')

function readRequestId(request: Request): string {
  const sent = request.headers.get('x-request-id')
  return sent !== null && VALID_REQUEST_ID.test(sent) ? sent : randomUUID()
}

interface Received {
  readonly startedAt: number
  readonly requestId: string
}

interface Target {
  readonly path: string
  readonly query: string
}

/** Splits without parsing the whole URL. An HTTP/1.0 request may have no host: the URL is then the path alone. */
function splitUrl(url: string): Target {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?', start)
  if (start === -1) return { path: '/', query: '' }
  return mark === -1
    ? { path: url.slice(start), query: '' }
    : { path: url.slice(start, mark), query: url.slice(mark + 1) }
}

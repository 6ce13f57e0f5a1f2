import { Connection, type SocketClass } from './connection.ts'
import {
  type ClientEvents,
  type ClosedEvent,
  type DisconnectedEvent,
  Emitter,
  type EventHandler,
} from './events.ts'
import {
  bodyOf,
  type Channel,
  type ChannelRef,
  ParleyError,
  type PlayersPage,
  type SayResult,
  type ServerFrame,
  type Session,
} from './protocol.ts'
import { Requests } from './requests.ts'
import { type JoinRequest, Seats } from './seats.ts'
import { systemTimers, type Timers } from './timers.ts'

export interface ClientOptions {
  /** `wss://chat.example.com/gateway/v1` */
  readonly url: string
  /** A function is called before each connection and can return a fresh token. */
  readonly token: string | (() => string | Promise<string>)
  /** Such as `ko-KR`. Used only if the token has no `lang`, unless the server is configured otherwise. */
  readonly language?: string
  /** Default: the global one, available in Node 22 and later. On Node 20, pass the class of the package `ws`. */
  readonly WebSocket?: SocketClass
  /** Pending requests, sent or queued; further ones reject with `QUEUE_FULL`. Default 100. */
  readonly queueLimit?: number
  /** From the call to the reply, including the time in the queue. Default 10 seconds. */
  readonly requestTimeoutMs?: number
  /** From the start of an attempt, including fetching the token, to `connected`. Default 10 seconds. */
  readonly connectTimeoutMs?: number
  /** Delays between attempts: random, up to a bound that doubles from `baseMs` (500) to `maxMs` (30 seconds). */
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number }
  /** Pings after `idleMs` (25 seconds) of silence; reconnects after `timeoutMs` (10 seconds) more. */
  readonly heartbeat?: { readonly idleMs: number; readonly timeoutMs: number }
  /** Message ids remembered to drop duplicates. Default 1000. */
  readonly dedupeWindow?: number
  readonly timers?: Timers
  readonly random?: () => number
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: ParleyError) => void
}

const SECONDS = 1000

/** A player's chat client. Reconnects automatically and resumes its channels. */
export class ParleyClient {
  readonly #connection: Connection
  readonly #requests: Requests
  readonly #seats: Seats
  readonly #emitter = new Emitter()
  #pendingConnect: Deferred<Session> | undefined
  #session: Session | undefined
  #isClosed = false
  #movedFrom: ChannelRef | undefined

  constructor(options: ClientOptions) {
    const { url, token, timers = systemTimers } = options
    if (!/^wss?:$/.test(new URL(url).protocol)) throw new TypeError('`url` must start with ws: or wss:')
    const WebSocket = options.WebSocket ?? globalThis.WebSocket
    if (WebSocket === undefined)
      throw new TypeError('WebSocket is not available. Pass one as the `WebSocket` option.')
    const connection = {
      url,
      token: typeof token === 'string' ? () => token : token,
      language: options.language,
      WebSocket,
      timers,
      random: options.random ?? Math.random,
      connectTimeoutMs: options.connectTimeoutMs ?? 10 * SECONDS,
      backoff: options.backoff ?? { baseMs: 500, maxMs: 30 * SECONDS },
      heartbeat: options.heartbeat ?? { idleMs: 25 * SECONDS, timeoutMs: 10 * SECONDS },
    }
    this.#connection = new Connection(connection, {
      up: (session) => this.#up(session),
      receive: (frame) => this.#receive(frame),
      down: (event) => this.#down(event),
      end: (event) => this.#end(event),
    })
    this.#requests = new Requests({
      send: (frame) => this.#connection.send(frame),
      timers,
      limit: options.queueLimit ?? 100,
      timeoutMs: options.requestTimeoutMs ?? 10 * SECONDS,
    })
    this.#seats = new Seats({
      requests: this.#requests,
      emitter: this.#emitter,
      dedupeWindow: options.dedupeWindow ?? 1000,
    })
  }

  /** Returns a function that unsubscribes. */
  on<Name extends keyof ClientEvents>(name: Name, handler: EventHandler<Name>): () => void {
    return this.#emitter.on(name, handler)
  }

  /**
   * Resolves with the current session, or with the next one. Retries until connected; rejects if the server closes the
   * connection permanently (close codes 4100 to 4199) or on `close`.
   */
  connect(): Promise<Session> {
    if (this.#session !== undefined) return Promise.resolve(this.#session)
    this.#isClosed = false
    this.#pendingConnect ??= createDeferred<Session>()
    this.#connection.start()
    return this.#pendingConnect.promise
  }

  /** The server picks the channel number unless `channelId` requests one. */
  async join(request: JoinRequest): Promise<Channel> {
    this.#checkOpen()
    return this.#seats.join(request)
  }

  async leave(channelGroup: string): Promise<void> {
    this.#checkOpen()
    return this.#seats.leave(channelGroup)
  }

  /**
   * Lists the members of your channel number in the group, in pages. Players who join meanwhile appear at the end of the
   * list. Rejects with `INVALID_PARAMETER` if you are moved to another channel between two pages.
   */
  async *players(channelGroup: string): AsyncGenerator<PlayersPage, void, undefined> {
    let cursor: string | undefined
    do {
      this.#checkOpen()
      const frame = { type: 'players', channelGroup, cursor } as const
      const reply: PlayersPage & { cursor?: string } = await this.#requests.send(frame)
      const { cursor: next, ...page } = reply
      yield page
      cursor = next
    } while (cursor !== undefined)
  }

  /** The message also arrives as a `message` event, at its position in the sequence. */
  async say(channelGroup: string, text: string): Promise<SayResult> {
    this.#checkOpen()
    return this.#requests.send({ type: 'say', channelGroup, message: text })
  }

  async report(messageId: string, keyword: string, reason?: string): Promise<{ readonly reportId: number }> {
    this.#checkOpen()
    return this.#requests.send({ type: 'report', messageId, keyword, reason })
  }

  /** Leaves all channels. Pending requests reject with `CLOSED`. */
  async close(): Promise<void> {
    this.#connection.stop()
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new ParleyError('CLOSED', 'The client is closed.')
  }

  #up(session: Session): void {
    this.#session = session
    this.#pendingConnect?.resolve(session)
    this.#pendingConnect = undefined
    this.#emitter.emit('connected', session)
    if (this.#session === session) void this.#resume(session)
  }

  async #resume(session: Session): Promise<void> {
    try {
      await this.#seats.resume()
      if (this.#session === session) this.#requests.open()
    } catch (thrown) {
      if (this.#session === session) this.#connection.drop(`resume failed: ${thrown}`)
    }
  }

  #down(event: DisconnectedEvent): void {
    this.#session = undefined
    this.#seats.interrupt()
    this.#requests.interrupt()
    this.#emitter.emit('disconnected', event)
  }

  #end(event: ClosedEvent): void {
    this.#session = undefined
    this.#isClosed = true
    this.#seats.clear()
    this.#requests.end()
    // Avoids an unhandled rejection: the `closed` event carries the same error.
    this.#pendingConnect?.promise.catch(() => undefined)
    this.#pendingConnect?.reject(
      event.error ?? new ParleyError('CLOSED', `The connection was closed (${event.code}).`),
    )
    this.#pendingConnect = undefined
    this.#emitter.emit('closed', event)
  }

  #receive(frame: ServerFrame): void {
    switch (frame.type) {
      case 'message':
      case 'player_joined':
      case 'player_left':
      case 'players_changed':
      case 'channel_deleted':
      case 'message_deleted':
        this.#seats.receive(frame)
        break
      case 'moved':
        this.#movedFrom = frame.from
        break
      case 'joined':
        if (frame.id === null && this.#movedFrom !== undefined)
          this.#seats.move(this.#movedFrom, bodyOf(frame))
        else this.#requests.settle(frame)
        break
      case 'banned':
        this.#emitter.emit('banned', bodyOf(frame))
        break
      case 'ban_lifted':
        this.#emitter.emit('banLifted', undefined)
        break
      case 'players':
      case 'left':
      case 'said':
      case 'reported':
      case 'error':
        this.#requests.settle(frame)
        break
    }
  }
}

/** `Promise.withResolvers`, for runtimes without it. */
function createDeferred<T>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => undefined
  let reject: Deferred<T>['reject'] = () => undefined
  const promise = new Promise<T>((...settle) => {
    ;[resolve, reject] = settle
  })
  return { promise, resolve, reject }
}

import type { ClosedEvent, DisconnectedEvent } from './events.ts'
import {
  bodyOf,
  type ClientFrame,
  decode,
  encode,
  type ParleyError,
  type ServerFrame,
  type Session,
  toError,
} from './protocol.ts'
import type { Timers } from './timers.ts'

export type Socket = Pick<WebSocket, 'send' | 'close' | 'addEventListener'>
export type SocketClass = new (url: string) => Socket

export interface ConnectionOptions {
  readonly url: string
  readonly token: () => string | Promise<string>
  readonly language: string | undefined
  readonly WebSocket: SocketClass
  readonly timers: Timers
  readonly random: () => number
  /** Covers fetching the token, opening the socket and `connected`. */
  readonly connectTimeoutMs: number
  readonly backoff: { readonly baseMs: number; readonly maxMs: number }
  /** Silence before a ping is sent, and further silence before the connection is considered dead. */
  readonly heartbeat: { readonly idleMs: number; readonly timeoutMs: number }
}

export interface ConnectionListener {
  up(session: Session): void
  receive(frame: ServerFrame): void
  down(event: DisconnectedEvent): void
  end(event: ClosedEvent): void
}

type Phase = 'idle' | 'dialing' | 'up' | 'waiting'

const ABNORMAL_CLOSURE = 1006
const MAX_RECONNECT_DELAY_MS = 300_000
const isPermanent = (code: number) => code >= 4100 && code <= 4199

/** Maintains one connection: reconnects until the server closes it permanently or it is stopped. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #listener: ConnectionListener
  #phase: Phase = 'idle'
  #socket: Socket | undefined
  #attempts = 0
  /** The timer of the current phase; each phase has exactly one. */
  #timer: unknown
  /** Set after the server announced when to reconnect. */
  #reconnectInMs: number | undefined
  #hasReceived = false
  #failures = 0
  #lastError: ParleyError | undefined

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    this.#options = options
    this.#listener = listener
  }

  start(): void {
    if (this.#phase === 'idle') void this.#dial()
  }

  /** Returns false if there is no connection. */
  send(frame: ClientFrame): boolean {
    if (this.#phase === 'up') this.#socket?.send(encode(frame))
    return this.#phase === 'up'
  }

  /** Abandons a connection that does not behave as expected. */
  drop(reason: string): void {
    if (this.#phase === 'up') this.#handleLoss(ABNORMAL_CLOSURE, reason)
  }

  stop(): void {
    if (this.#phase !== 'idle') this.#end(1000, '')
  }

  async #dial(): Promise<void> {
    const attempt = ++this.#attempts
    this.#enter(
      'dialing',
      () => this.#handleLoss(ABNORMAL_CLOSURE, 'connect timeout'),
      this.#options.connectTimeoutMs,
    )
    this.#reconnectInMs = undefined
    this.#lastError = undefined
    try {
      const token = await this.#options.token()
      if (attempt === this.#attempts) this.#open(token)
    } catch (thrown) {
      if (attempt === this.#attempts) this.#handleLoss(ABNORMAL_CLOSURE, String(thrown))
    }
  }

  #open(token: string): void {
    const { url, language, WebSocket } = this.#options
    const socket = new WebSocket(url)
    this.#socket = socket
    const isCurrent = () => this.#socket === socket
    socket.addEventListener('open', () => {
      if (isCurrent()) socket.send(encode({ type: 'connect', id: 'connect', token, language }))
    })
    socket.addEventListener('message', ({ data }) => {
      if (isCurrent()) this.#receive(decode(data))
    })
    socket.addEventListener('close', ({ code, reason }) => {
      if (isCurrent()) this.#handleLoss(code, reason)
    })
    // Node exits on an unhandled error event; the close event that follows carries the same information.
    socket.addEventListener('error', () => undefined)
  }

  #receive(frame: ServerFrame | undefined): void {
    this.#hasReceived = true
    if (frame === undefined) return
    // The close code that follows decides whether to reconnect.
    if (frame.type === 'error' && (this.#phase === 'dialing' || typeof frame.id !== 'string'))
      this.#lastError = toError(frame)
    else if (frame.type === 'going_away') this.#goAway(frame.reconnectInMs)
    else if (this.#phase === 'up') this.#listener.receive(frame)
    else if (frame.type === 'connected') {
      this.#enter('up', () => this.#checkIdle(), this.#options.heartbeat.idleMs)
      this.#listener.up(bodyOf(frame))
    }
  }

  #checkIdle(): void {
    const { idleMs, timeoutMs } = this.#options.heartbeat
    // Only a connection that lasted this long resets the backoff: one that keeps breaking must not be retried in a tight loop.
    this.#failures = 0
    if (this.#hasReceived) this.#enter('up', () => this.#checkIdle(), idleMs)
    else {
      this.send({ type: 'ping', id: 'ping' })
      this.#enter(
        'up',
        () => (this.#hasReceived ? this.#checkIdle() : this.#handleLoss(ABNORMAL_CLOSURE, 'silent')),
        timeoutMs,
      )
    }
  }

  /** Schedules the reconnect that the server asked for, whether or not it closes the connection first. */
  #goAway(ms: number): void {
    this.#reconnectInMs = Math.min(Math.max(0, ms), MAX_RECONNECT_DELAY_MS)
    this.#enter(this.#phase, () => this.#reconnect(), this.#reconnectInMs)
  }

  #reconnect(): void {
    const isOpen = this.#detach()
    void this.#dial()
    if (isOpen)
      this.#listener.down({
        code: ABNORMAL_CLOSURE,
        reason: 'going away',
        retryInMs: 0,
        error: this.#lastError,
      })
  }

  #handleLoss(code: number, reason: string): void {
    if (isPermanent(code)) {
      this.#end(code, reason)
      return
    }
    this.#detach()
    const retryInMs = this.#reconnectInMs ?? this.#backOff()
    if (this.#reconnectInMs === undefined) this.#enter('waiting', () => void this.#dial(), retryInMs)
    this.#phase = 'waiting'
    this.#listener.down({ code, reason, retryInMs, error: this.#lastError })
  }

  #backOff(): number {
    const { baseMs, maxMs } = this.#options.backoff
    const bound = Math.min(maxMs, baseMs * 2 ** this.#failures)
    this.#failures += 1
    const wait = this.#options.random() * bound
    // Flood control says how long the server will reject connections.
    return Math.max(wait, Math.min(this.#lastError?.retryAfterMs ?? 0, MAX_RECONNECT_DELAY_MS))
  }

  #end(code: number, reason: string): void {
    this.#detach()
    this.#options.timers.clear(this.#timer)
    this.#phase = 'idle'
    this.#failures = 0
    this.#listener.end({ code, reason, error: this.#lastError })
  }

  /** Ignores everything that the current socket or a pending token delivers from now on. Returns whether a socket was open. */
  #detach(): boolean {
    const socket = this.#socket
    this.#socket = undefined
    this.#attempts += 1
    socket?.close(1000)
    return socket !== undefined
  }

  #enter(phase: Phase, then: () => void, afterMs: number): void {
    this.#phase = phase
    this.#hasReceived = false
    this.#options.timers.clear(this.#timer)
    this.#timer = this.#options.timers.set(then, afterMs)
  }
}

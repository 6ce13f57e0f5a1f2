import type { Closed, Disconnected } from './events.ts'
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
  /** For token, socket and `connected` together. */
  readonly connectTimeoutMs: number
  readonly backoff: { readonly baseMs: number; readonly maxMs: number }
  /** Silence after which a ping is sent, and how much more of it means that the connection is dead. */
  readonly heartbeat: { readonly idleMs: number; readonly deadMs: number }
}

export interface ConnectionListener {
  up(session: Session): void
  receive(frame: ServerFrame): void
  down(event: Disconnected): void
  end(event: Closed): void
}

type Phase = 'idle' | 'dialing' | 'up' | 'waiting'

const LOST = 1006
const LONGEST_RETURN_MS = 300_000
const isFinal = (code: number) => code >= 4100 && code <= 4199

/** One connection at a time, which comes back until the server forbids it or it is stopped. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #listener: ConnectionListener
  #phase: Phase = 'idle'
  #socket: Socket | undefined
  #dials = 0
  /** Of the present phase; a phase has one. */
  #timer: unknown
  /** Set while the server has told when to come back. */
  #returnInMs: number | undefined
  #hasHeard = false
  #failures = 0
  #refusal: ParleyError | undefined

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    this.#options = options
    this.#listener = listener
  }

  start(): void {
    if (this.#phase === 'idle') void this.#dial()
  }

  /** False when there is no connection to send on. */
  send(frame: ClientFrame): boolean {
    if (this.#phase === 'up') this.#socket?.send(encode(frame))
    return this.#phase === 'up'
  }

  /** Gives up a connection that does not do what it should. */
  drop(reason: string): void {
    if (this.#phase === 'up') this.#lose(LOST, reason)
  }

  stop(): void {
    if (this.#phase !== 'idle') this.#end(1000, '')
  }

  async #dial(): Promise<void> {
    const dial = ++this.#dials
    this.#enter('dialing', () => this.#lose(LOST, 'no answer in time'), this.#options.connectTimeoutMs)
    this.#returnInMs = undefined
    this.#refusal = undefined
    try {
      const token = await this.#options.token()
      if (dial === this.#dials) this.#open(token)
    } catch (thrown) {
      if (dial === this.#dials) this.#lose(LOST, String(thrown))
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
      if (isCurrent()) this.#lose(code, reason)
    })
    // Node ends the process for an error nobody listens to; the close that follows says the same.
    socket.addEventListener('error', () => undefined)
  }

  #receive(frame: ServerFrame | undefined): void {
    this.#hasHeard = true
    if (frame === undefined) return
    // The close code that follows decides whether it comes back.
    if (frame.type === 'error' && (this.#phase === 'dialing' || typeof frame.id !== 'string'))
      this.#refusal = toError(frame)
    else if (frame.type === 'going_away') this.#goAway(frame.reconnectInMs)
    else if (this.#phase === 'up') this.#listener.receive(frame)
    else if (frame.type === 'connected') {
      this.#enter('up', () => this.#beat(), this.#options.heartbeat.idleMs)
      this.#listener.up(bodyOf(frame))
    }
  }

  #beat(): void {
    const { idleMs, deadMs } = this.#options.heartbeat
    // A connection that breaks sooner was none, so that one which breaks again and again is not dialled hotly.
    this.#failures = 0
    if (this.#hasHeard) this.#enter('up', () => this.#beat(), idleMs)
    else {
      this.send({ type: 'ping', id: 'ping' })
      this.#enter('up', () => (this.#hasHeard ? this.#beat() : this.#lose(LOST, 'silent')), deadMs)
    }
  }

  /** The server says when to return, whether or not it has closed the connection by then. */
  #goAway(ms: number): void {
    this.#returnInMs = Math.min(Math.max(0, ms), LONGEST_RETURN_MS)
    this.#enter(this.#phase, () => this.#return(), this.#returnInMs)
  }

  #return(): void {
    const isOpen = this.#detach()
    void this.#dial()
    if (isOpen) this.#listener.down({ code: LOST, reason: 'going away', retryInMs: 0, error: this.#refusal })
  }

  #lose(code: number, reason: string): void {
    if (isFinal(code)) {
      this.#end(code, reason)
      return
    }
    this.#detach()
    const retryInMs = this.#returnInMs ?? this.#backOff()
    if (this.#returnInMs === undefined) this.#enter('waiting', () => void this.#dial(), retryInMs)
    this.#phase = 'waiting'
    this.#listener.down({ code, reason, retryInMs, error: this.#refusal })
  }

  #backOff(): number {
    const { baseMs, maxMs } = this.#options.backoff
    const bound = Math.min(maxMs, baseMs * 2 ** this.#failures)
    this.#failures += 1
    const wait = this.#options.random() * bound
    // A server that was flooded says for how long it takes no connection.
    return Math.max(wait, Math.min(this.#refusal?.retryAfterMs ?? 0, LONGEST_RETURN_MS))
  }

  #end(code: number, reason: string): void {
    this.#detach()
    this.#options.timers.clear(this.#timer)
    this.#phase = 'idle'
    this.#failures = 0
    this.#listener.end({ code, reason, error: this.#refusal })
  }

  /** Nothing that the socket, or the token on its way to one, brings from now on is heard. */
  #detach(): boolean {
    const socket = this.#socket
    this.#socket = undefined
    this.#dials += 1
    socket?.close(1000)
    return socket !== undefined
  }

  #enter(phase: Phase, then: () => void, afterMs: number): void {
    this.#phase = phase
    this.#hasHeard = false
    this.#options.timers.clear(this.#timer)
    this.#timer = this.#options.timers.set(then, afterMs)
  }
}

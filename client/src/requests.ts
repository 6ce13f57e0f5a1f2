import { bodyOf, type ClientFrame, ParleyError, type ServerFrame, toError } from './protocol.ts'
import type { Timers } from './timers.ts'

interface Request {
  readonly frame: ClientFrame
  /** Sent before the queue opens for other requests. */
  readonly isEarly: boolean
  readonly timer: unknown
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: ParleyError) => void
  isSent: boolean
}

export interface RequestsOptions {
  /** Returns false if there is no connection. */
  readonly send: (frame: ClientFrame) => boolean
  readonly timers: Timers
  readonly limit: number
  readonly timeoutMs: number
}

/** Stays below 64 pending frames, at which the server closes the connection. */
const MAX_IN_FLIGHT = 32

/** Pending requests in call order, sent or queued. */
export class Requests {
  readonly #options: RequestsOptions
  readonly #pending = new Map<string, Request>()
  #inFlight = 0
  #lastId = 0
  #isOpen = false

  constructor(options: RequestsOptions) {
    this.#options = options
  }

  async send<T>(frame: ClientFrame): Promise<T> {
    if (this.#pending.size >= this.#options.limit)
      throw new ParleyError('QUEUE_FULL', 'Too many requests are pending.')
    return this.#add(frame, false)
  }

  /** Bypasses the queue, for requests that must complete before it opens. */
  sendEarly<T>(frame: ClientFrame): Promise<T> {
    return this.#add(frame, true)
  }

  open(): void {
    this.#isOpen = true
    this.#pump()
  }

  /** Rejects sent requests, which the server may or may not have handled. Queued ones stay queued. */
  interrupt(): void {
    this.#isOpen = false
    const error = new ParleyError('DISCONNECTED', 'The connection was lost before the reply.')
    for (const [id, request] of [...this.#pending])
      if (request.isSent || request.isEarly) this.#take(id)?.reject(error)
  }

  end(): void {
    this.#isOpen = false
    const error = new ParleyError('CLOSED', 'The client is closed.')
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(error)
  }

  settle(frame: Extract<ServerFrame, { readonly id?: unknown }>): void {
    const request = this.#take(frame.id ?? '')
    if (frame.type === 'error') request?.reject(toError(frame))
    else request?.resolve(bodyOf(frame))
    this.#pump()
  }

  #add<T>(frame: ClientFrame, isEarly: boolean): Promise<T> {
    const id = String(++this.#lastId)
    const timer = this.#options.timers.set(() => this.#expire(id), this.#options.timeoutMs)
    return new Promise((resolve: (reply: never) => void, reject) => {
      const settle = resolve as (reply: unknown) => void
      this.#pending.set(id, { frame, isEarly, timer, resolve: settle, reject, isSent: false })
      this.#pump()
    })
  }

  #pump(): void {
    for (const [id, request] of this.#pending) {
      if (this.#inFlight >= MAX_IN_FLIGHT) return
      if (request.isSent || !(this.#isOpen || request.isEarly)) continue
      request.isSent = true
      this.#inFlight += 1
      if (!this.#options.send({ ...request.frame, id }))
        this.#take(id)?.reject(new ParleyError('DISCONNECTED', 'There is no connection.'))
    }
  }

  #expire(id: string): void {
    this.#take(id)?.reject(new ParleyError('TIMEOUT', 'No reply in time.'))
    this.#pump()
  }

  #take(id: string): Request | undefined {
    const request = this.#pending.get(id)
    if (request === undefined) return undefined
    this.#pending.delete(id)
    this.#options.timers.clear(request.timer)
    if (request.isSent) this.#inFlight -= 1
    return request
  }
}

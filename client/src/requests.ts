import { bodyOf, type ClientFrame, ParleyError, type ServerFrame, toError } from './protocol.ts'
import type { Timers } from './timers.ts'

interface Request {
  readonly frame: ClientFrame
  /** Goes out before it is open for the others. */
  readonly isEarly: boolean
  readonly timer: unknown
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: ParleyError) => void
  isSent: boolean
}

export interface RequestsParts {
  /** False when there is no connection. */
  readonly send: (frame: ClientFrame) => boolean
  readonly timers: Timers
  readonly limit: number
  readonly timeoutMs: number
}

/** The server closes a connection that has 64 frames waiting. */
const MAX_IN_FLIGHT = 32

/** What has been asked and not been answered, in the order it was asked, sent or not. */
export class Requests {
  readonly #parts: RequestsParts
  readonly #waiting = new Map<string, Request>()
  #inFlight = 0
  #lastId = 0
  #isOpen = false

  constructor(parts: RequestsParts) {
    this.#parts = parts
  }

  async ask<T>(frame: ClientFrame): Promise<T> {
    if (this.#waiting.size >= this.#parts.limit)
      throw new ParleyError('QUEUE_FULL', 'Too many requests are waiting.')
    return this.#add(frame, false)
  }

  /** For what has to be done before it opens. */
  askEarly<T>(frame: ClientFrame): Promise<T> {
    return this.#add(frame, true)
  }

  open(): void {
    this.#isOpen = true
    this.#pump()
  }

  /** What was sent may or may not have been done, so it is not sent again. What was not sent waits on. */
  interrupt(): void {
    this.#isOpen = false
    const error = new ParleyError('DISCONNECTED', 'The connection was lost before the answer.')
    for (const [id, request] of [...this.#waiting])
      if (request.isSent || request.isEarly) this.#take(id)?.reject(error)
  }

  end(): void {
    this.#isOpen = false
    const error = new ParleyError('CLOSED', 'The client is closed.')
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(error)
  }

  settle(frame: Extract<ServerFrame, { readonly id?: unknown }>): void {
    const request = this.#take(frame.id ?? '')
    if (frame.type === 'error') request?.reject(toError(frame))
    else request?.resolve(bodyOf(frame))
    this.#pump()
  }

  #add<T>(frame: ClientFrame, isEarly: boolean): Promise<T> {
    const id = String(++this.#lastId)
    const timer = this.#parts.timers.set(() => this.#expire(id), this.#parts.timeoutMs)
    return new Promise((resolve: (answer: never) => void, reject) => {
      const settle = resolve as (answer: unknown) => void
      this.#waiting.set(id, { frame, isEarly, timer, resolve: settle, reject, isSent: false })
      this.#pump()
    })
  }

  #pump(): void {
    for (const [id, request] of this.#waiting) {
      if (this.#inFlight >= MAX_IN_FLIGHT) return
      if (request.isSent || !(this.#isOpen || request.isEarly)) continue
      request.isSent = true
      this.#inFlight += 1
      if (!this.#parts.send({ ...request.frame, id }))
        this.#take(id)?.reject(new ParleyError('DISCONNECTED', 'There is no connection.'))
    }
  }

  #expire(id: string): void {
    this.#take(id)?.reject(new ParleyError('TIMEOUT', 'No answer in time.'))
    this.#pump()
  }

  #take(id: string): Request | undefined {
    const request = this.#waiting.get(id)
    if (request === undefined) return undefined
    this.#waiting.delete(id)
    this.#parts.timers.clear(request.timer)
    if (request.isSent) this.#inFlight -= 1
    return request
  }
}

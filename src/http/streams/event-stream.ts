import type { PageResponse } from '../pages/page.ts'

/** One server-sent event. `data` may have several lines. */
export interface ServerSentEvent {
  readonly data: string
  readonly event?: string
  /** Returned by the browser as `Last-Event-ID` when it reconnects. */
  readonly id?: string
}

export interface EventStreamOptions {
  /** Ends the stream, so that a draining server does not wait for clients that would never leave. */
  readonly draining: AbortSignal
  /** Called once, when the stream ends for whatever reason. Unsubscribe here. */
  readonly onEnd: () => void
  readonly heartbeatMs?: number
  readonly maxQueued?: number
}

/** Below the idle timeouts of common proxies, most of which are 60 s. */
const HEARTBEAT_MS = 15_000
/** The stream of a client with more unread events than this ends; the client reconnects and catches up. */
const MAX_QUEUED = 1000

const HEARTBEAT = ':\n\n'
const DONE = { done: true, value: undefined } as const

/** A response body of server-sent events that lives until the client leaves, falls behind, or the server drains. */
export class EventStream implements AsyncIterableIterator<string, undefined> {
  readonly #options: EventStreamOptions
  /** Starts with a comment, because the runtime holds the headers back until the first chunk. */
  #queue: string[] = [HEARTBEAT]
  #isEnded = false
  #wake: () => void = () => undefined

  constructor(options: EventStreamOptions) {
    this.#options = options
    options.draining.addEventListener('abort', this.#end)
    if (options.draining.aborted) this.#end()
  }

  send(event: ServerSentEvent): void {
    if (this.#isEnded) return
    if (this.#queue.length >= (this.#options.maxQueued ?? MAX_QUEUED)) {
      this.#queue = []
      this.#end()
      return
    }
    this.#queue.push(renderEvent(event))
    this.#wake()
  }

  /** Ends the stream after the queued events. */
  end(): void {
    this.#end()
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#queue.length === 0 && !this.#isEnded) await this.#waitForEvent()
    const chunk = this.#queue.join('')
    this.#queue = []
    if (chunk !== '') return { done: false, value: chunk }
    return this.#isEnded ? DONE : { done: false, value: HEARTBEAT }
  }

  /** The client left. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#queue = []
    this.#end()
    return DONE
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #waitForEvent(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, this.#options.heartbeatMs ?? HEARTBEAT_MS)
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }

  readonly #end = (): void => {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#options.draining.removeEventListener('abort', this.#end)
    this.#wake()
    this.#options.onEnd()
  }
}

export const eventStreamResponse = (body: EventStream): PageResponse => ({
  status: 200,
  body,
  isLongLived: true,
  headers: {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    // nginx would collect the events in a buffer.
    'X-Accel-Buffering': 'no',
  },
})

/** A line break ends a field, so each line of the data is a field of its own, and other fields lose theirs. */
function renderEvent({ data, event, id }: ServerSentEvent): string {
  const fields = [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}`]),
    ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
  ]
  return `${fields.join('\n')}\n\n`
}

const oneLine = (text: string) => text.replace(/[\r\n\0]/g, '')

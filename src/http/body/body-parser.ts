import { ChatError } from '../../core/errors.ts'
import { RequestError } from '../errors.ts'
import type { InputLimits } from '../input-fields.ts'
import type { BodyJob, ParsedBody } from './body.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** Parsing a body takes a fraction of a second: a worker that takes longer than this hangs. */
const TIMEOUT_MS = 20_000

export interface BodyParserOptions {
  readonly limits: InputLimits
  /** Called when the worker fails. The next body starts a new one. */
  readonly onFailure: (error: Error) => void
  readonly start?: () => Worker
  readonly timeoutMs?: number
}

interface PendingJob extends PromiseWithResolvers<ParsedBody> {
  readonly timer: ReturnType<typeof setTimeout>
}

export const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

/** Parses long bodies in a worker, which is started with the first one and then reused. */
export class BodyParser {
  readonly #options: BodyParserOptions
  readonly #pending: PendingJob[] = []
  #worker: Worker | undefined
  #isClosed = false

  constructor(options: BodyParserOptions) {
    this.#options = options
  }

  /** Transfers the bytes to the worker. Throws `ChatError('unavailable')` when the worker fails. */
  parse(operation: string, job: BodyJob): Promise<ParsedBody> {
    if (this.#isClosed) throw new ChatError('unavailable')
    const bytes = transferable(job.bytes)
    this.#worker ??= this.#start()
    const timer = setTimeout(() => this.#fail('does not respond'), this.#options.timeoutMs ?? TIMEOUT_MS)
    const pending = { ...Promise.withResolvers<ParsedBody>(), timer }
    this.#pending.push(pending)
    const message: ToWorker = { kind: 'parse', operation, job: { ...job, bytes } }
    this.#worker.postMessage(message, [bytes.buffer])
    return pending.promise
  }

  close(): void {
    this.#isClosed = true
    this.#terminate(new Error('The server is stopping.'))
  }

  #start(): Worker {
    const worker = (this.#options.start ?? startWorker)()
    const fail = (problem: string) => {
      if (this.#worker === worker) this.#fail(problem)
    }
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#settle(data)
    worker.onerror = ({ message }) => fail(`failed: ${message}`)
    worker.addEventListener('close', () => fail('exited'))
    const message: ToWorker = { kind: 'start', limits: this.#options.limits }
    worker.postMessage(message)
    return worker
  }

  #settle(reply: FromWorker): void {
    const pending = this.#pending.shift()
    if (pending === undefined) return
    clearTimeout(pending.timer)
    if (reply.kind === 'parsed') pending.resolve(reply.parsed)
    else if (reply.kind === 'rejected') pending.reject(new RequestError(reply.error, reply.property))
    else pending.reject(new Error(reply.message))
  }

  #fail(problem: string): void {
    const error = new Error(`The worker that parses request bodies ${problem}.`)
    this.#terminate(error)
    this.#options.onFailure(error)
  }

  #terminate(cause: Error): void {
    const worker = this.#worker
    this.#worker = undefined
    worker?.terminate()
    for (const { timer, reject } of this.#pending.splice(0)) {
      clearTimeout(timer)
      reject(new ChatError('unavailable', { cause }))
    }
  }
}

/** Bytes that own their buffer, which can be transferred to a worker. */
const transferable = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes)

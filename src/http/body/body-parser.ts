import { ChatError } from '../../core/errors.ts'
import { RequestError } from '../errors.ts'
import type { InputLimits } from '../input-fields.ts'
import type { BodyJob, ParsedBody } from './body.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** A body is parsed in a fraction of a second; a thread that takes this long does not answer any more. */
const TIMEOUT_MS = 20_000

export interface BodyParserOptions {
  readonly limits: InputLimits
  /** Told when the thread has failed. The next body starts another. */
  readonly onFailure: (error: Error) => void
  readonly start?: () => Worker
  readonly timeoutMs?: number
}

interface Asked extends PromiseWithResolvers<ParsedBody> {
  readonly timer: ReturnType<typeof setTimeout>
}

export const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

/** Parses long bodies in a thread, which is started for the first one and kept. */
export class BodyParser {
  readonly #options: BodyParserOptions
  readonly #asked: Asked[] = []
  #worker: Worker | undefined
  #isClosed = false

  constructor(options: BodyParserOptions) {
    this.#options = options
  }

  /** Takes the bytes away from the caller. Throws `ChatError('unavailable')` when the thread fails. */
  parse(operation: string, job: BodyJob): Promise<ParsedBody> {
    if (this.#isClosed) throw new ChatError('unavailable')
    const bytes = ownBytes(job.bytes)
    this.#worker ??= this.#start()
    const timer = setTimeout(() => this.#fail('does not answer'), this.#options.timeoutMs ?? TIMEOUT_MS)
    const asked = { ...Promise.withResolvers<ParsedBody>(), timer }
    this.#asked.push(asked)
    const message: ToWorker = { kind: 'parse', operation, job: { ...job, bytes } }
    this.#worker.postMessage(message, [bytes.buffer])
    return asked.promise
  }

  close(): void {
    this.#isClosed = true
    this.#end(new Error('The server stops.'))
  }

  #start(): Worker {
    const worker = (this.#options.start ?? startWorker)()
    const failed = (what: string) => {
      if (this.#worker === worker) this.#fail(what)
    }
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#settle(data)
    worker.onerror = ({ message }) => failed(`has failed: ${message}`)
    worker.addEventListener('close', () => failed('has ended'))
    const message: ToWorker = { kind: 'start', limits: this.#options.limits }
    worker.postMessage(message)
    return worker
  }

  #settle(answer: FromWorker): void {
    const asked = this.#asked.shift()
    if (asked === undefined) return
    clearTimeout(asked.timer)
    if (answer.kind === 'parsed') asked.resolve(answer.parsed)
    else if (answer.kind === 'refused') asked.reject(new RequestError(answer.refusal, answer.property))
    else asked.reject(new Error(answer.message))
  }

  #fail(what: string): void {
    const error = new Error(`The thread that parses request bodies ${what}.`)
    this.#end(error)
    this.#options.onFailure(error)
  }

  #end(cause: Error): void {
    const worker = this.#worker
    this.#worker = undefined
    worker?.terminate()
    for (const { timer, reject } of this.#asked.splice(0)) {
      clearTimeout(timer)
      reject(new ChatError('unavailable', { cause }))
    }
  }
}

/** Bytes with a buffer of their own, which can be handed to another thread. */
const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes)

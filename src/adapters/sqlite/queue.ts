import { ChatError } from '../../core/errors.ts'
import { RESTORE } from './database.ts'
import { attachTexts, detachTexts, type Envelope, pack, type Texts, unpack } from './envelope.ts'
import type { Call, Result } from './executor.ts'
import type { FromWorker, Mode, ToWorker } from './worker.ts'

/** Calls over this number of queued ones are rejected immediately. */
const MAX_QUEUED = 10_000

/** Writes share a commit. Results of reads may be long, so each gets its own turn of the event loop. */
const MAX_BATCH_CALLS: Readonly<Record<Mode, number>> = { write: MAX_QUEUED, read: 1 }

export type Success = Extract<Result, { value: unknown }>

export interface QueueOptions {
  /** The database of the facts. */
  readonly path: string
  readonly messagesPath: string
  /** Whether the folder was in use before, so that an empty file means data loss. */
  readonly isInitialized: boolean
  /** Called after each batch of writes, for metrics. */
  readonly observe: (batch: { readonly calls: number; readonly seconds: number }) => void
  /** Called when nothing can be stored any more. */
  readonly onFailure: (error: Error) => void
  readonly maxQueued?: number
  /** Milliseconds after which an unfinished batch counts as stuck. */
  readonly stuckMs?: number
  readonly startWorker?: () => Worker
}

/** Longer than any batch on a slow disk, including the five seconds that SQLite waits for another process's lock. */
const STUCK_MS = 20_000
const CHECK_MS = 1000
const LATE_CHECK_MS = 5 * CHECK_MS
/** A worker that does not close its files within this time is terminated. */
const CLOSE_MS = 5000

const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

interface QueuedCall {
  readonly call: Call
  readonly resolve: (result: Success) => void
  readonly reject: (error: Error) => void
}

/** One batch that is running and one that is ready when it finishes. */
const MAX_BATCHES = 2

/**
 * Sends calls to a store worker in batches. Calls that arrive while a batch runs form the next one, so that a busier server
 * has larger batches instead of longer queues.
 */
export class WorkerQueue {
  readonly #worker: Worker
  readonly #mode: Mode
  readonly #options: QueueOptions
  #queued: QueuedCall[] = []
  readonly #running: { readonly calls: readonly QueuedCall[]; readonly startedAt: number }[] = []
  #scheduled = false
  #failure: Error | undefined
  /** Whether the worker still accepts messages. */
  #isResponsive = true
  /** When the worker started the first of the running batches. */
  #batchStartedAt = 0
  #checkedAt = performance.now()
  readonly #watchdog: ReturnType<typeof setInterval>
  #onReply: ((message: FromWorker) => void) | undefined

  private constructor(worker: Worker, mode: Mode, options: QueueOptions) {
    this.#worker = worker
    this.#mode = mode
    this.#options = options
    worker.onmessage = ({ data }: MessageEvent<Envelope>) => {
      const { json, texts } = unpack(data)
      this.#receive(JSON.parse(json), texts)
    }
    worker.onerror = ({ message }) => this.#giveUp(`failed: ${message}`)
    this.#watchdog = setInterval(() => this.#checkProgress(), CHECK_MS)
  }

  /** Throws when a data file cannot be opened. */
  static async open(mode: Mode, options: QueueOptions): Promise<WorkerQueue> {
    const queue = new WorkerQueue((options.startWorker ?? startWorker)(), mode, options)
    const { path, messagesPath, isInitialized } = options
    const reply = await queue.#request({ kind: 'open', mode, path, messagesPath, isInitialized })
    if (reply.kind === 'opened') return queue
    queue.#end()
    throw new Error(
      reply.kind === 'failed' ? reply.message : 'Cannot open the store: the worker did not respond.',
    )
  }

  /** Calls that are queued or running. */
  get length(): number {
    return this.#running.reduce((sum, { calls }) => sum + calls.length, this.#queued.length)
  }

  run(call: Call): Promise<Success> {
    if (this.#failure !== undefined)
      return Promise.reject(new ChatError('unavailable', { cause: this.#failure }))
    if (this.#queued.length >= (this.#options.maxQueued ?? MAX_QUEUED))
      return Promise.reject(new ChatError('unavailable'))
    return new Promise((resolve, reject) => {
      this.#queued.push({ call, resolve, reject })
      this.#schedule()
    })
  }

  /** Rejects all queued, running and future calls. */
  fail(error: Error): void {
    this.#rejectAll(error)
  }

  /** Runs the queued calls, then closes the files. */
  async close(): Promise<void> {
    if (this.#failure === undefined && this.length > 0)
      await this.run({ name: 'check', args: [] }).catch(() => undefined)
    if (this.#isResponsive) await this.#requestInTime({ kind: 'close' })
    this.#isResponsive = false
    this.#rejectAll(new Error('The store is closed.'))
    this.#end()
  }

  #end(): void {
    clearInterval(this.#watchdog)
    this.#worker.terminate()
  }

  #checkProgress(): void {
    const now = performance.now()
    // The whole process was suspended, for example with its virtual machine. The result may be waiting to be read.
    if (now - this.#checkedAt > LATE_CHECK_MS) this.#batchStartedAt = now
    this.#checkedAt = now
    const stuckMs = this.#options.stuckMs ?? STUCK_MS
    if (this.#running.length === 0 || now - this.#batchStartedAt < stuckMs) return
    this.#giveUp(
      `has been stuck for ${Math.round(stuckMs / 1000)} seconds. Check whether the disk is failing.`,
    )
  }

  /** Gives up on a worker that has failed or is stuck. */
  #giveUp(reason: string): void {
    const error = new Error(`The ${this.#mode} worker of the data file ${this.#options.path} ${reason}`)
    this.#isResponsive = false
    clearInterval(this.#watchdog)
    this.#rejectAll(error)
    this.#options.onFailure(error)
  }

  /** Waits for the end of the turn of the event loop, so that calls which arrive together share a commit. */
  #schedule(): void {
    if (this.#scheduled || this.#running.length >= MAX_BATCHES) return
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    const calls = this.#queued.splice(0, MAX_BATCH_CALLS[this.#mode])
    const startedAt = performance.now()
    if (this.#running.length === 0) this.#batchStartedAt = startedAt
    this.#running.push({ calls, startedAt })
    const sent = calls.map(({ call }) => call)
    this.#post({ kind: 'run', calls: detachTexts(sent) }, sent)
    if (this.#queued.length > 0) this.#schedule()
  }

  #receive(message: FromWorker, texts: Texts): void {
    if (message.kind !== 'ran') {
      this.#onReply?.(message)
      return
    }
    const done = this.#running.shift()
    if (done === undefined) return
    this.#batchStartedAt = performance.now()
    if (this.#queued.length > 0 && !this.#scheduled) this.#flush()
    if (this.#mode === 'write') {
      const seconds = (performance.now() - done.startedAt) / 1000
      this.#options.observe({ calls: done.calls.length, seconds })
    }
    const results = attachTexts(message.results, texts)
    for (const [index, queued] of done.calls.entries()) this.#settle(queued, results[index])
  }

  #settle({ resolve, reject }: QueuedCall, result: Result | undefined): void {
    if (result !== undefined && !('error' in result)) {
      resolve(result)
      return
    }
    const { error, detail } = result ?? { error: 'failed', detail: 'no result' }
    const cause = new Error(`The data file ${detail}`)
    if (error === 'failed') reject(cause)
    else reject(new ChatError(error === 'damaged' ? 'unavailable' : error, { cause }))
    if (error === 'damaged') this.#options.onFailure(new Error(`${cause.message}. ${RESTORE}`))
  }

  async #requestInTime(message: ToWorker): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, CLOSE_MS)
    await Promise.race([this.#request(message), late])
    clearTimeout(timer)
  }

  #request(message: ToWorker): Promise<FromWorker> {
    return new Promise((resolve) => {
      this.#onReply = resolve
      this.#post(message)
    })
  }

  #post(message: ToWorker, calls: readonly Call[] = []): void {
    this.#worker.postMessage(pack(JSON.stringify(message), calls))
  }

  #rejectAll(error: Error): void {
    this.#failure ??= error
    const lost = [...this.#running.flatMap(({ calls }) => calls), ...this.#queued]
    this.#running.length = 0
    this.#queued = []
    for (const { reject } of lost) reject(new ChatError('unavailable', { cause: error }))
    this.#onReply?.({ kind: 'failed', message: error.message })
  }
}

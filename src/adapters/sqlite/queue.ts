import { ChatError } from '../../core/errors.ts'
import { RESTORE } from './database.ts'
import { attachTexts, detachTexts, type Envelope, pack, type Texts, unpack } from './envelope.ts'
import type { Call, Result } from './executor.ts'
import type { FromWorker, Mode, ToWorker } from './worker.ts'

/** More calls than this waiting for the disk are refused at once. */
const MAX_WAITING = 10_000

/** Writes share a commit; the results of reads may be long, and each comes in a turn of the loop of its own. */
const MAX_CALLS_A_BATCH: Readonly<Record<Mode, number>> = { write: MAX_WAITING, read: 1 }

export type Success = Extract<Result, { value: unknown }>

export interface QueueOptions {
  /** The file of the facts. */
  readonly path: string
  readonly messagesPath: string
  /** Whether its folder was in use before, so that an empty file is a loss. */
  readonly isInitialized: boolean
  /** Told of each batch of writes, for the metrics. */
  readonly observe: (batch: { readonly calls: number; readonly seconds: number }) => void
  /** Told when the worker is gone and nothing can be stored any more. */
  readonly onFailure: (error: Error) => void
  readonly maxWaiting?: number
  /** Milliseconds after which a batch that has not ended counts as stuck. */
  readonly stuckMs?: number
  readonly startWorker?: () => Worker
}

/** Longer than any batch takes on a slow disk, with the five seconds that SQLite waits for a lock of another process. */
const STUCK_MS = 20_000
const LOOK_MS = 1000
const LATE_LOOK_MS = 5 * LOOK_MS
/** A worker that does not close its files in this time is left to the end of the process. */
const CLOSE_MS = 5000

const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

interface Waiting {
  readonly call: Call
  readonly resolve: (result: Success) => void
  readonly reject: (error: Error) => void
}

/** One that the worker runs and one that it finds ready when it is done. */
const MAX_BATCHES = 2

/**
 * Hands calls to the worker in batches: what arrives while the disk works becomes the next one, so a busier
 * server makes larger batches and not more waits.
 */
export class WorkerQueue {
  readonly #worker: Worker
  readonly #mode: Mode
  readonly #options: QueueOptions
  #waiting: Waiting[] = []
  readonly #running: { readonly calls: readonly Waiting[]; readonly startedAt: number }[] = []
  #scheduled = false
  #dead: Error | undefined
  /** Whether the worker can still be asked for something. */
  #isResponsive = true
  /** When the worker began with the first of the running batches. */
  #begunAt = 0
  #lookedAt = performance.now()
  readonly #watchdog: ReturnType<typeof setInterval>
  #next: ((message: FromWorker) => void) | undefined

  private constructor(worker: Worker, mode: Mode, options: QueueOptions) {
    this.#worker = worker
    this.#mode = mode
    this.#options = options
    worker.onmessage = ({ data }: MessageEvent<Envelope>) => {
      const { json, texts } = unpack(data)
      this.#receive(JSON.parse(json), texts)
    }
    worker.onerror = ({ message }) => this.#lose(`has failed: ${message}`)
    this.#watchdog = setInterval(() => this.#look(), LOOK_MS)
  }

  /** Throws when the data file cannot be used. */
  static async open(mode: Mode, options: QueueOptions): Promise<WorkerQueue> {
    const queue = new WorkerQueue((options.startWorker ?? startWorker)(), mode, options)
    const { path, messagesPath, isInitialized } = options
    const answer = await queue.#ask({ kind: 'open', mode, path, messagesPath, isInitialized })
    if (answer.kind === 'opened') return queue
    queue.#end()
    throw new Error(answer.kind === 'refused' ? answer.message : 'The store did not open.')
  }

  /** Calls that wait or run. */
  get length(): number {
    return this.#running.reduce((sum, { calls }) => sum + calls.length, this.#waiting.length)
  }

  run(call: Call): Promise<Success> {
    if (this.#dead !== undefined) return Promise.reject(new ChatError('unavailable', { cause: this.#dead }))
    if (this.#waiting.length >= (this.#options.maxWaiting ?? MAX_WAITING))
      return Promise.reject(new ChatError('unavailable'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject })
      this.#schedule()
    })
  }

  /** Refuses what waits, what runs and what comes. */
  fail(error: Error): void {
    this.#die(error)
  }

  /** Runs what waits, then closes the files. */
  async close(): Promise<void> {
    if (this.#dead === undefined && this.length > 0)
      await this.run({ name: 'check', args: [] }).catch(() => undefined)
    if (this.#isResponsive) await this.#askInTime({ kind: 'close' })
    this.#isResponsive = false
    this.#die(new Error('The store is closed.'))
    this.#end()
  }

  #end(): void {
    clearInterval(this.#watchdog)
    this.#worker.terminate()
  }

  #look(): void {
    const now = performance.now()
    // The whole process stood still, as in a suspended virtual machine: the answer may be waiting to be read.
    if (now - this.#lookedAt > LATE_LOOK_MS) this.#begunAt = now
    this.#lookedAt = now
    const stuckMs = this.#options.stuckMs ?? STUCK_MS
    if (this.#running.length === 0 || now - this.#begunAt < stuckMs) return
    this.#lose(`has been stuck for ${Math.round(stuckMs / 1000)} seconds. Is the disk failing?`)
  }

  /** The worker is gone, or as good as gone. */
  #lose(reason: string): void {
    const error = new Error(`The thread that ${this.#mode}s the data file ${this.#options.path} ${reason}`)
    this.#isResponsive = false
    clearInterval(this.#watchdog)
    this.#die(error)
    this.#options.onFailure(error)
  }

  /** At the end of the turn, so that calls which arrived together share a commit. */
  #schedule(): void {
    if (this.#scheduled || this.#running.length >= MAX_BATCHES) return
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    const calls = this.#waiting.splice(0, MAX_CALLS_A_BATCH[this.#mode])
    const startedAt = performance.now()
    if (this.#running.length === 0) this.#begunAt = startedAt
    this.#running.push({ calls, startedAt })
    const sent = calls.map(({ call }) => call)
    this.#post({ kind: 'run', calls: detachTexts(sent) }, sent)
    if (this.#waiting.length > 0) this.#schedule()
  }

  #receive(message: FromWorker, texts: Texts): void {
    if (message.kind !== 'ran') {
      this.#next?.(message)
      return
    }
    const done = this.#running.shift()
    if (done === undefined) return
    this.#begunAt = performance.now()
    if (this.#waiting.length > 0 && !this.#scheduled) this.#flush()
    if (this.#mode === 'write') {
      const seconds = (performance.now() - done.startedAt) / 1000
      this.#options.observe({ calls: done.calls.length, seconds })
    }
    const results = attachTexts(message.results, texts)
    for (const [index, waiting] of done.calls.entries()) this.#settle(waiting, results[index])
  }

  #settle({ resolve, reject }: Waiting, result: Result | undefined): void {
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

  async #askInTime(message: ToWorker): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, CLOSE_MS)
    await Promise.race([this.#ask(message), late])
    clearTimeout(timer)
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    return new Promise((resolve) => {
      this.#next = resolve
      this.#post(message)
    })
  }

  #post(message: ToWorker, calls: readonly Call[] = []): void {
    this.#worker.postMessage(pack(JSON.stringify(message), calls))
  }

  #die(error: Error): void {
    this.#dead ??= error
    const lost = [...this.#running.flatMap(({ calls }) => calls), ...this.#waiting]
    this.#running.length = 0
    this.#waiting = []
    for (const { reject } of lost) reject(new ChatError('unavailable', { cause: error }))
    this.#next?.({ kind: 'refused', message: error.message })
  }
}

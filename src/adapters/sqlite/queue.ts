import { ChatError } from '../../core/errors.ts'
import type { Call, Result } from './executor.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** More calls than this waiting for the disk are refused at once. */
const MAX_WAITING = 10_000

export type Success = Extract<Result, { value: unknown }>

export interface QueueObserver {
  /** Told of each batch, for the metrics. */
  readonly observe: (batch: { readonly calls: number; readonly seconds: number }) => void
  /** Told when the worker is gone and nothing can be stored any more. */
  readonly onFailure: (error: Error) => void
}

interface Waiting {
  readonly call: Call
  readonly resolve: (result: Success) => void
  readonly reject: (error: Error) => void
}

/**
 * Hands calls to the worker, one batch at a time: what arrives while the disk works becomes the next batch,
 * so a busier server makes larger batches and not more waits.
 */
export class WorkerQueue {
  readonly #worker: Worker
  readonly #observer: QueueObserver
  #waiting: Waiting[] = []
  #running: readonly Waiting[] = []
  #scheduled = false
  #startedAt = 0
  #dead: Error | undefined
  #next: ((message: FromWorker) => void) | undefined

  private constructor(worker: Worker, observer: QueueObserver) {
    this.#worker = worker
    this.#observer = observer
    worker.onmessage = ({ data }: MessageEvent<string>) => this.#receive(JSON.parse(data))
    worker.onerror = ({ message }) => {
      const error = new Error(`The store's worker has failed: ${message}`)
      this.#die(error)
      observer.onFailure(error)
    }
  }

  /** Throws when the data file cannot be used. */
  static async open(path: string, observer: QueueObserver): Promise<WorkerQueue> {
    const queue = new WorkerQueue(new Worker(new URL('./worker.ts', import.meta.url).href), observer)
    const answer = await queue.#ask({ kind: 'open', path })
    if (answer.kind === 'opened') return queue
    queue.#worker.terminate()
    throw new Error(answer.kind === 'refused' ? answer.message : 'The store did not open.')
  }

  /** Calls that wait or run. */
  get length(): number {
    return this.#waiting.length + this.#running.length
  }

  run(call: Call): Promise<Success> {
    if (this.#dead !== undefined) return Promise.reject(new ChatError('unavailable', { cause: this.#dead }))
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(new ChatError('unavailable'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ call, resolve, reject })
      this.#schedule()
    })
  }

  /** Runs what waits, then closes the file. */
  async close(): Promise<void> {
    if (this.#dead !== undefined) return
    if (this.length > 0) await this.run({ name: 'check', args: [] }).catch(() => undefined)
    await this.#ask({ kind: 'close' })
    this.#die(new Error('The store is closed.'))
    this.#worker.terminate()
  }

  /** At the end of the turn, so that calls which arrived together share a commit. */
  #schedule(): void {
    if (this.#scheduled || this.#running.length > 0) return
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    this.#running = this.#waiting
    this.#waiting = []
    this.#startedAt = performance.now()
    this.#post({ kind: 'run', calls: this.#running.map(({ call }) => call) })
  }

  #receive(message: FromWorker): void {
    if (message.kind !== 'ran') {
      this.#next?.(message)
      return
    }
    const done = this.#running
    this.#running = []
    this.#observer.observe({ calls: done.length, seconds: (performance.now() - this.#startedAt) / 1000 })
    if (this.#waiting.length > 0) this.#flush()
    for (const [index, waiting] of done.entries()) settle(waiting, message.results[index])
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    return new Promise((resolve) => {
      this.#next = resolve
      this.#post(message)
    })
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(JSON.stringify(message))
  }

  #die(error: Error): void {
    this.#dead = error
    const lost = [...this.#running, ...this.#waiting]
    this.#running = []
    this.#waiting = []
    for (const { reject } of lost) reject(new ChatError('unavailable', { cause: error }))
    this.#next?.({ kind: 'refused', message: error.message })
  }
}

function settle({ resolve, reject }: Waiting, result: Result | undefined): void {
  if (result === undefined) reject(new Error('The store gave no result.'))
  else if ('value' in result) resolve(result)
  else if (result.error === 'failed') reject(new Error(result.detail))
  else reject(new ChatError(result.error, { cause: result.detail }))
}

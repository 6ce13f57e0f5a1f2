import { ChatError } from '../core/errors.ts'

/** One that runs, and one that is ready when it completes. */
const MAX_IN_FLIGHT = 2

export interface BatcherOptions<C, R> {
  /** Returns a result for each call, in the same order. If it rejects, every call of the batch does. */
  readonly run: (calls: readonly C[]) => Promise<readonly R[]>
  /** Calls in excess of this are rejected with `ChatError('unavailable')`. Calls in flight do not count. */
  readonly maxQueued: number
  readonly maxBatch: number
  /** Called after each batch that ran, for metrics. */
  readonly observe?: (batch: { readonly calls: number; readonly seconds: number }) => void
}

interface Queued<C, R> {
  readonly call: C
  readonly resolve: (result: R) => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: calls that arrive while a batch commits share the next one, so that higher load makes batches larger
 * instead of more frequent.
 */
export class Batcher<C, R> {
  readonly #options: BatcherOptions<C, R>
  readonly #queue: Queued<C, R>[] = []
  #batchesInFlight = 0
  #callsInFlight = 0
  #isScheduled = false
  #idle: PromiseWithResolvers<void> | undefined

  constructor(options: BatcherOptions<C, R>) {
    this.#options = options
  }

  /** Calls that are queued or in flight. */
  get length(): number {
    return this.#queue.length + this.#callsInFlight
  }

  run(call: C): Promise<R> {
    if (this.#queue.length >= this.#options.maxQueued) return Promise.reject(new ChatError('unavailable'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ call, resolve, reject })
      this.#schedule()
    })
  }

  /** Resolves when no call is queued or in flight. */
  async whenIdle(): Promise<void> {
    if (this.length === 0) return
    this.#idle ??= Promise.withResolvers()
    await this.#idle.promise
  }

  /** Waits for the end of the turn, so that calls made in the same turn share a batch. */
  #schedule(): void {
    if (this.#isScheduled || this.#batchesInFlight >= MAX_IN_FLIGHT) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#start()
    })
  }

  #start(): void {
    const batch = this.#queue.splice(0, this.#options.maxBatch)
    this.#batchesInFlight++
    this.#callsInFlight += batch.length
    const startedAt = performance.now()
    this.#options.run(batch.map(({ call }) => call)).then(
      (results) => {
        this.#complete(batch)
        const seconds = (performance.now() - startedAt) / 1000
        this.#options.observe?.({ calls: batch.length, seconds })
        resolveAll(batch, results)
      },
      (thrown: unknown) => {
        this.#complete(batch)
        for (const { reject } of batch) reject(thrown)
      },
    )
    if (this.#queue.length > 0) this.#schedule()
  }

  #complete(batch: readonly unknown[]): void {
    this.#batchesInFlight--
    this.#callsInFlight -= batch.length
    // Starts the next batch before callers run, so that the storage never waits for them.
    if (this.#queue.length > 0 && !this.#isScheduled) this.#start()
    if (this.length > 0) return
    this.#idle?.resolve()
    this.#idle = undefined
  }
}

function resolveAll<C, R>(batch: readonly Queued<C, R>[], results: readonly R[]): void {
  const isComplete = results.length === batch.length
  for (const [index, { resolve, reject }] of batch.entries()) {
    if (isComplete) resolve(results[index] as R)
    else reject(new Error(`The batch of ${batch.length} calls returned ${results.length} results.`))
  }
}

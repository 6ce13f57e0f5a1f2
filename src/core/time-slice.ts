/** Other work waits for a slice several times on its way, a ban about four times. */
const SLICE_MS = 1

/** Resolves after the event loop has run everything else that was pending. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Splits long-running work into slices, so that it never blocks the event loop that delivers chat. */
export class TimeSlice {
  #end = performance.now() + SLICE_MS

  get isOver(): boolean {
    return performance.now() >= this.#end
  }

  /** Yields to the event loop and starts the next slice. */
  async renew(): Promise<void> {
    await yieldToEventLoop()
    this.#end = performance.now() + SLICE_MS
  }
}

/** Tasks of one caller that run concurrently. */
const TASKS_PER_STEP = 20

/** Slices that concurrent callers share: together they hold the event loop no longer than one of them. */
export class SharedTimeSlice {
  readonly #slice = new TimeSlice()
  #lastTurn: Promise<void> = Promise.resolve()

  /** Runs a task for each item. One that fails does not stop the others; its error is thrown at the end. */
  async forEach<T>(items: readonly T[], task: (item: T) => Promise<unknown>): Promise<void> {
    let failure: PromiseRejectedResult | undefined
    for (let start = 0; start < items.length; start += TASKS_PER_STEP) {
      await this.#nextTurn()
      const results = await Promise.allSettled(items.slice(start, start + TASKS_PER_STEP).map(task))
      failure ??= results.find((result) => result.status === 'rejected')
    }
    if (failure !== undefined) throw failure.reason
  }

  /** Callers take turns in the order in which they ask. */
  #nextTurn(): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(async () => {
      if (this.#slice.isOver) await this.#slice.renew()
    })
    return this.#lastTurn
  }
}

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

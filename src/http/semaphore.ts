import { ChatError } from '../core/errors.ts'

export interface SemaphoreOptions {
  readonly permits: number
  /** When this many requests wait for a permit, further ones are rejected. */
  readonly maxQueued: number
}

/** Limits the concurrency of expensive work. Permits are granted first come, first served. */
export class Semaphore {
  readonly #maxQueued: number
  readonly #queue: (() => void)[] = []
  #free: number

  constructor({ permits, maxQueued }: SemaphoreOptions) {
    this.#free = permits
    this.#maxQueued = maxQueued
  }

  /** Creates a permit, to be acquired when it is needed. */
  permit(): Permit {
    return new Permit(
      () => this.#acquire(),
      () => this.#release(),
    )
  }

  async #acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    if (this.#queue.length >= this.#maxQueued) throw new ChatError('unavailable')
    await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  #release(): void {
    const next = this.#queue.shift()
    if (next === undefined) this.#free++
    else next()
  }
}

/** Released on disposal, if it was acquired. */
export class Permit implements Disposable {
  readonly #acquire: () => Promise<void>
  readonly #release: () => void
  #isHeld = false

  constructor(acquire: () => Promise<void>, release: () => void) {
    this.#acquire = acquire
    this.#release = release
  }

  /** Idempotent. Throws `ChatError('unavailable')` when the queue is full. */
  async acquire(): Promise<void> {
    if (this.#isHeld) return
    await this.#acquire()
    this.#isHeld = true
  }

  [Symbol.dispose](): void {
    if (this.#isHeld) this.#release()
    this.#isHeld = false
  }
}

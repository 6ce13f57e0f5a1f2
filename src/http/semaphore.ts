import { ChatError } from '../core/errors.ts'

export interface SemaphoreOptions {
  readonly permits: number
  /** Who comes when so many wait is refused. */
  readonly maxQueued: number
}

/** Bounds how much of something costly goes on at a time. First come, first served. */
export class Semaphore {
  readonly #maxQueued: number
  readonly #queue: (() => void)[] = []
  #free: number

  constructor({ permits, maxQueued }: SemaphoreOptions) {
    this.#free = permits
    this.#maxQueued = maxQueued
  }

  /** A permit that is not taken yet. */
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

/** Is given back when it is disposed of, where it was taken. */
export class Permit implements Disposable {
  readonly #acquire: () => Promise<void>
  readonly #release: () => void
  #isHeld = false

  constructor(acquire: () => Promise<void>, release: () => void) {
    this.#acquire = acquire
    this.#release = release
  }

  /** Throws `ChatError('unavailable')` when too many wait. */
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

import { ChatError } from '../core/errors.ts'

export interface GateOptions {
  readonly places: number
  /** Who comes when so many wait is refused. */
  readonly maxWaiting: number
}

/** Bounds how much of something costly goes on at a time. First come, first served. */
export class Gate {
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor({ places, maxWaiting }: GateOptions) {
    this.#free = places
    this.#maxWaiting = maxWaiting
  }

  /** A place that is not taken yet. */
  place(): Place {
    return new Place(
      () => this.#take(),
      () => this.#release(),
    )
  }

  async #take(): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    if (this.#waiting.length >= this.#maxWaiting) throw new ChatError('unavailable')
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}

/** Is given back when it is disposed of, where it was taken. */
export class Place implements Disposable {
  readonly #enter: () => Promise<void>
  readonly #leave: () => void
  #isTaken = false

  constructor(enter: () => Promise<void>, leave: () => void) {
    this.#enter = enter
    this.#leave = leave
  }

  /** Throws `ChatError('unavailable')` when too many wait. */
  async take(): Promise<void> {
    if (this.#isTaken) return
    await this.#enter()
    this.#isTaken = true
  }

  [Symbol.dispose](): void {
    if (this.#isTaken) this.#leave()
    this.#isTaken = false
  }
}

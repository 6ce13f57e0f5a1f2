/** Gives one caller per turn of the event loop its turn, in order: many long lists together block it no longer than one. */
export class Turns {
  /** Callers that wait; at most one for each request in progress. */
  readonly #waiting: (() => void)[] = []

  next(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    if (this.#waiting.push(resolve) === 1) setImmediate(this.#give)
    return promise
  }

  readonly #give = (): void => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#give)
  }
}

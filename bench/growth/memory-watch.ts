import { residentMb } from '../support.ts'

const EVERY_MS = 50

/** The resident memory of a process over time. */
export class MemoryWatch implements Disposable {
  readonly #samples: number[]
  readonly #timer: ReturnType<typeof setInterval>

  constructor(pid: number) {
    this.#samples = [residentMb(pid)]
    this.#timer = setInterval(() => this.#samples.push(residentMb(pid)), EVERY_MS)
  }

  get startMb(): number {
    return this.#samples[0] ?? 0
  }

  get peakMb(): number {
    return Math.max(...this.#samples)
  }

  /** The highest of the second third and of the last. */
  get laterThirds(): readonly [number, number] {
    const third = Math.floor(this.#samples.length / 3)
    return [Math.max(...this.#samples.slice(third, 2 * third)), Math.max(...this.#samples.slice(2 * third))]
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

const STEP_MS = 0.1
const STEPS = 600_000

/** Delivery times of up to a minute, counted without an allocation per delivery. */
export class Histogram {
  readonly #counts = new Uint32Array(STEPS)
  #total = 0

  get total(): number {
    return this.#total
  }

  add(ms: number): void {
    const step = Math.max(0, Math.min(STEPS - 1, Math.floor(ms / STEP_MS)))
    this.#counts[step]!++
    this.#total++
  }

  quantile(share: number): number {
    let left = Math.ceil(this.#total * share)
    if (left === 0) return 0
    for (let step = 0; step < STEPS; step++) {
      left -= this.#counts[step]!
      if (left <= 0) return step * STEP_MS
    }
    return STEPS * STEP_MS
  }
}

/** A seeded generator (mulberry32): the same choices on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  pick<T>(choices: ArrayLike<T>): T {
    return choices[this.below(choices.length)]!
  }

  sample<T>(choices: readonly T[], count: number): T[] {
    const rest = [...choices]
    for (let place = 0; place < Math.min(count, rest.length); place++) {
      const other = place + this.below(rest.length - place)
      ;[rest[place], rest[other]] = [rest[other]!, rest[place]!]
    }
    return rest.slice(0, count)
  }

  /** True with a probability of 1 in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0
  }

  many<T>(atLeast: number, below: number, make: () => T): T[] {
    return Array.from({ length: atLeast + this.below(below - atLeast) }, make)
  }
}

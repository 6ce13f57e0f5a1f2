const FIRST_ROOM = 1024

/** Rows of numbers that share one array: as arrays of their own they would keep the garbage collector busy. */
export class Rows {
  #values = new Uint32Array(FIRST_ROOM)
  #firsts = new Int32Array(FIRST_ROOM)
  #end = 0
  #rows = 0

  get count(): number {
    return this.#rows
  }

  /** The rows one after another. */
  get values(): Uint32Array {
    return this.#values.subarray(0, this.#end)
  }

  /** Where each row begins, and where the last one ends. */
  get firsts(): Int32Array {
    return this.#firsts.subarray(0, this.#rows + 1)
  }

  /** Adds to the row that is not ended yet. */
  push(value: number): void {
    if (this.#end === this.#values.length) {
      const grown = new Uint32Array(this.#end * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.#end++] = value
  }

  /** Adds to that row unless its last number is the same. */
  pushOther(value: number): void {
    if (this.#end === this.#firsts[this.#rows] || this.#values[this.#end - 1] !== value) this.push(value)
  }

  /** Adds all but the first number of the row that was ended last. */
  pushRestAgain(): void {
    const end = this.#end
    for (let at = (this.#firsts[this.#rows - 1] ?? 0) + 1; at < end; at++) this.push(this.#values[at] ?? 0)
  }

  endRow(): void {
    if (++this.#rows === this.#firsts.length) {
      const grown = new Int32Array(this.#rows * 2)
      grown.set(this.#firsts)
      this.#firsts = grown
    }
    this.#firsts[this.#rows] = this.#end
  }
}

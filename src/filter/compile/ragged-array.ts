const INITIAL_CAPACITY = 1024

/** Rows of numbers in one flat array. Separate arrays would burden the garbage collector. */
export class RaggedArray {
  #values = new Uint32Array(INITIAL_CAPACITY)
  #offsets = new Int32Array(INITIAL_CAPACITY)
  #end = 0
  #rows = 0

  get count(): number {
    return this.#rows
  }

  /** All rows, concatenated. */
  get values(): Uint32Array {
    return this.#values.subarray(0, this.#end)
  }

  /** The start of each row, and the end of the last. */
  get offsets(): Int32Array {
    return this.#offsets.subarray(0, this.#rows + 1)
  }

  /** Appends to the open row. */
  push(value: number): void {
    if (this.#end === this.#values.length) {
      const grown = new Uint32Array(this.#end * 2)
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.#end++] = value
  }

  /** Appends to the open row unless its last number is the same. */
  pushUnlessRepeated(value: number): void {
    const isEmpty = this.#end === this.#offsets[this.#rows]
    if (isEmpty || this.#values[this.#end - 1] !== value) this.push(value)
  }

  endRow(): void {
    if (++this.#rows === this.#offsets.length) {
      const grown = new Int32Array(this.#rows * 2)
      grown.set(this.#offsets)
      this.#offsets = grown
    }
    this.#offsets[this.#rows] = this.#end
  }
}

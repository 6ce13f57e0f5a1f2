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
    if (this.#end === this.#offsets[this.#rows] || this.#values[this.#end - 1] !== value) this.push(value)
  }

  /** Appends all but the first number of the last closed row. */
  repeatTail(): void {
    const end = this.#end
    for (let at = (this.#offsets[this.#rows - 1] ?? 0) + 1; at < end; at++) this.push(this.#values[at] ?? 0)
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

/** Insertions move at most this many items. */
const BLOCK_ITEMS = 512

/**
 * Items in ascending order, no two of them equal by `compare`, which looks at the properties of `K` only. Kept in blocks, so
 * that insertion, deletion and the first item of a range take about the same time whether there are a hundred items or a
 * million.
 */
export class SortedList<K, T extends K> {
  readonly #compare: (a: K, b: K) => number
  /** None is empty. */
  #blocks: T[][] = []
  #size = 0

  constructor(compare: (a: K, b: K) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#size
  }

  /** Replaces all items. These must be in order already. */
  load(sorted: readonly T[]): void {
    this.#blocks = []
    this.#size = sorted.length
    for (let start = 0; start < sorted.length; start += BLOCK_ITEMS)
      this.#blocks.push(sorted.slice(start, start + BLOCK_ITEMS))
  }

  get(key: K): T | undefined {
    const block = this.#blocks[this.#blockOf(key)]
    const item = block?.[this.#indexIn(block, key)]
    return item !== undefined && this.#compare(item, key) === 0 ? item : undefined
  }

  /** Replaces the equal item, if there is one. */
  set(item: T): void {
    const position = this.#blockOf(item)
    const block = this.#blocks[position]
    if (block === undefined) {
      this.#blocks.push([item])
      this.#size++
      return
    }
    const index = this.#indexIn(block, item)
    const existing = block[index]
    if (existing !== undefined && this.#compare(existing, item) === 0) {
      block[index] = item
      return
    }
    block.splice(index, 0, item)
    this.#size++
    if (block.length > BLOCK_ITEMS) this.#blocks.splice(position + 1, 0, block.splice(BLOCK_ITEMS / 2))
  }

  /** Returns the deleted item. */
  delete(key: K): T | undefined {
    const position = this.#blockOf(key)
    const block = this.#blocks[position]
    if (block === undefined) return undefined
    const index = this.#indexIn(block, key)
    const item = block[index]
    if (item === undefined || this.#compare(item, key) !== 0) return undefined
    block.splice(index, 1)
    this.#size--
    this.#mergeWithNext(position, block)
    return item
  }

  first(): T | undefined {
    return this.#blocks[0]?.[0]
  }

  /** Items greater than or equal to `key`, ascending; all of them without a key. */
  *ascendingFrom(key?: K): Generator<T> {
    let position = key === undefined ? 0 : this.#blockOf(key)
    let index = key === undefined ? 0 : this.#indexIn(this.#blocks[position] ?? [], key)
    for (; position < this.#blocks.length; position++, index = 0) {
      const block = this.#blocks[position] ?? []
      for (; index < block.length; index++) yield block[index] as T
    }
  }

  /** Items less than `key`, descending; all of them without a key. */
  *descendingBefore(key?: K): Generator<T> {
    let position = key === undefined ? this.#blocks.length - 1 : this.#blockOf(key)
    let end = key === undefined ? Number.POSITIVE_INFINITY : this.#indexIn(this.#blocks[position] ?? [], key)
    for (; position >= 0; position--, end = Number.POSITIVE_INFINITY) {
      const block = this.#blocks[position] ?? []
      for (let index = Math.min(end, block.length) - 1; index >= 0; index--) yield block[index] as T
    }
  }

  /** A deletion that leaves two small neighbours makes one block of them. */
  #mergeWithNext(position: number, block: T[]): void {
    const next = this.#blocks[position + 1]
    if (block.length === 0) this.#blocks.splice(position, 1)
    else if (next !== undefined && block.length + next.length <= BLOCK_ITEMS / 2) {
      block.push(...next)
      this.#blocks.splice(position + 1, 1)
    }
  }

  /** The last block whose first item is not greater, or the first block. */
  #blockOf(key: K): number {
    let low = 0
    let high = this.#blocks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const first = this.#blocks[middle]?.[0]
      if (first !== undefined && this.#compare(first, key) <= 0) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  /** The position of the key in a block, or where it would be inserted. */
  #indexIn(block: readonly T[], key: K): number {
    let low = 0
    let high = block.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const item = block[middle]
      if (item !== undefined && this.#compare(item, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

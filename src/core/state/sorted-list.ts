/** Bounds how many items an insertion moves. */
const BLOCK_ITEMS = 512

/**
 * Unique items in ascending order of `compare`, which may read only the properties of `K`. Stored in blocks, so that
 * insertion, deletion and seeking take about the same time for a hundred items as for a million.
 */
export class SortedList<K, T extends K> {
  readonly #compare: (a: K, b: K) => number
  /** Blocks are never empty. */
  #blocks: T[][] = []
  #size = 0
  #snapshot: readonly (readonly T[])[] | undefined
  /** Blocks that a snapshot may contain, which must not change. */
  #shared = new WeakSet<readonly T[]>()

  constructor(compare: (a: K, b: K) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#size
  }

  /** Replaces all items. `sorted` must be in order. */
  load(sorted: readonly T[]): void {
    this.#blocks = []
    this.#snapshot = undefined
    this.#size = sorted.length
    for (let start = 0; start < sorted.length; start += BLOCK_ITEMS)
      this.#blocks.push(sorted.slice(start, start + BLOCK_ITEMS))
  }

  get(key: K): T | undefined {
    const block = this.#blocks[this.#blockOf(key)]
    const item = block?.[this.#indexIn(block, key)]
    return item !== undefined && this.#compare(item, key) === 0 ? item : undefined
  }

  /** Inserts an item, or replaces the one equal to it. */
  set(item: T): void {
    const position = this.#blockOf(item)
    const block = this.#change(position)
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
    const index = this.#indexIn(this.#blocks[position] ?? [], key)
    const item = this.#blocks[position]?.[index]
    if (item === undefined || this.#compare(item, key) !== 0) return undefined
    const block = this.#change(position) ?? []
    block.splice(index, 1)
    this.#size--
    this.#mergeWithNext(position, block)
    return item
  }

  /** All items, ascending. */
  toArray(): T[] {
    return this.#blocks.flat()
  }

  /** All items as they are now, ascending, in blocks. Copies none of them: later changes copy the blocks they touch. */
  snapshot(): readonly (readonly T[])[] {
    if (this.#snapshot !== undefined) return this.#snapshot
    for (const block of this.#blocks) this.#shared.add(block)
    this.#snapshot = this.#blocks.slice()
    return this.#snapshot
  }

  first(): T | undefined {
    return this.#blocks[0]?.[0]
  }

  /** At most `limit` items greater than or equal to `key`, ascending. */
  page(key: K, limit: number): T[] {
    let position = this.#blockOf(key)
    const block = this.#blocks[position] ?? []
    const start = this.#indexIn(block, key)
    const items = block.slice(start, start + limit)
    while (items.length < limit && ++position < this.#blocks.length)
      items.push(...(this.#blocks[position] ?? []).slice(0, limit - items.length))
    return items
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

  /** Returns a block that no snapshot contains, to be changed. */
  #change(position: number): T[] | undefined {
    this.#snapshot = undefined
    const block = this.#blocks[position]
    if (block === undefined || !this.#shared.has(block)) return block
    const copy = block.slice()
    this.#blocks[position] = copy
    return copy
  }

  /** Removes an empty block, and merges small neighbours after a deletion. */
  #mergeWithNext(position: number, block: T[]): void {
    const next = this.#blocks[position + 1]
    if (block.length === 0) this.#blocks.splice(position, 1)
    else if (next !== undefined && block.length + next.length <= BLOCK_ITEMS / 2) {
      block.push(...next)
      this.#blocks.splice(position + 1, 1)
    }
  }

  /** Index of the last block whose first item is not greater than `key`, or of the first block. */
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

  /** Index of `key` in a block, or the index to insert it at. */
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

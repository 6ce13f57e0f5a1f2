const PARTITIONS = 256
/** Ids that are numbered or random differ in their last characters. */
const HASHED_CHARACTERS = 8

/** A map in parts: growing a single map of a million entries would block the event loop for a tenth of a second. */
export class PartitionedMap<V> {
  readonly #parts = Array.from({ length: PARTITIONS }, () => new Map<string, V>())

  get size(): number {
    return this.#parts.reduce((size, part) => size + part.size, 0)
  }

  get(key: string): V | undefined {
    return this.#partOf(key).get(key)
  }

  set(key: string, value: V): void {
    this.#partOf(key).set(key, value)
  }

  delete(key: string): void {
    this.#partOf(key).delete(key)
  }

  #partOf(key: string): Map<string, V> {
    let hash = key.length
    for (let index = Math.max(0, key.length - HASHED_CHARACTERS); index < key.length; index++)
      hash = (Math.imul(hash, 31) + key.charCodeAt(index)) | 0
    return this.#parts[(hash ^ (hash >>> 8)) & (PARTITIONS - 1)] as Map<string, V>
  }
}

import type { Dictionary } from './dictionary.ts'

const WORD_BITS = 5
const BITS_PER_SLOT = 4

export const NO_SLOT = -1

/** A dictionary behind a Bloom filter that is small enough to stay in the CPU cache and rejects most unknown words. */
export class BloomDictionary {
  readonly #dictionary: Dictionary
  readonly #bits: Int32Array

  constructor(dictionary: Dictionary) {
    const { hashes } = dictionary
    this.#dictionary = dictionary
    this.#bits = new Int32Array((hashes.length * BITS_PER_SLOT) >> WORD_BITS || 1)
    for (let slot = 0; slot < hashes.length; slot++) this.#mark(hashes[slot] ?? 0)
  }

  has(hash: number): boolean {
    return this.#mayContain(hash) && this.#dictionary.has(hash)
  }

  slotOf(hash: number): number {
    if (!this.#mayContain(hash)) return NO_SLOT
    const slot = this.#dictionary.slotOf(hash)
    return this.#dictionary.hashes[slot] === hash ? slot : NO_SLOT
  }

  /** Returns its slot. */
  add(hash: number): number {
    const slot = this.#dictionary.slotOf(hash)
    this.#dictionary.hashes[slot] = hash
    this.#mark(hash)
    return slot
  }

  #mark(hash: number): void {
    const position = this.#indexOf(hash)
    this.#bits[position] = (this.#bits[position] ?? 0) | (1 << hash)
  }

  #mayContain(hash: number): boolean {
    return ((this.#bits[this.#indexOf(hash)] ?? 0) & (1 << hash)) !== 0
  }

  #indexOf(hash: number): number {
    return (hash >>> WORD_BITS) & (this.#bits.length - 1)
  }
}

import type { Dictionary } from './dictionary.ts'

const WIDTH = 5
const BITS_OF_SLOT = 4

export const NO_SLOT = -1

/** Holds back most of what a dictionary does not have, by few enough bits to stay near. */
export class Sieve {
  readonly #dictionary: Dictionary
  readonly #bits: Int32Array

  constructor(dictionary: Dictionary) {
    const { hashes } = dictionary
    this.#dictionary = dictionary
    this.#bits = new Int32Array((hashes.length * BITS_OF_SLOT) >> WIDTH || 1)
    for (let slot = 0; slot < hashes.length; slot++) this.#mark(hashes[slot] ?? 0)
  }

  has(hash: number): boolean {
    return this.#mayHave(hash) && this.#dictionary.has(hash)
  }

  slotOf(hash: number): number {
    if (!this.#mayHave(hash)) return NO_SLOT
    const slot = this.#dictionary.slotOf(hash)
    return this.#dictionary.hashes[slot] === hash ? slot : NO_SLOT
  }

  /** Gives its slot. */
  add(hash: number): number {
    const slot = this.#dictionary.slotOf(hash)
    this.#dictionary.hashes[slot] = hash
    this.#mark(hash)
    return slot
  }

  #mark(hash: number): void {
    const place = this.#placeOf(hash)
    this.#bits[place] = (this.#bits[place] ?? 0) | (1 << hash)
  }

  #mayHave(hash: number): boolean {
    return ((this.#bits[this.#placeOf(hash)] ?? 0) & (1 << hash)) !== 0
  }

  #placeOf(hash: number): number {
    return (hash >>> WIDTH) & (this.#bits.length - 1)
  }
}

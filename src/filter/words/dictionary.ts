const PRIME = 0x0100_0193
const NEW_LINE = 0x0a

/** The hash of an empty word. */
export const START_HASH = 0x811c_9dc5 | 0

export const hashLetter = (hash: number, letter: number): number => Math.imul(hash ^ letter, PRIME)

export function hashWord(word: string, start: number = START_HASH): number {
  let hash = start
  for (let i = 0; i < word.length; i++) hash = hashLetter(hash, word.charCodeAt(i))
  return hash
}

/** Words by hash: one megabyte that can be transferred to another thread. */
export class Dictionary {
  readonly hashes: Int32Array

  constructor(hashes: Int32Array) {
    this.hashes = hashes
  }

  static withCapacity(words: number): Dictionary {
    return new Dictionary(new Int32Array(1 << (33 - Math.clz32(words))))
  }

  /** Reads a text with one word per line. */
  static read(text: string, words: number): Dictionary {
    const dictionary = Dictionary.withCapacity(words)
    let hash = START_HASH
    for (let i = 0; i < text.length; i++) {
      const letter = text.charCodeAt(i)
      if (letter !== NEW_LINE) {
        hash = hashLetter(hash, letter)
        continue
      }
      dictionary.#add(hash)
      hash = START_HASH
    }
    return dictionary
  }

  has(hash: number): boolean {
    const { hashes } = this
    const mask = hashes.length - 1
    for (let slot = hash & mask; hashes[slot] !== 0; slot = (slot + 1) & mask)
      if (hashes[slot] === hash) return true
    return false
  }

  /** The slot of a hash, or the free one where it belongs. */
  slotOf(hash: number): number {
    const { hashes } = this
    const mask = hashes.length - 1
    let slot = hash & mask
    while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  #add(hash: number): void {
    const mask = this.hashes.length - 1
    let slot = hash & mask
    while (this.hashes[slot] !== 0) slot = (slot + 1) & mask
    this.hashes[slot] = hash
  }
}

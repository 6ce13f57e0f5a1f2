const PRIME = 0x0100_0193
const START = 0x811c_9dc5 | 0

export const hashLetter = (hash: number, letter: number): number => Math.imul(hash ^ letter, PRIME)
export const START_HASH = START

/** The words of a dictionary by their hashes: a megabyte that can be handed to another thread. */
export function hashWords(words: ReadonlySet<string>): Int32Array {
  const table = new Int32Array(1 << (33 - Math.clz32(words.size)))
  for (const word of words) {
    let hash = START
    for (let i = 0; i < word.length; i++) hash = hashLetter(hash, word.charCodeAt(i))
    let slot = hash & (table.length - 1)
    while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1)
    table[slot] = hash || 1
  }
  return table
}

export function hasHash(table: Int32Array, hash: number): boolean {
  const wanted = hash || 1
  for (let slot = hash & (table.length - 1); table[slot] !== 0; slot = (slot + 1) & (table.length - 1))
    if (table[slot] === wanted) return true
  return false
}

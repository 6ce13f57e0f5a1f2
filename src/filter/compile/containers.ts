import { BloomDictionary, NO_SLOT } from '../words/bloom-dictionary.ts'
import { Dictionary, hashLetter, hashWord, START_HASH } from '../words/dictionary.ts'

const MIN_LETTERS = 3
/** Lists up to this length are searched word by word. */
const FEW_WORDS = 64
/** Higher counts make no difference. */
const MANY = 1000
const NEW_LINE = 0x0a

/** A text starts like a line, where the code is not a number. */
const isLineEnd = (unit: number) => unit === NEW_LINE || Number.isNaN(unit)

/** Counts the words of a dictionary that contain each listed word. */
export class Containers {
  readonly #words: BloomDictionary
  /** By slot. */
  readonly #counts: Uint32Array

  constructor(listed: readonly string[], dictionary: string) {
    const words = Dictionary.withCapacity(listed.length)
    this.#words = new BloomDictionary(words)
    this.#counts = new Uint32Array(words.hashes.length)
    for (const word of listed) this.#words.add(hashWord(word))
    if (listed.length <= FEW_WORDS) {
      for (const word of listed) this.#countOccurrences(word, dictionary)
      return
    }
    for (let start = 0; start < dictionary.length; ) {
      const end = dictionary.indexOf('\n', start)
      this.#countParts(dictionary, start, end)
      start = end + 1
    }
  }

  /** Dictionary words that contain the word, other than the word itself. */
  of(word: string): number {
    const slot = this.#words.slotOf(hashWord(word))
    return slot === NO_SLOT ? 0 : (this.#counts[slot] ?? 0)
  }

  /** Faster than looking up each part of each dictionary word. */
  #countOccurrences(word: string, dictionary: string): void {
    const slot = this.#words.slotOf(hashWord(word))
    let count = 0
    for (
      let at = dictionary.indexOf(word);
      at !== -1 && count < MANY;
      at = dictionary.indexOf(word, at + 1)
    ) {
      const isWhole =
        isLineEnd(dictionary.charCodeAt(at - 1)) && isLineEnd(dictionary.charCodeAt(at + word.length))
      if (!isWhole) count++
    }
    this.#counts[slot] = count
  }

  #countParts(text: string, start: number, end: number): void {
    for (let from = start; from + MIN_LETTERS <= end; from++) {
      let hash = START_HASH
      for (let at = from; at < end; at++) {
        hash = hashLetter(hash, text.charCodeAt(at))
        if (at - from + 1 < MIN_LETTERS || at - from + 1 === end - start) continue
        const slot = this.#words.slotOf(hash)
        if (slot !== NO_SLOT) this.#counts[slot] = (this.#counts[slot] ?? 0) + 1
      }
    }
  }
}

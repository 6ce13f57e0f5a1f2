import { type CompiledList, LETTER_CODE, type PatternTable } from '../compiled.ts'
import { foldedOf } from '../unicode/characters.ts'
import { widthOf } from '../unicode/text.ts'
import { Dictionary, hashLetter, START_HASH } from '../words/dictionary.ts'
import { type Match, Rule } from './match.ts'

/** Finds patterns without letters, which the automaton cannot find. The cost does not depend on their number. */
export class Literals {
  readonly #hashes: Dictionary
  readonly #bySlot: Int32Array
  /** The length of the longest literal that starts with a unit. */
  readonly #longest = new Map<number, number>()
  readonly #patterns: PatternTable

  constructor({ literals, patterns }: CompiledList) {
    this.#hashes = new Dictionary(literals.hashes)
    this.#bySlot = literals.patterns
    this.#patterns = patterns
    const { starts } = literals
    for (let at = 0; at < starts.length; at += 2) this.#longest.set(starts[at] ?? 0, starts[at + 1] ?? 0)
  }

  /** Adds each literal at an index to the matches. */
  find(text: string, index: number, matches: Match[]): void {
    if (this.#longest.size === 0) return
    const longest = this.#longest.get(text.charCodeAt(index))
    if (longest === undefined) return
    let hash = START_HASH
    for (let at = index, read = 0; at < text.length && read < longest; at++) {
      if (isRepeatedSpace(text, at)) continue
      read++
      hash = hashLetter(hash, foldedOf(text.charCodeAt(at)))
      if (!this.#hashes.has(hash)) continue
      const pattern = this.#bySlot[this.#hashes.slotOf(hash)] ?? 0
      if (this.#matches(text, index, at + 1, pattern))
        matches.push({ start: index, end: at + 1, pattern, rule: Rule.word })
    }
  }

  #matches(text: string, start: number, end: number, pattern: number): boolean {
    const { firstLetter, letters } = this.#patterns
    let letter = firstLetter[pattern] ?? 0
    for (let at = start; at < end; letter++) {
      while (isRepeatedSpace(text, at)) at++
      const code = text.codePointAt(at) ?? 0
      if (foldedOf(code) !== ((letters[letter] ?? 0) & LETTER_CODE)) return false
      at += widthOf(code)
    }
    return letter === firstLetter[pattern + 1]
  }
}

const SPACE = 0x20

/** An expression has single spaces. */
const isRepeatedSpace = (text: string, at: number) =>
  text.charCodeAt(at) === SPACE && text.charCodeAt(at - 1) === SPACE

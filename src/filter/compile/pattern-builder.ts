import {
  type Candidates,
  CENSORED_BITS,
  type CensoredIndex,
  censoredBucket,
  ELEMENT_COUNT_SHIFT,
  ELEMENT_STARTS_SYLLABLE,
  EXACT_LENGTH,
  Flag,
  isExact,
  type PatternTable,
} from '../compiled.ts'
import type { Automaton } from '../scan/automaton.ts'
import { FollowMask } from '../scan/symbols.ts'
import { isSpaced, Kind, kindOf } from '../unicode/characters.ts'
import { jamoOf } from '../unicode/hangul.ts'
import { appendClasses, codeAt, lastCode, type Pattern, unitsOf } from './expression.ts'
import type { Inflections } from './inflector.ts'
import { RaggedArray } from './ragged-array.ts'

/** A pattern and the position of its expression. */
export interface ListedPattern extends Pattern {
  readonly list: number
  readonly position: number
}

const MAX_COUNT = 255
const MIN_CENSORED = 3
const MAX_CENSORED = 24
const NO_BUCKET = -1

/** Collects the patterns of a filter, numbered in order of addition. */
export class PatternBuilder {
  readonly #words: string[] = []
  readonly #flags: number[] = []
  readonly #lists: number[] = []
  readonly #positions: number[] = []
  readonly #suffixes: number[] = []
  readonly #doubledSuffixes: number[] = []
  readonly #elements = new RaggedArray()
  /** The classes of each pattern; an empty row for a literal. */
  readonly classes = new RaggedArray()
  /** Patterns without letters. */
  readonly literals: number[] = []

  /** `read` is the spelling to search for, if it differs from the pattern. */
  add(pattern: ListedPattern, inflections?: Inflections, read: Pattern = pattern): void {
    if (isLiteral(pattern.word)) {
      this.literals.push(this.#words.length)
      this.classes.endRow()
    } else appendClasses(read, this.classes)
    this.#append(pattern, inflections)
  }

  /** Adds the last pattern again, to be found inside words. */
  addCompound(pattern: ListedPattern, inflections: Inflections): void {
    this.classes.repeatTail()
    this.classes.endRow()
    this.#append(
      { ...pattern, flags: pattern.flags | Flag.openBefore | Flag.openAfter | Flag.compound },
      inflections,
    )
  }

  #append({ word, flags, list, position }: ListedPattern, inflections: Inflections | undefined): void {
    this.#words.push(word)
    this.#flags.push(flags)
    this.#lists.push(list)
    this.#positions.push(position)
    this.#suffixes.push(inflections?.suffixes ?? 0)
    this.#doubledSuffixes.push(inflections?.doubledSuffixes ?? 0)
    encodeElements(word, flags, this.#elements)
  }

  /** The first code unit of each literal. */
  literalStarts(): Set<number> {
    return new Set(this.literals.map((index) => this.#words[index]?.charCodeAt(0) ?? 0))
  }

  buildTable(): PatternTable {
    return {
      flags: new Uint8Array(this.#flags),
      lists: new Uint16Array(this.#lists),
      positions: new Int32Array(this.#positions),
      firstElement: this.#elements.offsets.slice(),
      elements: this.#elements.values.slice(),
      suffixes: new Uint16Array(this.#suffixes),
      doubledSuffixes: new Uint16Array(this.#doubledSuffixes),
    }
  }

  /** The candidates of an automaton built from these patterns. */
  buildCandidates({ firstOutput, outputs, outputLinks }: Automaton): Candidates {
    const count = firstOutput.at(-1) ?? 0
    const states = new Int32Array(count)
    const linkedStates = new RaggedArray()
    for (let state = 0; state < outputLinks.length; state++) {
      states.fill(state, firstOutput[state], firstOutput[state + 1])
      if (outputLinks[state] !== 0) linkedStates.push(state)
    }
    return {
      states,
      lists: new Uint16Array(count).map((_, at) => this.#lists[outputs[at] ?? 0] ?? 0),
      followers: new Uint8Array(count).map((_, at) => this.#mapWord(outputs[at] ?? 0, endOf)),
      lengths: new Uint8Array(count).map((_, at) => this.#mapWord(outputs[at] ?? 0, lengthOf)),
      linkedStates: new Int32Array(linkedStates.values),
    }
  }

  #mapWord(pattern: number, describe: (word: string, flags: number) => number): number {
    return describe(this.#words[pattern] ?? '', this.#flags[pattern] ?? 0)
  }

  buildCensoredIndex(): CensoredIndex {
    const buckets = new Int32Array(this.#words.length).map((_, pattern) => this.#mapWord(pattern, bucketOf))
    const first = new Int32Array((1 << CENSORED_BITS) + 1)
    for (const bucket of buckets) if (bucket !== NO_BUCKET) first[bucket + 1] = (first[bucket + 1] ?? 0) + 1
    for (let end = 1; end < first.length; end++) first[end] = (first[end] ?? 0) + (first[end - 1] ?? 0)
    const patterns = new Int32Array(first.at(-1) ?? 0)
    const free = first.slice()
    for (let pattern = 0; pattern < buckets.length; pattern++) {
      const bucket = buckets[pattern] ?? NO_BUCKET
      if (bucket === NO_BUCKET) continue
      const at = free[bucket] ?? 0
      patterns[at] = pattern
      free[bucket] = at + 1
    }
    return { firstPattern: first, patterns }
  }
}

function isLiteral(word: string): boolean {
  for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at)))
    if (kindOf(codeAt(word, at)) !== Kind.separator) return false
  return true
}

function endOf(word: string, flags: number): number {
  const last = kindOf(lastCode(word))
  if ((flags & Flag.openAfter) !== 0 || (last !== Kind.letter && last !== Kind.digit))
    return FollowMask.anywhere
  return (flags & Flag.inflects) !== 0 ? FollowMask.inflected : FollowMask.wholeWord
}

function lengthOf(word: string, flags: number): number {
  let length = 0
  for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at)), length++)
    if (!isSpaced(kindOf(codeAt(word, at)))) return 0
  const isWord = (flags & Flag.openBefore) === 0
  return isWord ? Math.min(length, EXACT_LENGTH - 1) | (isExact(flags) ? EXACT_LENGTH : 0) : 0
}

/** Appends a row: the runs of a word, with Hangul syllables decomposed into jamo. */
function encodeElements(word: string, flags: number, elements: RaggedArray): void {
  const isHangul = (flags & Flag.hangul) !== 0
  for (let at = 0; at < word.length; ) {
    const code = codeAt(word, at)
    const start = at
    do at += unitsOf(code)
    while (at < word.length && codeAt(word, at) === code)
    const count = (at - start) / unitsOf(code)
    if (!isHangul || kindOf(code) !== Kind.syllable) elements.push(encode(code, count))
    else for (let each = 0; each < count; each++) encodeSyllable(code, elements)
  }
  elements.endRow()
}

function encodeSyllable(code: number, elements: RaggedArray): void {
  const letters = jamoOf(code)
  for (let position = 0; position < letters.length; position++)
    elements.push(encode(letters.charCodeAt(position), 1) | (position === 0 ? ELEMENT_STARTS_SYLLABLE : 0))
}

const encode = (code: number, count: number) => code | (Math.min(count, MAX_COUNT) << ELEMENT_COUNT_SHIFT)

const UNCENSORED = Flag.allowed | Flag.strict | Flag.hangul | Flag.jamo | Flag.compound

function bucketOf(word: string, flags: number): number {
  if ((flags & UNCENSORED) !== 0 || word.includes(' ')) return NO_BUCKET
  let length = 0
  for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at))) length++
  if (length < MIN_CENSORED || length > MAX_CENSORED) return NO_BUCKET
  return censoredBucket(codeAt(word, 0), lastCode(word), length)
}

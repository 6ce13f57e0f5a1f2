import {
  type Candidates,
  CENSORED_BITS,
  type CensoredIndex,
  censoredBucket,
  ELEMENT_COUNT_SHIFT,
  ELEMENT_STARTS,
  EXACTLY,
  type PatternTable,
} from '../compiled.ts'
import type { Automaton } from '../scan/automaton.ts'
import { End } from '../scan/symbols.ts'
import { jamoOf, Kind, kindOf } from '../unicode/characters.ts'
import {
  codeAt,
  Flag,
  isExact,
  isSpaced,
  lastCode,
  type Pattern,
  readClasses,
  unitsOf,
} from './expression.ts'
import type { Bends } from './inflector.ts'
import { Rows } from './ragged-array.ts'

/** A pattern and the expression that asks for it. */
export interface Placed extends Pattern {
  readonly list: number
  readonly place: number
}

const MAX_COUNT = 255
const MIN_CENSORED = 3
const MAX_CENSORED = 24
const NO_BUCKET = -1

/** All patterns of a filter, numbered in turn. */
export class Patterns {
  readonly #words: string[] = []
  readonly #flags: number[] = []
  readonly #lists: number[] = []
  readonly #places: number[] = []
  readonly #endings: number[] = []
  readonly #doubledEndings: number[] = []
  readonly #elements = new Rows()
  /** What has to be there by classes; nothing for literals. */
  readonly classes = new Rows()
  /** Patterns of signs alone. */
  readonly literals: number[] = []

  /** `read` is what is looked for, where that is not the pattern itself. */
  add(pattern: Placed, bends?: Bends, read: Pattern = pattern): void {
    if (isLiteral(pattern.word)) {
      this.literals.push(this.#words.length)
      this.classes.endRow()
    } else readClasses(read, this.classes)
    this.#describe(pattern, bends)
  }

  /** The pattern that was added last, for within words. */
  addWithin(pattern: Placed, bends: Bends): void {
    this.classes.pushRestAgain()
    this.classes.endRow()
    this.#describe(
      { ...pattern, flags: pattern.flags | Flag.openBefore | Flag.openAfter | Flag.within },
      bends,
    )
  }

  #describe({ word, flags, list, place }: Placed, bends: Bends | undefined): void {
    this.#words.push(word)
    this.#flags.push(flags)
    this.#lists.push(list)
    this.#places.push(place)
    this.#endings.push(bends?.single ?? 0)
    this.#doubledEndings.push(bends?.doubled ?? 0)
    encodeElements(word, flags, this.#elements)
  }

  /** The first unit of each literal. */
  literalStarts(): Set<number> {
    return new Set(this.literals.map((index) => this.#words[index]?.charCodeAt(0) ?? 0))
  }

  tabulate(): PatternTable {
    return {
      flags: new Uint8Array(this.#flags),
      lists: new Uint16Array(this.#lists),
      places: new Int32Array(this.#places),
      first: this.#elements.firsts.slice(),
      elements: this.#elements.values.slice(),
      endings: new Uint16Array(this.#endings),
      doubledEndings: new Uint16Array(this.#doubledEndings),
    }
  }

  /** Those that end in the states of an automaton of all of them. */
  listCandidates({ firstEnd, ends, nextEnds }: Automaton): Candidates {
    const count = firstEnd.at(-1) ?? 0
    const states = new Int32Array(count)
    const heirs = new Rows()
    for (let state = 0; state < nextEnds.length; state++) {
      states.fill(state, firstEnd[state], firstEnd[state + 1])
      if (nextEnds[state] !== 0) heirs.push(state)
    }
    return {
      states,
      lists: new Uint16Array(count).map((_, at) => this.#lists[ends[at] ?? 0] ?? 0),
      nexts: new Uint8Array(count).map((_, at) => this.#ofWord(ends[at] ?? 0, endOf)),
      lengths: new Uint8Array(count).map((_, at) => this.#ofWord(ends[at] ?? 0, lengthOf)),
      heirs: new Int32Array(heirs.values),
    }
  }

  #ofWord(pattern: number, describe: (word: string, flags: number) => number): number {
    return describe(this.#words[pattern] ?? '', this.#flags[pattern] ?? 0)
  }

  indexCensored(): CensoredIndex {
    const buckets = new Int32Array(this.#words.length).map((_, pattern) => this.#ofWord(pattern, bucketOf))
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
    return { first, patterns }
  }
}

function isLiteral(word: string): boolean {
  for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at)))
    if (kindOf(codeAt(word, at)) !== Kind.separator) return false
  return true
}

function endOf(word: string, flags: number): number {
  const last = kindOf(lastCode(word))
  if ((flags & Flag.openAfter) !== 0 || (last !== Kind.letter && last !== Kind.digit)) return End.anywhere
  return (flags & Flag.bends) !== 0 ? End.bent : End.whole
}

function lengthOf(word: string, flags: number): number {
  let length = 0
  for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at)), length++)
    if (!isSpaced(kindOf(codeAt(word, at)))) return 0
  const isWord = (flags & Flag.openBefore) === 0
  return isWord ? Math.min(length, EXACTLY - 1) | (isExact(flags) ? EXACTLY : 0) : 0
}

/** Adds a row: the runs of a word, of Hangul its letters. */
function encodeElements(word: string, flags: number, elements: Rows): void {
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

function encodeSyllable(code: number, elements: Rows): void {
  const letters = jamoOf(code)
  for (let place = 0; place < letters.length; place++)
    elements.push(encode(letters.charCodeAt(place), 1) | (place === 0 ? ELEMENT_STARTS : 0))
}

const encode = (code: number, count: number) => code | (Math.min(count, MAX_COUNT) << ELEMENT_COUNT_SHIFT)

const UNCENSORED = Flag.allowed | Flag.strict | Flag.hangul | Flag.looseJamo | Flag.within

function bucketOf(word: string, flags: number): number {
  if ((flags & UNCENSORED) !== 0 || word.includes(' ')) return NO_BUCKET
  let length = 0
  for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at))) length++
  if (length < MIN_CENSORED || length > MAX_CENSORED) return NO_BUCKET
  return censoredBucket(codeAt(word, 0), lastCode(word), length)
}

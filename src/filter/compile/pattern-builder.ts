import {
  type Candidates,
  CENSORED_BITS,
  type CensoredIndex,
  censoredBucket,
  EXACT_LENGTH,
  Flag,
  INSIDE_WORDS,
  type LiteralTable,
  type PatternTable,
  STARTS_SYLLABLE,
} from '../compiled.ts'
import type { Automaton } from '../scan/automaton.ts'
import { FollowMask } from '../scan/symbols.ts'
import { isSpaced, Kind, kindOf } from '../unicode/characters.ts'
import { jamoOf } from '../unicode/hangul.ts'
import { readClassOf } from '../unicode/text.ts'
import { Dictionary, hashWord } from '../words/dictionary.ts'
import { appendClasses, codeAt, lastCode, unitsOf } from './expression.ts'
import { RaggedArray } from './ragged-array.ts'

/** A pattern to search for. */
export interface BuiltPattern {
  /** Folded letters and punctuation; a space stands for any separators. */
  readonly word: string
  readonly flags: number
  /** The expression's position in its list. */
  readonly position: number
  readonly endings?: number
  readonly doubledEndings?: number
}

const MAX_RUNS = 255
const MIN_CENSORED = 3
const MAX_CENSORED = 24
const NO_BUCKET = -1

/** Collects the patterns of a list, numbered in order of addition. In columns, to spare the garbage collector. */
export class PatternBuilder {
  readonly #words: string[] = []
  readonly #flags: number[] = []
  readonly #positions: number[] = []
  readonly #runs: number[] = []
  readonly #endings: number[] = []
  readonly #doubledEndings: number[] = []
  readonly #letters = new RaggedArray()
  /** The classes of each pattern; an empty row for a literal. */
  readonly classes = new RaggedArray()
  /** Patterns without letters. */
  readonly #literals: number[] = []

  add({ word, flags, position, endings = 0, doubledEndings = 0 }: BuiltPattern): void {
    if (isLiteral(word)) {
      this.#literals.push(this.#words.length)
      this.classes.endRow()
    } else appendClasses(word, (flags & INSIDE_WORDS) === 0, this.classes)
    this.#words.push(word)
    this.#flags.push(flags)
    this.#positions.push(position)
    this.#runs.push(countRuns(word))
    this.#endings.push(endings)
    this.#doubledEndings.push(doubledEndings)
    encodeLetters(word, flags, this.#letters)
  }

  get hasHangul(): boolean {
    return this.#flags.some((flags) => (flags & Flag.hangul) !== 0)
  }

  buildTable(): PatternTable {
    return {
      flags: new Uint32Array(this.#flags),
      positions: new Int32Array(this.#positions),
      firstLetter: this.#letters.offsets.slice(),
      letters: this.#letters.values.slice(),
      runs: new Uint8Array(this.#runs),
      endings: new Uint32Array(this.#endings),
      doubledEndings: new Uint32Array(this.#doubledEndings),
    }
  }

  /** The candidates of an automaton built from these patterns. */
  buildCandidates({ firstOutput, outputs, outputLinks }: Automaton): Candidates {
    const followers = new Uint8Array(outputLinks.length)
    const lengths = new Uint8Array(outputs.length)
    const lastRuns = new Uint8Array(outputs.length)
    for (let state = 0; state < outputLinks.length; state++) {
      let mask = followers[outputLinks[state] ?? 0] ?? 0
      const end = firstOutput[state + 1] ?? 0
      for (let at = firstOutput[state] ?? 0; at < end; at++) {
        mask |= this.#followersOf(outputs[at] ?? 0)
        lengths[at] = this.#lengthOf(outputs[at] ?? 0)
        lastRuns[at] = lastRunOf(this.#words[outputs[at] ?? 0] ?? '')
      }
      followers[state] = mask
    }
    return { followers, lengths, lastRuns }
  }

  #followersOf(pattern: number): number {
    const flags = this.#flags[pattern] ?? 0
    if ((flags & (Flag.openAfter | Flag.stem | Flag.compound)) !== 0) return FollowMask.anywhere
    const last = kindOf(lastCode(this.#words[pattern] ?? ''))
    if (last !== Kind.letter && last !== Kind.digit) return FollowMask.anywhere
    const endings = (this.#endings[pattern] ?? 0) | (this.#doubledEndings[pattern] ?? 0)
    return endings === 0 ? FollowMask.wholeWord : FollowMask.inflected
  }

  #lengthOf(pattern: number): number {
    const flags = this.#flags[pattern] ?? 0
    if ((flags & INSIDE_WORDS) !== 0) return 0
    const word = this.#words[pattern] ?? ''
    let length = 0
    for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at)), length++)
      if (!isSpaced(kindOf(codeAt(word, at)))) return 0
    const isExact =
      (flags & Flag.exact) !== 0 && (flags & Flag.openAfter) === 0 && this.#endings[pattern] === 0
    return Math.min(length, EXACT_LENGTH - 1) | (isExact ? EXACT_LENGTH : 0)
  }

  buildLiterals(): LiteralTable {
    const dictionary = Dictionary.withCapacity(this.#literals.length)
    const patterns = new Int32Array(dictionary.hashes.length)
    const longest = new Map<number, number>()
    for (const pattern of this.#literals) {
      const word = this.#words[pattern] ?? ''
      const slot = dictionary.slotOf(hashWord(word))
      if (dictionary.hashes[slot] !== 0) continue
      dictionary.hashes[slot] = hashWord(word)
      patterns[slot] = pattern
      const start = word.charCodeAt(0)
      longest.set(start, Math.max(longest.get(start) ?? 0, word.length))
    }
    return { hashes: dictionary.hashes, patterns, starts: Uint32Array.from([...longest].flat()) }
  }

  buildCensoredIndex(): CensoredIndex {
    const buckets = new Int32Array(
      this.#words.map((word, pattern) => bucketOf(word, this.#flags[pattern] ?? 0)),
    )
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

/** The number of runs of one class, as the verifier counts them in a text. */
function countRuns(word: string): number {
  let runs = 0
  let before = -1
  for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at))) {
    const code = codeAt(word, at)
    const own = readClassOf(code)
    if (own !== before) runs++
    before = own
  }
  return Math.min(runs, MAX_RUNS)
}

const MAX_LAST_RUN = 3

/** The number of letters of one class that a word ends with; 0 if it does not end with a letter. */
function lastRunOf(word: string): number {
  const own = readClassOf(word.charCodeAt(word.length - 1))
  if (kindOf(word.charCodeAt(word.length - 1)) !== Kind.letter) return 0
  let run = 1
  while (run < MAX_LAST_RUN && readClassOf(word.charCodeAt(word.length - 1 - run)) === own) run++
  return run
}

/** Appends a row: the letters of a word, with Hangul syllables decomposed into jamo. */
function encodeLetters(word: string, flags: number, letters: RaggedArray): void {
  const isHangul = (flags & Flag.hangul) !== 0
  for (let at = 0; at < word.length; ) {
    const code = codeAt(word, at)
    at += unitsOf(code)
    if (isHangul && kindOf(code) === Kind.syllable) encodeSyllable(code, letters)
    else letters.push(code)
  }
  letters.endRow()
}

function encodeSyllable(code: number, letters: RaggedArray): void {
  const jamo = jamoOf(code)
  for (let position = 0; position < jamo.length; position++)
    letters.push(jamo.charCodeAt(position) | (position === 0 ? STARTS_SYLLABLE : 0))
}

const UNCENSORED = Flag.allowed | Flag.exact | Flag.hangul | Flag.jamo

function bucketOf(word: string, flags: number): number {
  if ((flags & UNCENSORED) !== 0 || word.includes(' ')) return NO_BUCKET
  let length = 0
  for (let at = 0; at < word.length; at += unitsOf(codeAt(word, at))) length++
  if (length < MIN_CENSORED || length > MAX_CENSORED) return NO_BUCKET
  return censoredBucket(codeAt(word, 0), lastCode(word), length)
}

import { Alphabet } from './alphabet.ts'
import { type Automaton, buildAutomaton } from './automaton.ts'
import { Bender, type Bends } from './endings.ts'
import { type Element, Flag, type Pattern, readExpression, SEPARATOR } from './expression.ts'
import { classOf, jamoOf, Kind, kindOf } from './unicode.ts'
import { hashWords } from './words/dictionary.ts'
import english from './words/english.txt' with { type: 'text' }
import { ABBREVIATIONS, INNOCENT } from './words/korean.ts'

export interface List {
  /** `all`, or a language code. */
  readonly language: string
  readonly expressions: readonly string[]
}

export interface FilterSource {
  /** What is forbidden. */
  readonly lists: readonly List[]
  /** What is not, although it holds something that is. */
  readonly allowed: readonly List[]
}

/** A filter as plain data whose buffers can be handed to another thread. Holds no text of an expression. */
export interface CompiledFilter {
  readonly automaton: Automaton
  /** What each unit of a text is to the scanner. */
  readonly codes: Uint16Array
  /** The symbols of each Hangul syllable. */
  readonly syllables: Uint8Array
  readonly patterns: PatternTable
  /** Patterns of signs alone, which no automaton of letters can find. */
  readonly literals: Int32Array
  readonly censored: CensoredIndex
  /** The hashes of words that are no forms of others. */
  readonly dictionary: Int32Array
}

/** Of each pattern, by its number. */
export interface PatternTable {
  readonly flags: Uint8Array
  /** How it may end. */
  readonly ends: Uint8Array
  /** Which list it is from: those of `lists`, then those of `allowed`, then the words that the filter itself knows. */
  readonly lists: Uint16Array
  /** Where it stands in its list. */
  readonly places: Int32Array
  /** Its elements are `elements[first[pattern]]` up to `elements[first[pattern + 1]]`. */
  readonly first: Int32Array
  readonly elements: Uint32Array
  /** A bit for each ending that it may take, and the same for when its last letter is doubled before it. */
  readonly endings: Uint16Array
  readonly doubledEndings: Uint16Array
}

/** Patterns by their length and their first and last letter, for words of which letters are starred out. */
export interface CensoredIndex {
  readonly first: Int32Array
  readonly patterns: Int32Array
}

/** How a pattern may end. */
export const End = {
  /** Where a word ends. */
  whole: 1,
  /** There, or before an ending. */
  bent: 2,
  anywhere: 4,
} as const

/** An element: its code, how often it stands there, and whether a Hangul syllable begins with it. */
export const ELEMENT_CODE = 0x1f_ffff
export const ELEMENT_COUNT_SHIFT = 21
export const ELEMENT_STARTS = 0x4000_0000

const MAX_COUNT = 255

export function compile({ lists, allowed }: FilterSource): CompiledFilter {
  const dictionary = new Set(english.split('\n'))
  const forbidden = bendAll(readLists(lists, 0, 0), dictionary)
  const known = { language: 'all', expressions: INNOCENT }
  const read = [...forbidden, ...readLists([...allowed, known], lists.length, Flag.allowed)]
  const alphabet = new Alphabet(read)
  const isLiteral = ({ elements }: Pattern) => elements.every(({ code }) => kindOf(code) === Kind.separator)
  const spelled = read.map((pattern) => (isLiteral(pattern) ? [] : alphabet.spell(pattern.classes)))
  const literals = read.flatMap((pattern, index) => (isLiteral(pattern) ? [index] : []))
  const literalStarts = new Set(
    literals.map((index) => String.fromCodePoint(read[index]?.elements[0]?.code ?? 0).charCodeAt(0)),
  )
  return {
    automaton: buildAutomaton(spelled),
    codes: alphabet.codes(literalStarts),
    syllables: alphabet.syllables(),
    patterns: tabulate(read),
    dictionary: hashWords(dictionary),
    literals: Int32Array.from(literals),
    censored: indexCensored(read),
  }
}

/** For the transfer to another thread. */
export function buffersOf({ automaton, patterns, censored, ...others }: CompiledFilter) {
  const arrays = [automaton, patterns, censored, others].flatMap((each) => Object.values(each))
  return arrays.map(({ buffer }) => buffer)
}

interface Placed extends Pattern {
  readonly list: number
  readonly place: number
  readonly bends?: Bends
}

function readLists(lists: readonly List[], firstList: number, flag: number): Placed[] {
  return lists.flatMap(({ expressions }, index) =>
    expressions.flatMap((expression, place) =>
      [expression, ...(ABBREVIATIONS.get(expression) ?? [])].flatMap((spelling) => {
        const pattern = readExpression(spelling)
        if (pattern === undefined) return []
        return [{ ...pattern, flags: pattern.flags | flag, list: firstList + index, place }]
      }),
    ),
  )
}

const wordOf = ({ elements }: Pattern) =>
  elements.map(({ code, count }) => String.fromCodePoint(code).repeat(count)).join('')

/** Finds out what may be made of each word, and adds what players write instead of it. */
function bendAll(read: readonly Placed[], dictionary: ReadonlySet<string>): Placed[] {
  const byList = Map.groupBy(read, ({ list }) => list)
  const lists = Array.from({ length: Math.max(0, ...byList.keys()) + 1 }, (_, list) => byList.get(list) ?? [])
  const bender = new Bender(
    dictionary,
    lists.map((patterns) => patterns.map(wordOf)),
  )
  return read.flatMap((pattern) => {
    if ((pattern.flags & Flag.bends) === 0) return [pattern]
    const bends = bender.bendsOf(pattern.list, wordOf(pattern))
    const bent = { ...pattern, bends }
    return [bent, ...(bends.isStem ? within(bent) : []), ...respelled(bent, bends.spellings)]
  })
}

function within(pattern: Placed): Placed[] {
  const flags = pattern.flags | Flag.openBefore | Flag.openAfter | Flag.within
  return [{ ...pattern, flags, classes: pattern.classes.slice(1) }]
}

function respelled(pattern: Placed, spellings: readonly string[]): Placed[] {
  return spellings.flatMap((spelling) => {
    const read = readExpression(spelling)
    return read === undefined ? [] : [{ ...pattern, ...read, flags: pattern.flags }]
  })
}

function tabulate(read: readonly Placed[]): PatternTable {
  const elements = read.map(encodeElements)
  const first = new Int32Array(read.length + 1)
  for (const [index, each] of elements.entries()) first[index + 1] = (first[index] ?? 0) + each.length
  const table = new Uint32Array(first.at(-1) ?? 0)
  for (const [index, each] of elements.entries()) table.set(each, first[index])
  return {
    flags: Uint8Array.from(read, ({ flags }) => flags),
    ends: Uint8Array.from(read, endOf),
    lists: Uint16Array.from(read, ({ list }) => list),
    places: Int32Array.from(read, ({ place }) => place),
    first,
    elements: table,
    endings: Uint16Array.from(read, ({ bends }) => bends?.single ?? 0),
    doubledEndings: Uint16Array.from(read, ({ bends }) => bends?.doubled ?? 0),
  }
}

function endOf({ elements, flags }: Pattern): number {
  const last = kindOf(elements.at(-1)?.code ?? 0)
  if ((flags & Flag.openAfter) !== 0 || (last !== Kind.letter && last !== Kind.digit)) return End.anywhere
  return (flags & Flag.bends) !== 0 ? End.bent : End.whole
}

function encodeElements({ elements, flags }: Pattern): number[] {
  if ((flags & Flag.hangul) === 0) return elements.map(({ code, count }) => encode(code, count))
  return elements.flatMap(({ code, count }) =>
    kindOf(code) === Kind.syllable
      ? Array.from({ length: count }, () => encodeSyllable(code)).flat()
      : [encode(code, count)],
  )
}

const encodeSyllable = (code: number) =>
  Array.from(
    jamoOf(code),
    (jamo, place) => encode(jamo.charCodeAt(0), 1) | (place === 0 ? ELEMENT_STARTS : 0),
  )

const encode = (code: number, count: number) => code | (Math.min(count, MAX_COUNT) << ELEMENT_COUNT_SHIFT)

const CENSORED_BITS = 13
const MIN_CENSORED = 3
const MAX_CENSORED = 24

/** Where a word of this length with these ends is to be found in the index. */
export const censoredBucket = (first: number, last: number, length: number): number =>
  (Math.imul((classOf(first) * 31 + classOf(last)) * 31 + length, 0x9e37_79b1) >>> 5) &
  ((1 << CENSORED_BITS) - 1)

function indexCensored(read: readonly Placed[]): CensoredIndex {
  const buckets = new Map<number, number[]>()
  for (const [index, { elements, flags }] of read.entries()) {
    const length = lengthOf(elements)
    const isWord = (flags & (Flag.allowed | Flag.strict | Flag.hangul | Flag.looseJamo | Flag.within)) === 0
    const isOneWord = elements.every(({ code }) => code !== SEPARATOR)
    if (!isWord || !isOneWord || length < MIN_CENSORED || length > MAX_CENSORED) continue
    const bucket = censoredBucket(elements[0]?.code ?? 0, elements.at(-1)?.code ?? 0, length)
    const known = buckets.get(bucket)
    if (known === undefined) buckets.set(bucket, [index])
    else known.push(index)
  }
  const first = new Int32Array((1 << CENSORED_BITS) + 1)
  for (let bucket = 0; bucket < first.length - 1; bucket++)
    first[bucket + 1] = (first[bucket] ?? 0) + (buckets.get(bucket)?.length ?? 0)
  const patterns = new Int32Array(first.at(-1) ?? 0)
  for (const [bucket, indexes] of buckets) patterns.set(indexes, first[bucket])
  return { first, patterns }
}

const lengthOf = (elements: readonly Element[]) => elements.reduce((sum, { count }) => sum + count, 0)

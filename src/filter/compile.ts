import { Alphabet } from './alphabet.ts'
import { buildAutomaton } from './automaton.ts'
import {
  CENSORED_BITS,
  type CensoredIndex,
  type CompiledFilter,
  censoredBucket,
  ELEMENT_COUNT_SHIFT,
  ELEMENT_STARTS,
  EXACTLY,
  type FilterSource,
  type List,
  type PatternTable,
} from './compiled.ts'
import { Bender, type Bends } from './endings.ts'
import {
  type Element,
  Flag,
  isExact,
  isSpaced,
  type Pattern,
  readExpression,
  SEPARATOR,
} from './expression.ts'
import { Filter } from './filter.ts'
import { End } from './symbols.ts'
import { jamoOf, Kind, kindOf } from './unicode.ts'
import { Dictionary } from './words/dictionary.ts'
import english from './words/english.txt' with { type: 'text' }
import { ABBREVIATIONS, INNOCENT } from './words/korean.ts'

const MAX_COUNT = 255
/** About as many as `english.txt` has. */
const WORDS = 130_000

const dictionary = Dictionary.read(english, WORDS)

export function compile({ lists, allowed }: FilterSource): CompiledFilter {
  const forbidden = bendAll(readLists(lists, 0, 0))
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
    astral: alphabet.astral(),
    syllables: alphabet.syllables(),
    patterns: tabulate(read),
    // A copy: what is compiled may be handed away.
    dictionary: dictionary.hashes.slice(),
    literals: Int32Array.from(literals),
    censored: indexCensored(read),
  }
}

export const compileFilter = (source: FilterSource): Filter => new Filter(compile(source), source)

/** For the transfer to another thread. */
export function buffersOf({ automaton, patterns, censored, ...others }: CompiledFilter): ArrayBuffer[] {
  const arrays: readonly ArrayBufferView[] = [automaton, patterns, censored, others].flatMap((each) =>
    Object.values<ArrayBufferView>({ ...each }),
  )
  return arrays.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)
}

interface Placed extends Pattern {
  readonly list: number
  readonly place: number
  readonly bends?: Bends
}

function readLists(lists: readonly List[], firstList: number, flag: number): Placed[] {
  const read: Placed[] = []
  for (const [index, { expressions }] of lists.entries()) {
    for (const [place, expression] of expressions.entries()) {
      for (const spelling of [expression, ...(ABBREVIATIONS.get(expression) ?? [])]) {
        const pattern = readExpression(spelling)
        if (pattern === undefined) continue
        read.push({ ...pattern, flags: pattern.flags | flag, list: firstList + index, place })
      }
    }
  }
  return read
}

function wordOf({ elements }: Pattern): string {
  let word = ''
  for (const { code, count } of elements) for (let n = 0; n < count; n++) word += String.fromCodePoint(code)
  return word
}

/** Finds out what may be made of each word, and adds what players write instead of it. */
function bendAll(read: readonly Placed[]): Placed[] {
  const words = read.map(wordOf)
  const lists: string[][] = []
  for (const [index, { list }] of read.entries()) {
    // Lists may be empty.
    while (lists.length <= list) lists.push([])
    lists[list]?.push(words[index] ?? '')
  }
  const bender = new Bender(dictionary, lists)
  const bent: Placed[] = []
  for (const [index, pattern] of read.entries()) {
    if ((pattern.flags & Flag.bends) === 0) {
      bent.push(pattern)
      continue
    }
    const bends = bender.bendsOf(pattern.list, words[index] ?? '')
    const whole = { ...pattern, bends }
    bent.push(whole, ...(bends.isStem ? within(whole) : []), ...respelled(whole, bends.spellings))
  }
  return bent
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
    lengths: Uint8Array.from(read, wordLengthOf),
    lists: Uint16Array.from(read, ({ list }) => list),
    places: Int32Array.from(read, ({ place }) => place),
    first,
    elements: table,
    endings: Uint16Array.from(read, ({ bends }) => bends?.single ?? 0),
    doubledEndings: Uint16Array.from(read, ({ bends }) => bends?.doubled ?? 0),
  }
}

function wordLengthOf({ elements, classes, flags }: Pattern): number {
  const isWord = classes[0] === SEPARATOR && elements.every(({ code }) => isSpaced(kindOf(code)))
  return isWord ? Math.min(lengthOf(elements), EXACTLY - 1) | (isExact(flags) ? EXACTLY : 0) : 0
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

const MIN_CENSORED = 3
const MAX_CENSORED = 24

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

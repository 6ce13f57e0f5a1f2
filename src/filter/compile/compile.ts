import { type CompiledFilter, type FilterSource, Flag, type List } from '../compiled.ts'
import { Filter } from '../filter.ts'
import { BloomDictionary } from '../words/bloom-dictionary.ts'
import { Dictionary } from '../words/dictionary.ts'
import english from '../words/english.txt' with { type: 'text' }
import { ABBREVIATIONS, INNOCENT } from '../words/korean.ts'
import { Alphabet } from './alphabet.ts'
import { buildAutomaton } from './automaton-builder.ts'
import { parseExpression } from './expression.ts'
import { Inflector } from './inflector.ts'
import { type ListedPattern, PatternBuilder } from './pattern-builder.ts'

/** Approximate number of words in `english.txt`. */
const WORDS = 130_000

const dictionary = Dictionary.read(english, WORDS)
const knownWords = new BloomDictionary(dictionary)

export function compile({ lists, allowed }: FilterSource): CompiledFilter {
  const patterns = new PatternBuilder()
  addInflected(readLists(lists, 0, 0), patterns)
  const known = { language: 'all', expressions: INNOCENT }
  for (const each of readLists([...allowed, known], lists.length, Flag.allowed)) patterns.add(each)
  const alphabet = new Alphabet(patterns.classes)
  const automaton = buildAutomaton(alphabet.encode(patterns.classes))
  return {
    automaton,
    candidates: patterns.buildCandidates(automaton),
    codes: alphabet.codes(patterns.literalStarts()),
    astral: alphabet.astral(),
    syllables: alphabet.syllables(),
    patterns: patterns.buildTable(),
    // A copy, because the buffers of a compiled filter may be transferred.
    dictionary: dictionary.hashes.slice(),
    literals: new Int32Array(patterns.literals),
    censored: patterns.buildCensoredIndex(),
  }
}

export const compileFilter = (source: FilterSource): Filter => new Filter(compile(source), source)

/** The buffers to transfer with a compiled filter. */
export function buffersOf(compiled: CompiledFilter): ArrayBuffer[] {
  const { automaton, candidates, patterns, censored, ...others } = compiled
  const arrays: readonly ArrayBufferView[] = [automaton, candidates, patterns, censored, others].flatMap(
    (each) => Object.values<ArrayBufferView>({ ...each }),
  )
  return arrays.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)
}

function readLists(lists: readonly List[], firstList: number, flag: number): ListedPattern[] {
  const read: ListedPattern[] = []
  for (const [index, { expressions }] of lists.entries()) {
    for (let position = 0; position < expressions.length; position++) {
      const expression = expressions[position] ?? ''
      const add = (spelling: string) => {
        const pattern = parseExpression(spelling)
        if (pattern === undefined) return
        read.push({ word: pattern.word, flags: pattern.flags | flag, list: firstList + index, position })
      }
      add(expression)
      ABBREVIATIONS.get(expression)?.forEach(add)
    }
  }
  return read
}

/** Adds each pattern with the suffixes that it accepts, its compounds and its respellings. */
function addInflected(read: readonly ListedPattern[], patterns: PatternBuilder): void {
  const inflector = new Inflector(knownWords, wordsByList(read))
  for (const pattern of read) {
    if ((pattern.flags & Flag.inflects) === 0) {
      patterns.add(pattern)
      continue
    }
    const inflections = inflector.inflectionsOf(pattern.list, pattern.word)
    patterns.add(pattern, inflections)
    if (inflections.isStem) patterns.addCompound(pattern, inflections)
    for (const spelling of inflections.respellings) {
      const respelled = parseExpression(spelling)
      if (respelled !== undefined) patterns.add({ ...pattern, word: respelled.word }, inflections, respelled)
    }
  }
}

function wordsByList(read: readonly ListedPattern[]): string[][] {
  const lists: string[][] = []
  for (const { list, word } of read) {
    // Lists may be empty.
    while (lists.length <= list) lists.push([])
    lists[list]?.push(word)
  }
  return lists
}

import type { CompiledFilter, FilterSource, List } from '../compiled.ts'
import { Filter } from '../filter.ts'
import { buildAutomaton } from '../scan/automaton.ts'
import { Sieve } from '../words/bloom-dictionary.ts'
import { Dictionary } from '../words/dictionary.ts'
import english from '../words/english.txt' with { type: 'text' }
import { ABBREVIATIONS, INNOCENT } from '../words/korean.ts'
import { Alphabet } from './alphabet.ts'
import { Flag, readExpression } from './expression.ts'
import { Bender } from './inflector.ts'
import { Patterns, type Placed } from './pattern-builder.ts'

/** About as many as `english.txt` has. */
const WORDS = 130_000

const dictionary = Dictionary.read(english, WORDS)
const sieve = new Sieve(dictionary)

export function compile({ lists, allowed }: FilterSource): CompiledFilter {
  const patterns = new Patterns()
  addBent(readLists(lists, 0, 0), patterns)
  const known = { language: 'all', expressions: INNOCENT }
  for (const each of readLists([...allowed, known], lists.length, Flag.allowed)) patterns.add(each)
  const alphabet = new Alphabet(patterns.classes)
  const automaton = buildAutomaton(alphabet.spell(patterns.classes))
  return {
    automaton,
    candidates: patterns.listCandidates(automaton),
    codes: alphabet.codes(patterns.literalStarts()),
    astral: alphabet.astral(),
    syllables: alphabet.syllables(),
    patterns: patterns.tabulate(),
    // A copy: what is compiled may be handed away.
    dictionary: dictionary.hashes.slice(),
    literals: new Int32Array(patterns.literals),
    censored: patterns.indexCensored(),
  }
}

export const compileFilter = (source: FilterSource): Filter => new Filter(compile(source), source)

/** For the transfer to another thread. */
export function buffersOf(compiled: CompiledFilter): ArrayBuffer[] {
  const { automaton, candidates, patterns, censored, ...others } = compiled
  const arrays: readonly ArrayBufferView[] = [automaton, candidates, patterns, censored, others].flatMap(
    (each) => Object.values<ArrayBufferView>({ ...each }),
  )
  return arrays.map(({ buffer }) => buffer).filter((buffer) => buffer instanceof ArrayBuffer)
}

function readLists(lists: readonly List[], firstList: number, flag: number): Placed[] {
  const read: Placed[] = []
  for (const [index, { expressions }] of lists.entries()) {
    for (let place = 0; place < expressions.length; place++) {
      const expression = expressions[place] ?? ''
      const add = (spelling: string) => {
        const pattern = readExpression(spelling)
        if (pattern === undefined) return
        read.push({ word: pattern.word, flags: pattern.flags | flag, list: firstList + index, place })
      }
      add(expression)
      ABBREVIATIONS.get(expression)?.forEach(add)
    }
  }
  return read
}

/** Finds out what may be made of each word, and adds what players write instead of it. */
function addBent(read: readonly Placed[], patterns: Patterns): void {
  const bender = new Bender(sieve, wordsByList(read))
  for (const pattern of read) {
    if ((pattern.flags & Flag.bends) === 0) {
      patterns.add(pattern)
      continue
    }
    const bends = bender.bendsOf(pattern.list, pattern.word)
    patterns.add(pattern, bends)
    if (bends.isStem) patterns.addWithin(pattern, bends)
    for (const spelling of bends.spellings) {
      const respelled = readExpression(spelling)
      if (respelled !== undefined) patterns.add({ ...pattern, word: respelled.word }, bends, respelled)
    }
  }
}

function wordsByList(read: readonly Placed[]): string[][] {
  const lists: string[][] = []
  for (const { list, word } of read) {
    // Lists may be empty.
    while (lists.length <= list) lists.push([])
    lists[list]?.push(word)
  }
  return lists
}

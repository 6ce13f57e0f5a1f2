import {
  BUILT_IN,
  type CompiledList,
  type FilterSource,
  Flag,
  type KnownWords,
  type List,
} from '../compiled.ts'
import { Filter, ListFilter } from '../filter.ts'
import { type KnownLanguage, knownLanguage } from '../words/known-language.ts'
import { ABBREVIATIONS, INNOCENT } from '../words/korean.ts'
import { ownLettersOf } from '../words/languages.ts'
import { Alphabet } from './alphabet.ts'
import { buildAutomaton } from './automaton-builder.ts'
import { type Pattern, parseExpression } from './expression.ts'
import { PatternBuilder } from './pattern-builder.ts'
import { WordRules } from './word-rules.ts'

/** Whose rules apply to the list `all`, as far as its expressions are words of that language. */
const COMMON_LANGUAGE = 'en'
const ALL_LANGUAGES = 'all'

/** Compiles a list of forbidden expressions. */
export function compileList({ language, expressions }: List): CompiledList {
  const isShared = language.toLowerCase() === ALL_LANGUAGES
  const known = knownLanguage(isShared ? COMMON_LANGUAGE : language)
  const patterns = new PatternBuilder()
  addListed(readExpressions(expressions), patterns, known, isShared)
  if (patterns.hasHangul) for (const phrase of INNOCENT) addException(phrase, BUILT_IN, patterns)
  return build(patterns, known, isShared ? '' : ownLettersOf(language))
}

/** Compiles a list of exceptions. */
export function compileExceptions({ expressions }: List): CompiledList {
  const patterns = new PatternBuilder()
  for (const [position, expression] of expressions.entries()) addException(expression, position, patterns)
  return build(patterns, undefined, '')
}

export const compileFilter = ({ lists, allowed }: FilterSource): Filter =>
  new Filter(
    lists.map((list) => new ListFilter({ ...list, compiled: compileList(list) })),
    allowed.map((list) => new ListFilter({ ...list, compiled: compileExceptions(list) })),
  )

/** The buffers to transfer with a compiled list. */
export function buffersOf(compiled: CompiledList): ArrayBuffer[] {
  const { automaton, candidates, patterns, literals, censored, words, ...others } = compiled
  const parts = [automaton, candidates, patterns, literals, censored, words, others]
  const values = parts.flatMap((part) => Object.values<unknown>({ ...part }))
  const buffers = values.map((value) => (ArrayBuffer.isView(value) ? value.buffer : undefined))
  return buffers.filter((buffer) => buffer instanceof ArrayBuffer)
}

interface ListedPattern extends Pattern {
  readonly position: number
}

function readExpressions(expressions: readonly string[]): ListedPattern[] {
  const read: ListedPattern[] = []
  for (let position = 0; position < expressions.length; position++) {
    const expression = expressions[position] ?? ''
    for (const spelling of [expression, ...(ABBREVIATIONS.get(expression) ?? [])]) {
      const pattern = parseExpression(spelling)
      if (pattern !== undefined) read.push({ ...pattern, position })
    }
  }
  return read
}

function addException(expression: string, position: number, patterns: PatternBuilder): void {
  const pattern = parseExpression(expression)
  if (pattern === undefined) return
  patterns.add({ word: pattern.word, flags: pattern.flags | Flag.allowed | Flag.exact, position })
}

/** Adds each pattern with the forms that its language gives it. */
function addListed(
  read: readonly ListedPattern[],
  patterns: PatternBuilder,
  known: KnownLanguage | undefined,
  isShared: boolean,
): void {
  const inflectable = new Set(read.filter(isInflectable).map(({ word }) => word))
  const rules = known && new WordRules(known, [...inflectable])
  for (const pattern of read) {
    const { word } = pattern
    const isRuled = rules !== undefined && isInflectable(pattern)
    if (isRuled && (!isShared || rules.isOfLanguage(word))) addForms(pattern, rules, patterns)
    else patterns.add({ ...pattern, endings: rules && isPhrase(pattern) ? rules.phraseEndings : 0 })
  }
}

/** A phrase is inflected at its last word. */
const isPhrase = ({ word, flags, without }: Pattern) =>
  (flags & (Flag.literal | Flag.hangul | Flag.jamo)) === 0 && word.includes(' ') && !without.has('inflection')

const OPEN = Flag.openBefore | Flag.openAfter

function addForms(pattern: ListedPattern, rules: WordRules, patterns: PatternBuilder): void {
  const { word, position, without } = pattern
  const forms = rules.formsOf(word)
  const isOpen = (pattern.flags & OPEN) !== 0
  const isInflected = !isOpen && !without.has('inflection')
  const inside = isOpen || without.has('compound') ? 0 : insideFlags(forms)
  const flags = pattern.flags | inside
  const endings = isInflected ? forms.endings : 0
  const doubledEndings = isInflected ? forms.doubledEndings : 0
  patterns.add({ word, position, flags, endings, doubledEndings })
  if (isOpen) return
  if (!without.has('split'))
    for (const split of forms.splits)
      patterns.add({ word: split, position, flags: Flag.exact | Flag.split, endings, doubledEndings })
  if (isInflected)
    for (const each of forms.stripped)
      patterns.add({
        word: each.word,
        position,
        flags: (pattern.flags & ~INSIDE) | Flag.needsEnding,
        endings: each.endings,
      })
  if (!without.has('disguise'))
    for (const spelling of forms.respellings)
      patterns.add({
        word: spelling,
        position,
        flags: pattern.flags | Flag.respelled,
        endings,
        doubledEndings,
      })
}

const INSIDE = Flag.stem | Flag.compound

const insideFlags = ({ isStem, isCompound }: { readonly isStem: boolean; readonly isCompound: boolean }) =>
  (isStem ? Flag.stem : 0) | (isCompound ? Flag.compound : 0)

/** Whether the rules of a language apply: a single word of letters that is not meant literally. */
const isInflectable = ({ word, flags }: Pattern) =>
  (flags & (Flag.literal | Flag.hangul | Flag.jamo)) === 0 && !word.includes(' ')

function build(patterns: PatternBuilder, known: KnownLanguage | undefined, ownLetters: string): CompiledList {
  const alphabet = new Alphabet(patterns.classes)
  const literals = patterns.buildLiterals()
  const automaton = buildAutomaton(alphabet.encode(patterns.classes), alphabet.repeats())
  return {
    automaton,
    candidates: patterns.buildCandidates(automaton),
    codes: alphabet.codes(known?.adds ?? [], literals),
    rareLetters: alphabet.rareLetters(),
    syllables: alphabet.syllables(),
    patterns: patterns.buildTable(),
    literals,
    censored: patterns.buildCensoredIndex(),
    words: wordsOf(known, ownLetters),
  }
}

/** Copies, because the buffers of a compiled list may be transferred. */
const wordsOf = (known: KnownLanguage | undefined, ownLetters: string): KnownWords => ({
  innocent: known?.innocent.hashes.slice() ?? new Int32Array(1),
  vulgar: known?.vulgar.hashes.slice() ?? new Int32Array(1),
  endings: known?.adds.join(' ') ?? '',
  inflections: known?.inflections ?? 0,
  ownLetters,
})

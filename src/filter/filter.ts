import { BUILT_IN, type CompiledList, Flag } from './compiled.ts'
import { maskSpans } from './mask.ts'
import { ListScanner } from './scan/list-scanner.ts'
import { type Match, type RuleName, ruleName } from './scan/match.ts'
import { Kind, kindOf } from './unicode/characters.ts'
import { skipMarks, unitAt } from './unicode/text.ts'

export type { FilterSource, List } from './compiled.ts'
export type { RuleName } from './scan/match.ts'

export interface Hit {
  /** UTF-16 offset into the text. */
  readonly start: number
  readonly end: number
  /** As written in the list. */
  readonly expression: string
  readonly language: string
  /** How the text matches the expression. */
  readonly rule: RuleName
}

/** A compiled list, and the expressions to report with its hits. */
export interface LoadedList {
  readonly language: string
  readonly expressions: { at(position: number): string | undefined }
  readonly compiled: CompiledList
}

export interface CleanText {
  /** The text with each user-perceived character of a hit replaced by `*`. */
  readonly text: string
  readonly hits: readonly Hit[]
}

const NO_HITS: readonly Hit[] = []
/** Masking may uncover further words, each of which may uncover more. */
const MAX_ROUNDS = 3
const ALL_LANGUAGES = 'all'
const MAX_LANGUAGES = 1000
/** The lists of longer language codes are not cached, so that the cache is bounded. */
const MAX_LANGUAGE_UNITS = 64

/** The lists that apply to a language. */
interface Scope {
  readonly lists: readonly ListFilter[]
  readonly allowed: readonly ListFilter[]
}

/** Finds and masks forbidden expressions. Immutable, so it can be shared. */
export class Filter {
  readonly #lists: readonly ListFilter[]
  readonly #allowed: readonly ListFilter[]
  readonly #scopes = new Map<string, Scope>()
  /** The last language: most consecutive messages share it. */
  #language: string | undefined
  #scope: Scope = { lists: [], allowed: [] }

  constructor(lists: readonly ListFilter[], allowed: readonly ListFilter[]) {
    this.#lists = lists
    this.#allowed = allowed
  }

  clean(text: string, language: string): CleanText {
    const hits = this.find(text, language)
    return hits.length === 0 ? { text, hits } : { text: maskSpans(text, hits), hits }
  }

  /** Hits of the list `all`, the list of the language and those of its parents, in text order. */
  find(text: string, language: string): readonly Hit[] {
    const scope = this.#scopeOf(language)
    const hits = this.#findIn(text, scope)
    return hits.length === 0 || areIsolated(text, hits) ? hits : this.#findBeside(text, hits, scope)
  }

  /** Adds what the letters beside a mask read as: a word of their own, or a starred-out word. */
  #findBeside(text: string, first: readonly Hit[], scope: Scope): readonly Hit[] {
    let hits = first
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const further = this.#findIn(blank(text, hits), scope)
      if (further.length === 0) break
      hits = [...hits, ...further].sort((a, b) => a.start - b.start || b.end - a.end).filter(isOutside())
    }
    return hits
  }

  #findIn(text: string, scope: Scope): readonly Hit[] {
    let index = 0
    for (const list of scope.lists) {
      const matches = list.scan(text)
      if (matches.length > 0) return this.#resolve(text, scope, index, matches)
      index++
    }
    return NO_HITS
  }

  /** Collects the hits of all lists from the first with a match on. */
  #resolve(
    text: string,
    { lists, allowed }: Scope,
    first: number,
    matches: readonly Match[],
  ): readonly Hit[] {
    const found: Found[] = []
    const exceptions: Span[] = []
    lists[first]?.collect(text, matches, found, exceptions)
    for (const list of lists.slice(first + 1)) list.collect(text, list.scan(text), found, exceptions)
    if (found.length === 0) return NO_HITS
    for (const list of allowed) list.collect(text, list.scan(text), exceptions, exceptions)
    return resolve(found, exceptions)
  }

  #scopeOf(language: string): Scope {
    if (language === this.#language) return this.#scope
    this.#scope = this.#scopes.get(language) ?? this.#createScope(language)
    this.#language = language
    return this.#scope
  }

  #createScope(language: string): Scope {
    const spoken = keyOf(language)
    const applies = ({ key }: ListFilter) =>
      key === ALL_LANGUAGES || spoken === key || spoken.startsWith(`${key}-`)
    const scope = { lists: this.#lists.filter(applies), allowed: this.#allowed.filter(applies) }
    if (language.length > MAX_LANGUAGE_UNITS) return scope
    if (this.#scopes.size >= MAX_LANGUAGES) this.#scopes.clear()
    this.#scopes.set(language, scope)
    return scope
  }
}

const keyOf = (language: string) => language.toLowerCase().replaceAll('_', '-')

interface Span {
  readonly start: number
  readonly end: number
  /** Whether it does not excuse a hit of the same length. */
  readonly isBuiltIn: boolean
}

/** A hit with the length of its expression, which decides between hits of the same span. */
interface Found extends Span {
  readonly hit: Hit
  readonly letters: number
}

/** Finds the expressions of one list. */
export class ListFilter {
  readonly key: string
  readonly #list: LoadedList
  readonly #scanner: ListScanner

  constructor(list: LoadedList) {
    this.key = keyOf(list.language)
    this.#list = list
    this.#scanner = new ListScanner(list.compiled)
  }

  /** Unresolved matches, valid until the next scan. */
  scan(text: string): readonly Match[] {
    return this.#scanner.scan(text)
  }

  /** Adds the hits to `found`, those of exceptions to `exceptions`. */
  collect(text: string, matches: readonly Match[], found: Span[], exceptions: Span[]): void {
    for (const match of matches) {
      const isBuiltIn = this.#list.compiled.patterns.positions[match.pattern] === BUILT_IN
      if (isBuiltIn) exceptions.push({ start: match.start, end: match.end, isBuiltIn })
      else if (this.#isStyledAlike(text, match)) found.push(this.#toFound(match))
    }
  }

  #toFound({ start, end, pattern, rule }: Match): Found {
    const { firstLetter } = this.#list.compiled.patterns
    const expression = this.#expressionOf(pattern)
    const hit = { start, end, expression, language: this.#list.language, rule: ruleName(rule) }
    const letters = (firstLetter[pattern + 1] ?? 0) - (firstLetter[pattern] ?? 0)
    return { start, end, isBuiltIn: false, hit, letters }
  }

  #isStyledAlike(text: string, { start, end, pattern }: Match): boolean {
    if (((this.#list.compiled.patterns.flags[pattern] ?? 0) & Flag.styled) === 0) return true
    const expression = this.#expressionOf(pattern)
    const found = foldCase(text.slice(start, end))
    return found === foldCase(expression) || found === foldCase(bareOf(expression))
  }

  #expressionOf(pattern: number): string {
    return this.#list.expressions.at(this.#list.compiled.patterns.positions[pattern] ?? 0) ?? ''
  }
}

const foldCase = (text: string) => text.normalize('NFC').toLowerCase()

/** An expression without the stars and the mark around it. */
const bareOf = (expression: string) => expression.replace(/^\*|\*?(?:![a-z,]*)?$/g, '').trim()

/** Drops hits inside an exception or inside another hit. */
function resolve(found: Found[], exceptions: readonly Span[]): readonly Hit[] {
  const [only] = found
  if (only !== undefined && found.length === 1) return isExcepted(only, exceptions) ? NO_HITS : [only.hit]
  const sorted = found.sort(
    (a, b) => a.start - b.start || b.end - a.end || b.letters - a.letters || compareText(a.hit, b.hit),
  )
  return sorted
    .filter((each) => !isExcepted(each, exceptions))
    .map(({ hit }) => hit)
    .filter(isOutside())
}

/** A filter for sorted hits that drops those inside another. */
function isOutside(): (hit: Hit) => boolean {
  let reached = 0
  return ({ end }) => {
    const isOutside = end > reached
    reached = Math.max(reached, end)
    return isOutside
  }
}

/** Replaces each code unit of a hit by `*`, so that offsets stay the same. */
function blank(text: string, hits: readonly Hit[]): string {
  let blanked = ''
  let at = 0
  for (const { start, end } of hits) {
    const from = Math.max(at, start)
    // Marks are masked with the letter before them.
    const to = skipMarks(text, end)
    blanked += text.slice(at, from) + '*'.repeat(to - from)
    at = to
  }
  return blanked + text.slice(at)
}

const compareText = (a: Hit, b: Hit) =>
  a.expression < b.expression ? -1 : a.expression > b.expression ? 1 : 0

const isExcepted = ({ start, end }: Span, exceptions: readonly Span[]) =>
  exceptions.some(
    (each) =>
      each.start <= start && each.end >= end && !(each.isBuiltIn && each.end - each.start === end - start),
  )

/**
 * Whether masking cannot create new hits: only a space or a full stop next to each hit, and no single letters on both
 * sides.
 */
function areIsolated(text: string, hits: readonly Hit[]): boolean {
  for (const { start, end } of hits) {
    if (!isBoundary(unitAt(text, start - 1)) || !isBoundary(unitAt(text, end))) return false
    if (isSingleLetter(text, start - 1, -1) && isSingleLetter(text, end, 1)) return false
  }
  return true
}

/** Whether the nearest letter in a direction is a single letter. */
function isSingleLetter(text: string, from: number, direction: number): boolean {
  let at = from
  while (at >= 0 && at < text.length && !isLetter(text.charCodeAt(at))) at += direction
  return isLetter(unitAt(text, at)) && !isLetter(unitAt(text, at + direction))
}

const BOUNDARIES = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  ' .,!?\n'.includes(String.fromCharCode(unit)) ? 1 : 0,
)
const isBoundary = (unit: number) => unit < BOUNDARIES.length && BOUNDARIES[unit] === 1

const isLetter = (unit: number) => kindOf(unit) !== Kind.separator

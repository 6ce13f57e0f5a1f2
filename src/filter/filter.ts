import { type CompiledFilter, Flag } from './compiled.ts'
import { maskSpans } from './mask.ts'
import { ALL_LANGUAGES, LanguageScopes } from './scan/language-scopes.ts'
import { ObfuscationScanner } from './scan/obfuscation-scanner.ts'
import type { Match } from './scan/passes.ts'
import { Scanner } from './scan/scanner.ts'
import { Kind, kindOf } from './unicode/characters.ts'
import { unitAt } from './unicode/text.ts'
import { Verifier } from './verify/verifier.ts'

export type { FilterSource, List } from './compiled.ts'

export interface Hit {
  /** UTF-16 offset into the text. */
  readonly start: number
  readonly end: number
  /** As written in the list. */
  readonly expression: string
  readonly language: string
}

/** What a compiled filter still needs from a list: the expressions to report with its hits. */
export interface NamedList {
  readonly language: string
  readonly expressions: { at(position: number): string | undefined }
}

export interface NamedSource {
  readonly lists: readonly NamedList[]
  readonly allowed: readonly NamedList[]
}

export interface CleanText {
  /** The text with each user-perceived character of a hit replaced by `*`. */
  readonly text: string
  readonly hits: readonly Hit[]
}

const NO_HITS: readonly Hit[] = []
const MAX_MASK_PASSES = 8

/** Finds and masks forbidden expressions. Immutable, so it can be shared. */
export class Filter {
  readonly #lists: readonly NamedList[]
  readonly #compiled: CompiledFilter
  readonly #scopes: LanguageScopes
  readonly #scanner: Scanner
  readonly #obfuscation: ObfuscationScanner

  /** `lists` and `allowed` must be those that the filter was compiled from. */
  constructor(compiled: CompiledFilter, { lists, allowed }: NamedSource) {
    this.#lists = [...lists, ...allowed]
    this.#compiled = compiled
    this.#scopes = new LanguageScopes(
      compiled,
      this.#lists.map(({ language }) => language),
    )
    const verifier = new Verifier(compiled.patterns, compiled.dictionary)
    const literals = Array.from(compiled.literals, (pattern) => ({
      text: this.#expressionOf(pattern),
      pattern,
    }))
    this.#scanner = new Scanner(compiled, verifier, literals)
    this.#obfuscation = new ObfuscationScanner(compiled, verifier, this.#scanner)
  }

  clean(text: string, language: string): CleanText {
    const hits = this.find(text, language)
    return hits.length === 0 ? { text, hits } : { text: this.#mask(text, hits, language), hits }
  }

  /** Hits of the list `all`, the list of the language and those of its parents, in text order. */
  find(text: string, language: string): readonly Hit[] {
    const scope = this.#scopes.of(language)
    const passes = this.#scanner.scan(text, scope)
    if (passes !== 0) this.#obfuscation.scan(text, scope, passes)
    return this.#scanner.matches.length === 0 ? NO_HITS : this.#resolveOverlaps()
  }

  /** The letters left around a mask can read as a word of their own, or as a starred-out word. Masks those as well. */
  #mask(text: string, hits: readonly Hit[], language: string): string {
    let masked = maskSpans(text, hits)
    if (areIsolated(text, hits)) return masked
    for (let round = 0; round < MAX_MASK_PASSES; round++) {
      const further = maskSpans(masked, this.find(masked, language))
      if (further === masked) break
      masked = further
    }
    return masked
  }

  /** Drops hits inside an exception and, of overlapping hits, keeps the one that starts first and is longest. */
  #resolveOverlaps(): readonly Hit[] {
    const matches = this.#scanner.takeMatches()
    const [only] = matches
    if (only !== undefined && matches.length === 1)
      return this.#isAllowed(only.pattern) ? NO_HITS : [this.#toHit(only)]
    matches.sort((a, b) => this.#compare(a, b))
    const hits: Hit[] = []
    let end = 0
    let allowedTo = 0
    let next = 0
    for (const hit of matches) {
      for (
        let other = matches[next];
        other !== undefined && other.start <= hit.start;
        other = matches[++next]
      )
        if (this.#isAllowed(other.pattern)) allowedTo = Math.max(allowedTo, other.end)
      if (hit.start < end || hit.end <= allowedTo) continue
      end = hit.end
      hits.push(this.#toHit(hit))
    }
    return hits
  }

  #isAllowed(pattern: number): boolean {
    return ((this.#compiled.patterns.flags[pattern] ?? 0) & Flag.allowed) !== 0
  }

  #compare(a: Match, b: Match): number {
    const { firstElement } = this.#compiled.patterns
    const lengthOf = ({ pattern }: Match) => (firstElement[pattern + 1] ?? 0) - (firstElement[pattern] ?? 0)
    return a.start - b.start || b.end - a.end || lengthOf(b) - lengthOf(a) || a.pattern - b.pattern
  }

  #toHit({ start, end, pattern }: Match): Hit {
    const language = this.#lists[this.#compiled.patterns.lists[pattern] ?? 0]?.language ?? ALL_LANGUAGES
    return { start, end, expression: this.#expressionOf(pattern), language }
  }

  #expressionOf(pattern: number): string {
    const { lists, positions } = this.#compiled.patterns
    return this.#lists[lists[pattern] ?? 0]?.expressions.at(positions[pattern] ?? 0) ?? ''
  }
}

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

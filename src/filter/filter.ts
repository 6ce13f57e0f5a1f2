import { Flag } from './compile/expression.ts'
import type { CompiledFilter } from './compiled.ts'
import { maskSpans } from './mask.ts'
import { EVERY_LANGUAGE, Scopes } from './scan/language-scopes.ts'
import { Tricks } from './scan/obfuscation-scanner.ts'
import type { Found } from './scan/passes.ts'
import { Scanner } from './scan/scanner.ts'
import { Kind, kindOf } from './unicode/characters.ts'
import { unitAt } from './unicode/text.ts'
import { Verifier } from './verify/verifier.ts'

export type { FilterSource, List } from './compiled.ts'

export interface Hit {
  /** In UTF-16 units of the text. */
  readonly start: number
  readonly end: number
  /** As it stands in the list. */
  readonly expression: string
  readonly language: string
}

/** What a filter needs of a list once it is compiled: the names that its hits go by. */
export interface NamedList {
  readonly language: string
  readonly expressions: { at(place: number): string | undefined }
}

export interface NamedSource {
  readonly lists: readonly NamedList[]
  readonly allowed: readonly NamedList[]
}

export interface CleanText {
  /** The text with a `*` for each character of a hit that a person sees. */
  readonly text: string
  readonly hits: readonly Hit[]
}

const NOTHING: readonly Hit[] = []
const MAX_ROUNDS = 8

/** Finds and masks what lists forbid. Made from what `compile` gives; changes nothing, so it can be shared. */
export class Filter {
  readonly #lists: readonly NamedList[]
  readonly #compiled: CompiledFilter
  readonly #scopes: Scopes
  readonly #scanner: Scanner
  readonly #tricks: Tricks

  /** The source is the one that it was compiled from. */
  constructor(compiled: CompiledFilter, { lists, allowed }: NamedSource) {
    this.#lists = [...lists, ...allowed]
    this.#compiled = compiled
    this.#scopes = new Scopes(
      compiled,
      this.#lists.map(({ language }) => language),
    )
    const verifier = new Verifier(compiled.patterns, compiled.dictionary)
    const literals = Array.from(compiled.literals, (pattern) => ({
      text: this.#expressionOf(pattern),
      pattern,
    }))
    this.#scanner = new Scanner(compiled, verifier, literals)
    this.#tricks = new Tricks(compiled, verifier, this.#scanner)
  }

  clean(text: string, language: string): CleanText {
    const hits = this.find(text, language)
    return hits.length === 0 ? { text, hits } : { text: this.#mask(text, hits, language), hits }
  }

  /** What the list `all`, the list of the language and those of its parents forbid, in the order of the text. */
  find(text: string, language: string): readonly Hit[] {
    const scope = this.#scopes.of(language)
    const again = this.#scanner.scan(text, scope)
    if (again !== 0) this.#tricks.scanAgain(text, scope, again)
    return this.#scanner.found.length === 0 ? NOTHING : this.#settle()
  }

  /** What is left around a mask may read as a word of its own, or as one that is starred out: that goes as well. */
  #mask(text: string, hits: readonly Hit[], language: string): string {
    let masked = maskSpans(text, hits)
    if (standAlone(text, hits)) return masked
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const further = maskSpans(masked, this.find(masked, language))
      if (further === masked) break
      masked = further
    }
    return masked
  }

  /** Leaves out what is excused, and of hits that overlap all but the one that begins first and is longest. */
  #settle(): readonly Hit[] {
    const found = this.#scanner.take()
    const [only] = found
    if (only !== undefined && found.length === 1)
      return this.#isAllowed(only.pattern) ? NOTHING : [this.#describe(only)]
    found.sort((a, b) => this.#compare(a, b))
    const hits: Hit[] = []
    let end = 0
    let excusedTo = 0
    let next = 0
    for (const hit of found) {
      for (let other = found[next]; other !== undefined && other.start <= hit.start; other = found[++next])
        if (this.#isAllowed(other.pattern)) excusedTo = Math.max(excusedTo, other.end)
      if (hit.start < end || hit.end <= excusedTo) continue
      end = hit.end
      hits.push(this.#describe(hit))
    }
    return hits
  }

  #isAllowed(pattern: number): boolean {
    return ((this.#compiled.patterns.flags[pattern] ?? 0) & Flag.allowed) !== 0
  }

  #compare(a: Found, b: Found): number {
    const { first } = this.#compiled.patterns
    const lengthOf = ({ pattern }: Found) => (first[pattern + 1] ?? 0) - (first[pattern] ?? 0)
    return a.start - b.start || b.end - a.end || lengthOf(b) - lengthOf(a) || a.pattern - b.pattern
  }

  #describe({ start, end, pattern }: Found): Hit {
    const language = this.#lists[this.#compiled.patterns.lists[pattern] ?? 0]?.language ?? EVERY_LANGUAGE
    return { start, end, expression: this.#expressionOf(pattern), language }
  }

  #expressionOf(pattern: number): string {
    const { lists, places } = this.#compiled.patterns
    return this.#lists[lists[pattern] ?? 0]?.expressions.at(places[pattern] ?? 0) ?? ''
  }
}

/** Whether nothing could be read together with them or over them: only a space or a stop beside, no single letters around. */
function standAlone(text: string, hits: readonly Hit[]): boolean {
  for (const { start, end } of hits) {
    if (!isQuiet(unitAt(text, start - 1)) || !isQuiet(unitAt(text, end))) return false
    if (isSingleNear(text, start - 1, -1) && isSingleNear(text, end, 1)) return false
  }
  return true
}

/** Whether the next letter in a direction has no other behind it. */
function isSingleNear(text: string, from: number, direction: number): boolean {
  let at = from
  while (at >= 0 && at < text.length && !isLetter(text.charCodeAt(at))) at += direction
  return isLetter(unitAt(text, at)) && !isLetter(unitAt(text, at + direction))
}

const QUIET = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  ' .,!?\n'.includes(String.fromCharCode(unit)) ? 1 : 0,
)
const isQuiet = (unit: number) => unit < QUIET.length && QUIET[unit] === 1

const isLetter = (unit: number) => kindOf(unit) !== Kind.separator

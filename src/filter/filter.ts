import { type CompiledFilter, compile, type FilterSource, type List } from './compile.ts'
import { compilePlainFilter, mask } from './plain.ts'

/** Stands in for the engine, on top of the plain matcher. */
export class Filter {
  readonly #forbidden: ReturnType<typeof compilePlainFilter>
  readonly #allowed: ReturnType<typeof compilePlainFilter>

  constructor({ allowed }: CompiledFilter, lists: readonly List[]) {
    this.#forbidden = compilePlainFilter(lists)
    this.#allowed = compilePlainFilter(allowed)
  }

  clean(text: string, language: string) {
    const spared = this.#allowed.clean(text, language).hits
    const hits = this.#forbidden
      .clean(text, language)
      .hits.filter(({ start, end }) => !spared.some((span) => span.start <= start && span.end >= end))
    return { text: hits.length === 0 ? text : mask(text, hits), hits }
  }
}

export const compileFilter = (source: FilterSource) => new Filter(compile(source), source.lists)

import { type CallContext, SYSTEM_CALL } from './context.ts'
import { ChatError } from './errors.ts'
import type { Expressions } from './expressions.ts'
import { ALL_LANGUAGES, type FilterList, type FilterListKind, languageKey, listApplies } from './model.ts'
import type { FactStore, FilterListEdit } from './ports/fact-store.ts'
import {
  type CleanText,
  type FilterCompiler,
  MAX_HITS,
  restrictSource,
  withDraft,
} from './ports/filter-compiler.ts'
import type { ActiveFilter } from './state/active-filter.ts'
import type { Journal } from './state/journal.ts'
import type { State } from './state/state.ts'
import { TimeSlice } from './time-slice.ts'

export interface FilterRules {
  readonly quota: FilterListEdit['quota']
  /** `mask` replaces forbidden words with asterisks, `block` rejects the message. */
  readonly mode: 'mask' | 'block'
}

export interface FilterCheckResult extends CleanText {
  readonly verdict: 'clean' | 'masked' | 'blocked'
}

export class Filters {
  readonly #store: FactStore
  readonly #journal: Journal
  readonly #state: State
  readonly #compiler: FilterCompiler
  readonly #activeFilter: ActiveFilter
  readonly #rules: FilterRules

  constructor(dependencies: {
    store: FactStore
    journal: Journal
    state: State
    compiler: FilterCompiler
    activeFilter: ActiveFilter
    rules: FilterRules
  }) {
    this.#store = dependencies.store
    this.#journal = dependencies.journal
    this.#state = dependencies.state
    this.#compiler = dependencies.compiler
    this.#activeFilter = dependencies.activeFilter
    this.#rules = dependencies.rules
  }

  /** Checks a text against the active lists. */
  check(text: string, language: string): FilterCheckResult {
    return this.#toResult(this.#activeFilter.clean(text, language))
  }

  /** Checks many texts. A draft replaces the language's forbidden list for this check only. */
  async checkAll(
    texts: readonly string[],
    language: string,
    draft?: Expressions,
  ): Promise<FilterCheckResult[]> {
    return draft === undefined
      ? this.#checkWithActive(texts, language)
      : this.#checkWithDraft(texts, { kind: 'forbidden', language, expressions: draft })
  }

  /** Increases with each edit of any list of the kind. */
  version(kind: FilterListKind): number {
    return this.#state.filters[kind].version
  }

  /** `all` first, then sorted by language. */
  list(kind: FilterListKind): readonly FilterList[] {
    return this.#state.filters[kind].list()
  }

  /**
   * Resolves to the version of the edit once it is active on every live node. Throws `ChatError('filters-changed')` if
   * `expectedVersions` are given and do not include the current version.
   */
  async replace(
    edited: FilterList,
    expectedVersions?: readonly number[],
    context: CallContext = SYSTEM_CALL,
  ): Promise<number> {
    const isForAll = languageKey(edited.language) === ALL_LANGUAGES
    const list = isForAll ? { ...edited, language: ALL_LANGUAGES } : edited
    const write = this.#store.replaceFilterList({ list, expectedVersions, quota: this.#rules.quota }, context)
    const outcome = await this.#journal.commit(write)
    if (outcome === 'stale') throw new ChatError('filters-changed')
    if (outcome === 'limit') throw new ChatError('limit-reached')
    // A repeated edit is not announced, and compilation may have failed after the first attempt was stored.
    await this.#activeFilter.whenCurrent()
    return (await write).version
  }

  async #checkWithActive(texts: readonly string[], language: string): Promise<FilterCheckResult[]> {
    const results: FilterCheckResult[] = []
    const slice = new TimeSlice()
    for (const text of texts) {
      results.push(this.check(text, language))
      if (slice.isOver) await slice.renew()
    }
    return results
  }

  async #checkWithDraft(texts: readonly string[], draft: FilterList): Promise<FilterCheckResult[]> {
    const source = restrictSource(this.#state.filterSource, (list) => listApplies(draft.language, list))
    const trial = await this.#compiler.openTrial([withDraft(source, draft)])
    try {
      const cleaned = await trial.clean(texts.map((text) => ({ text, language: draft.language })))
      return cleaned.flatMap((each) => each.map((clean) => this.#toResult(clean)))
    } finally {
      trial.close()
    }
  }

  #toResult({ text, hits }: CleanText): FilterCheckResult {
    const hitVerdict = this.#rules.mode === 'block' ? 'blocked' : 'masked'
    return { text, hits: hits.slice(0, MAX_HITS), verdict: hits.length === 0 ? 'clean' : hitVerdict }
  }
}

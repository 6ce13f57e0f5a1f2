import { ChatError } from './errors.ts'
import type { FilterInForce } from './filter-in-force.ts'
import type { Journal } from './journal.ts'
import type { FilterList, FilterListKind } from './model.ts'
import type { State } from './state.ts'
import type { FilterListEdit, Once, Store } from './store.ts'
import type { CleanText } from './text-filter.ts'

export class Filters {
  readonly #store: Store
  readonly #journal: Journal
  readonly #state: State
  readonly #quota: FilterListEdit['quota']
  readonly #inForce: FilterInForce

  constructor(parts: {
    store: Store
    journal: Journal
    state: State
    quota: FilterListEdit['quota']
    inForce: FilterInForce
  }) {
    this.#store = parts.store
    this.#journal = parts.journal
    this.#state = parts.state
    this.#quota = parts.quota
    this.#inForce = parts.inForce
  }

  clean(text: string, language: string): CleanText {
    return this.#inForce.clean(text, language)
  }

  /** Rises with each edit of any list of the kind. */
  version(kind: FilterListKind): number {
    return this.#state.filters[kind].version
  }

  /** `all` first, then by language. */
  list(kind: FilterListKind): readonly FilterList[] {
    return this.#state.filters[kind].list()
  }

  /**
   * Resolves when the list is in force on every live node. With `expectedVersions` the edit is refused when the newest
   * version is none of them.
   */
  async replace(list: FilterList, expectedVersions?: readonly number[], once?: Once): Promise<void> {
    const outcome = await this.#journal.commit(
      this.#store.replaceFilterList({ list, expectedVersions, quota: this.#quota }, once),
    )
    if (outcome === 'stale') throw new ChatError('filters-changed')
    if (outcome === 'limit') throw new ChatError('limit-reached')
    // A repeated edit announces nothing, and the first attempt may have failed after it was stored.
    await this.#inForce.settled()
  }
}

import { ALL_LANGUAGES, type FilterList, languageKey } from '../model.ts'

/** The filter lists of one kind. */
export class FilterIndex {
  readonly #byLanguage = new Map<string, FilterList>()
  #listed: readonly FilterList[] | undefined
  #version = 0

  /** Version of the newest edit of any list of the kind. */
  get version(): number {
    return this.#version
  }

  /** `all` first, then sorted by language. */
  list(): readonly FilterList[] {
    this.#listed ??= [...this.#byLanguage]
      .sort(([a], [b]) => (a === ALL_LANGUAGES || (b !== ALL_LANGUAGES && a < b) ? -1 : 1))
      .map(([, list]) => list)
    return this.#listed
  }

  set(list: FilterList, version: number): void {
    this.#byLanguage.set(languageKey(list.language), list)
    this.#listed = undefined
    this.#version = Math.max(this.#version, version)
  }
}

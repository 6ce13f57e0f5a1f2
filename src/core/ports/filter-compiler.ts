import { type FilterHit, type FilterList, languageKey } from '../model.ts'

/** An immutable filter for one version of the lists. */
export interface CompiledFilter {
  /** Applies the list `all`, the list of the language and those of its parents (`ko` for `ko-KR`). */
  clean(text: string, language: string): CleanText
}

export interface CleanText {
  /** The text with each user-perceived character of a hit replaced by `*`. */
  readonly text: string
  readonly hits: readonly FilterHit[]
}

/** The lists that a filter is compiled from. */
export interface FilterSource {
  readonly lists: readonly FilterList[]
  /** Words and phrases exempt from the forbidden lists. */
  readonly allowed: readonly FilterList[]
}

/** Keeps only the lists that match the predicate. */
export const restrictSource = (
  { lists, allowed }: FilterSource,
  isIncluded: (list: FilterList) => boolean,
): FilterSource => ({ lists: lists.filter(isIncluded), allowed: allowed.filter(isIncluded) })

/** Replaces the forbidden list of the draft's language with the draft. */
export const withDraft = ({ lists, allowed }: FilterSource, draft: FilterList): FilterSource => ({
  lists: [...lists.filter((list) => languageKey(list.language) !== languageKey(draft.language)), draft],
  allowed,
})

/** Maximum hits returned for one text. */
export const MAX_HITS = 50

export interface FilterInput {
  readonly text: string
  readonly language: string
}

/** Temporary filters for checking draft lists. */
export interface FilterTrial {
  /** Returns, for each text, the result of each filter in the order of the sources, with at most `MAX_HITS` hits. */
  clean(texts: readonly FilterInput[]): Promise<readonly (readonly CleanText[])[]>
  close(): void
}

/** Compiles filters off the main thread, blocking the event loop for no more than a few milliseconds. */
export interface FilterCompiler {
  /**
   * Must not be called again before the previous call settles. Throws `ChatError('unavailable')` if compilation fails;
   * the next call starts from scratch.
   */
  compile(source: FilterSource): Promise<CompiledFilter>
  /**
   * Compiles a temporary filter from each source, without delaying or affecting the active filter. Throws
   * `ChatError('limit-reached')` if too many trials are open, and `ChatError('unavailable')` if compilation fails.
   */
  openTrial(sources: readonly FilterSource[]): Promise<FilterTrial>
  /** Aborts calls in progress. */
  close(): Promise<void>
}

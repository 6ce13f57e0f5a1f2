import { type FilterHit, type FilterList, languageKey } from '../model.ts'

/** Finds what the lists forbid. Made anew when a list changes. */
export interface CompiledFilter {
  /** Uses the list `all`, the list of the language and those of its parents (`ko` for `ko-KR`). */
  clean(text: string, language: string): CleanText
}

export interface CleanText {
  /** The text with a `*` for each character of a hit that a person sees. */
  readonly text: string
  readonly hits: readonly FilterHit[]
}

/** What a filter is made of. */
export interface FilterSource {
  readonly lists: readonly FilterList[]
  /** Words and phrases in which nothing is forbidden. */
  readonly allowed: readonly FilterList[]
}

/** The lists that matter. */
export const restrictSource = (
  { lists, allowed }: FilterSource,
  isUsed: (list: FilterList) => boolean,
): FilterSource => ({ lists: lists.filter(isUsed), allowed: allowed.filter(isUsed) })

/** The lists, with a draft in place of the profanity list that it would replace. */
export const withDraft = ({ lists, allowed }: FilterSource, draft: FilterList): FilterSource => ({
  lists: [...lists.filter((list) => languageKey(list.language) !== languageKey(draft.language)), draft],
  allowed,
})

/** Of one text; more say nothing that these do not. */
export const MAX_HITS = 50

export interface FilterInput {
  readonly text: string
  readonly language: string
}

/** Filters that texts are sent to. */
export interface FilterTrial {
  /** What each filter makes of each text, with at most `MAX_HITS`: a list for each text, in the order of the sources. */
  clean(texts: readonly FilterInput[]): Promise<readonly (readonly CleanText[])[]>
  close(): void
}

/** Makes filters beside the loop that carries chat, which it holds for no longer than a few milliseconds. */
export interface FilterCompiler {
  /**
   * Call it for one state of the lists at a time. Throws `ChatError('unavailable')` when none could be made; the
   * next call begins anew.
   */
  compile(source: FilterSource): Promise<CompiledFilter>
  /**
   * Makes a filter of each source, for trying lists out: beside those in force, which neither wait for it nor notice
   * it. Throws `ChatError('limit-reached')` when too many are open, and `unavailable` when none could be made.
   */
  openTrial(sources: readonly FilterSource[]): Promise<FilterTrial>
  /** What is under way is given up. */
  close(): Promise<void>
}

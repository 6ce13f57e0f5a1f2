import type { FilterHit, FilterList } from './model.ts'

/** Finds what the lists forbid. Made anew when a list changes. */
export interface TextFilter {
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

/** Makes filters beside the loop that carries chat, which it holds for no longer than a few milliseconds. */
export interface FilterCompiler {
  /**
   * Call it for one state of the lists at a time. Throws `ChatError('unavailable')` when none could be made; the
   * next call begins anew.
   */
  compile(source: FilterSource): Promise<TextFilter>
  /** What is under way is given up. */
  close(): Promise<void>
}

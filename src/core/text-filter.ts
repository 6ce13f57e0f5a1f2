import type { FilterList } from './model.ts'

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

export interface FilterHit {
  /** In UTF-16 units of the original. */
  readonly start: number
  readonly end: number
  readonly expression: string
  readonly language: string
}

export type CompileFilter = (lists: readonly FilterList[]) => TextFilter

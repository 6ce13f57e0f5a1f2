import { compilePlainFilter } from '../../src/filter/plain.ts'

export interface List {
  readonly language: string
  readonly expressions: readonly string[]
}

/** The engine that the filter benches judge. */
export const compileSubject = (lists: readonly List[]) => compilePlainFilter(lists)

export type Subject = ReturnType<typeof compileSubject>

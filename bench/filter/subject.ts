import { compileFilter } from '../../src/filter/compile/compile.ts'
import type { List } from '../../src/filter/filter.ts'

/** The engine under measurement. */
export const compileSubject = (lists: readonly List[]) => compileFilter({ lists, allowed: [] })

export type { List }
export type Subject = ReturnType<typeof compileSubject>

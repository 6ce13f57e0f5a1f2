import { unpackExpressions } from '../../src/core/expressions.ts'
import type { FilterList } from '../../src/core/model.ts'
import type { FilterSource } from '../../src/core/ports/filter-compiler.ts'
import { compileFilter } from '../../src/filter/compile/compile.ts'

const unpack = ({ language, expressions }: FilterList) => ({
  language,
  expressions: unpackExpressions(expressions),
})

/** Compiles a filter in the calling thread. */
export const compileInProcess = ({ lists, allowed }: FilterSource) =>
  compileFilter({ lists: lists.map(unpack), allowed: allowed.map(unpack) })

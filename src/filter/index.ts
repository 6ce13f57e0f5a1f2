/** The package entry `parley-chat/filter`. The server imports the modules below directly. */

export { buffersOf, compileExceptions, compileFilter, compileList } from './compile/compile.ts'
export type { CompiledList, FilterSource, List } from './compiled.ts'
export { type CleanText, Filter, type Hit, ListFilter, type LoadedList } from './filter.ts'
export type { RuleName } from './scan/match.ts'

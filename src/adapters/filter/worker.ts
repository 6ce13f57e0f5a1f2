import { type Expressions, unpackExpressions } from '../../core/expressions.ts'
import { type CleanText, type FilterInput, MAX_HITS } from '../../core/ports/filter-compiler.ts'
import { buffersOf, compile, compileFilter } from '../../filter/compile/compile.ts'
import type { CompiledFilter, FilterSource, List } from '../../filter/compiled.ts'
import type { Filter } from '../../filter/filter.ts'
import { lowerThreadPriority } from '../../thread-priority.ts'

/** The filter worker. It holds the lists, so that an edit sends only the changed one. */

/** Refers to lists by the numbers they were sent with. */
export interface NumberedSource {
  readonly lists: readonly number[]
  readonly allowed: readonly number[]
}

export type ToWorker =
  /** Has no reply. */
  | {
      readonly kind: 'list'
      readonly number: number
      readonly language: string
      readonly expressions: Expressions
    }
  /** Has no reply. */
  | { readonly kind: 'forget'; readonly number: number }
  | { readonly kind: 'compile'; readonly source: NumberedSource }
  /** Compiles filters that stay in the worker, for `clean`. */
  | { readonly kind: 'try'; readonly sources: readonly NumberedSource[] }
  /** `FilterInput`s, as JSON. */
  | { readonly kind: 'clean'; readonly texts: string }

export type FromWorker =
  | { readonly kind: 'compiled'; readonly compiled: CompiledFilter }
  | { readonly kind: 'ready' }
  /** A list of `Cleaned` for each text, as JSON. */
  | { readonly kind: 'cleaned'; readonly results: string }
  | { readonly kind: 'failed'; readonly message: string }

/** `null` for a clean text, the most common case. */
export type Cleaned = CleanText | null

declare const self: Worker

lowerThreadPriority()

const lists = new Map<number, List>()
let filters: readonly Filter[] = []

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'list':
      lists.set(data.number, {
        language: data.language,
        expressions: unpackExpressions(data.expressions),
      })
      break
    case 'forget':
      lists.delete(data.number)
      break
    case 'compile':
      reply(() => compileSource(data.source))
      break
    case 'try':
      reply(() => {
        filters = data.sources.map((source) => compileFilter(read(source)))
        return { message: { kind: 'ready' } }
      })
      break
    case 'clean':
      reply(() => ({
        message: { kind: 'cleaned', results: JSON.stringify(cleanAll(JSON.parse(data.texts))) },
      }))
      break
  }
}

function reply(work: () => { readonly message: FromWorker; readonly transfer?: ArrayBuffer[] }): void {
  try {
    const { message, transfer = [] } = work()
    self.postMessage(message, transfer)
  } catch (thrown) {
    const failure: FromWorker = { kind: 'failed', message: String(thrown) }
    self.postMessage(failure)
  }
}

function compileSource(source: NumberedSource) {
  const compiled = compile(read(source))
  return { message: { kind: 'compiled', compiled } as const, transfer: buffersOf(compiled) }
}

const cleanAll = (texts: readonly FilterInput[]) =>
  texts.map(({ text, language }) => filters.map((filter) => cleanOne(filter.clean(text, language))))

const cleanOne = ({ text, hits }: CleanText): Cleaned =>
  hits.length === 0 ? null : { text, hits: hits.slice(0, MAX_HITS) }

const read = ({ lists: own, allowed }: NumberedSource): FilterSource => ({
  lists: listsOf(own),
  allowed: listsOf(allowed),
})

const listsOf = (numbers: readonly number[]): List[] => numbers.flatMap((number) => lists.get(number) ?? [])

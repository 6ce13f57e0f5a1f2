import { type Expressions, unpackExpressions } from '../../core/expressions.ts'
import { type CleanText, type FilterInput, MAX_HITS } from '../../core/ports/filter-compiler.ts'
import { buffersOf, compileExceptions, compileFilter, compileList } from '../../filter/compile/compile.ts'
import type { CompiledList, FilterSource, List } from '../../filter/compiled.ts'
import type { Filter } from '../../filter/filter.ts'
import { lowerThreadPriority } from '../../thread-priority.ts'

/** The filter worker. */

export interface SentList {
  readonly kind: 'forbidden' | 'allowed'
  readonly language: string
  readonly expressions: Expressions
}

/** Refers to lists by the numbers they were sent with. */
export interface NumberedSource {
  readonly lists: readonly number[]
  readonly allowed: readonly number[]
}

export type ToWorker =
  | { readonly kind: 'compile'; readonly list: SentList }
  /** A list for `try`. Has no reply. */
  | { readonly kind: 'list'; readonly number: number; readonly list: SentList }
  /** Compiles filters that stay in the worker, for `clean`. */
  | { readonly kind: 'try'; readonly sources: readonly NumberedSource[] }
  /** `FilterInput`s, as JSON. */
  | { readonly kind: 'clean'; readonly texts: string }

export type FromWorker =
  | { readonly kind: 'compiled'; readonly compiled: CompiledList }
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
    case 'compile':
      reply(() => compile(data.list))
      break
    case 'list':
      lists.set(data.number, read(data.list))
      break
    case 'try':
      reply(() => {
        filters = data.sources.map((source) => compileFilter(sourceOf(source)))
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

function compile(list: SentList) {
  const compiled = (list.kind === 'allowed' ? compileExceptions : compileList)(read(list))
  return { message: { kind: 'compiled', compiled } as const, transfer: buffersOf(compiled) }
}

const read = ({ language, expressions }: SentList): List => ({
  language,
  expressions: unpackExpressions(expressions),
})

const cleanAll = (texts: readonly FilterInput[]) =>
  texts.map(({ text, language }) => filters.map((filter) => cleanOne(filter.clean(text, language))))

const cleanOne = ({ text, hits }: CleanText): Cleaned =>
  hits.length === 0 ? null : { text, hits: hits.slice(0, MAX_HITS) }

const sourceOf = ({ lists: own, allowed }: NumberedSource): FilterSource => ({
  lists: listsOf(own),
  allowed: listsOf(allowed),
})

const listsOf = (numbers: readonly number[]): List[] => numbers.flatMap((number) => lists.get(number) ?? [])

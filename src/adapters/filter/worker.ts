import { buffersOf, type CompiledFilter, compile, type List } from '../../filter/compile.ts'

/** The thread that makes filters. It keeps the lists, so that an edit sends only the one that has changed. */

/** Lists by the numbers that they were sent under. */
export interface NumberedSource {
  readonly lists: readonly number[]
  readonly allowed: readonly number[]
}

export type ToWorker =
  /** A piece of a list, as JSON: one text costs a fraction of an array of them. Gets no answer. */
  | { readonly kind: 'list'; readonly number: number; readonly language: string; readonly piece: string }
  /** Gets no answer. */
  | { readonly kind: 'forget'; readonly number: number }
  | { readonly kind: 'compile'; readonly source: NumberedSource }

export type FromWorker =
  | { readonly kind: 'compiled'; readonly compiled: CompiledFilter }
  | { readonly kind: 'failed'; readonly message: string }

declare const self: Worker

const lists = new Map<number, { readonly language: string; readonly expressions: string[] }>()

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'list':
      addPiece(data)
      break
    case 'forget':
      lists.delete(data.number)
      break
    case 'compile':
      answer(() => compileSource(data.source))
      break
  }
}

function addPiece({ number, language, piece }: Extract<ToWorker, { kind: 'list' }>): void {
  const list = lists.get(number) ?? { language, expressions: [] }
  lists.set(number, list)
  for (const expression of JSON.parse(piece)) list.expressions.push(expression)
}

function answer(work: () => { readonly message: FromWorker; readonly transfer: ArrayBuffer[] }): void {
  try {
    const { message, transfer } = work()
    self.postMessage(message, transfer)
  } catch (thrown) {
    const failure: FromWorker = { kind: 'failed', message: String(thrown) }
    self.postMessage(failure)
  }
}

function compileSource(source: NumberedSource) {
  const compiled = compile({ lists: listsOf(source.lists), allowed: listsOf(source.allowed) })
  return { message: { kind: 'compiled', compiled } as const, transfer: buffersOf(compiled) }
}

const listsOf = (numbers: readonly number[]): List[] => numbers.flatMap((number) => lists.get(number) ?? [])

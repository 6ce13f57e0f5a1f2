import type { FilterList } from '../../core/model.ts'
import type { CleanText, FilterInput, FilterSource } from '../../core/ports/filter-compiler.ts'
import { yieldToEventLoop } from '../../core/time-slice.ts'
import type { CompiledList } from '../../filter/compiled.ts'
import type { Cleaned, FromWorker, NumberedSource, SentList, ToWorker } from './worker.ts'

type Reply<K extends FromWorker['kind']> = Extract<FromWorker, { kind: K }>

const isOfKind = <K extends FromWorker['kind']>(reply: FromWorker, kind: K): reply is Reply<K> =>
  reply.kind === kind

export interface FilterWorkerOptions {
  /** Called when the worker exits unexpectedly or does not respond in time. */
  readonly onEnd: (error: Error) => void
  readonly timeoutMs: number
}

export const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

/** Handle of a filter worker on the main thread. */
export class FilterWorker {
  readonly #worker: Worker
  readonly #pending: PromiseWithResolvers<FromWorker>[] = []
  readonly #options: FilterWorkerOptions
  #end: Error | undefined

  constructor(worker: Worker, options: FilterWorkerOptions) {
    this.#worker = worker
    this.#options = options
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#pending.shift()?.resolve(data)
    worker.onerror = ({ message }) => this.#fail(`failed: ${message}`)
    worker.addEventListener('close', () => this.#fail('exited.'))
  }

  async compile(list: FilterList): Promise<CompiledList> {
    const { compiled } = await this.#request({ kind: 'compile', list: toSent(list) }, 'compiled')
    return compiled
  }

  /** Compiles filters that stay in the worker, for `clean`. */
  async load(sources: readonly FilterSource[]): Promise<void> {
    const numbers = new Map<FilterList, number>()
    for (const list of sources.flatMap((source) => [...source.lists, ...source.allowed])) {
      if (numbers.has(list)) continue
      numbers.set(list, numbers.size)
      this.#post({ kind: 'list', number: numbers.size - 1, list: toSent(list) })
      // Posting copies a list synchronously, so the event loop gets a turn between lists.
      await yieldToEventLoop()
    }
    const numberAll = (lists: readonly FilterList[]) => lists.map((list) => numbers.get(list) ?? 0)
    const numbered = sources.map(
      ({ lists, allowed }): NumberedSource => ({ lists: numberAll(lists), allowed: numberAll(allowed) }),
    )
    await this.#request({ kind: 'try', sources: numbered }, 'ready')
  }

  /** Returns the result of each filter for each text. */
  async clean(texts: readonly FilterInput[]): Promise<CleanText[][]> {
    const { results } = await this.#request({ kind: 'clean', texts: JSON.stringify(texts) }, 'cleaned')
    const cleaned: readonly (readonly Cleaned[])[] = JSON.parse(results)
    return texts.map(({ text }, index) => cleaned[index]?.map((each) => each ?? { text, hits: [] }) ?? [])
  }

  terminate(): void {
    this.#finish(new Error('The filter worker was terminated.'))
    this.#worker.terminate()
  }

  async #request<K extends FromWorker['kind']>(message: ToWorker, expected: K): Promise<Reply<K>> {
    const pending = Promise.withResolvers<FromWorker>()
    this.#post(message)
    this.#pending.push(pending)
    const timer = setTimeout(() => this.#fail('does not respond.'), this.#options.timeoutMs)
    const reply = await pending.promise.finally(() => clearTimeout(timer))
    if (isOfKind(reply, expected)) return reply
    throw new Error(reply.kind === 'failed' ? reply.message : `The filter worker replied with ${reply.kind}.`)
  }

  #post(message: ToWorker): void {
    if (this.#end !== undefined) throw this.#end
    this.#worker.postMessage(message)
  }

  #fail(what: string): void {
    if (this.#end !== undefined) return
    this.#options.onEnd(this.#finish(new Error(`The filter worker ${what}`)))
  }

  #finish(error: Error): Error {
    this.#end ??= error
    for (const { reject } of this.#pending.splice(0)) reject(this.#end)
    return this.#end
  }
}

const toSent = ({ kind, language, expressions }: FilterList): SentList => ({ kind, language, expressions })

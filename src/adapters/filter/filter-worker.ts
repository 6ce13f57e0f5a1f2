import type { FilterList } from '../../core/model.ts'
import type { CleanText, FilterInput, FilterSource } from '../../core/ports/filter-compiler.ts'
import { yieldToEventLoop } from '../../core/time-slice.ts'
import type { CompiledFilter } from '../../filter/compiled.ts'
import type { Cleaned, FromWorker, NumberedSource, ToWorker } from './worker.ts'

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
  /** The lists that the worker holds. Lists are immutable: an edit creates a new one. */
  readonly #numbers = new Map<FilterList, number>()
  readonly #pending: PromiseWithResolvers<FromWorker>[] = []
  readonly #options: FilterWorkerOptions
  #lastNumber = 0
  #end: Error | undefined

  constructor(worker: Worker, options: FilterWorkerOptions) {
    this.#worker = worker
    this.#options = options
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#pending.shift()?.resolve(data)
    worker.onerror = ({ message }) => this.#fail(`failed: ${message}`)
    worker.addEventListener('close', () => this.#fail('exited.'))
  }

  async compile(source: FilterSource): Promise<CompiledFilter> {
    await this.#send([source])
    const { compiled } = await this.#request({ kind: 'compile', source: this.#numbered(source) }, 'compiled')
    return compiled
  }

  /** Compiles filters that stay in the worker, for `clean`. */
  async load(sources: readonly FilterSource[]): Promise<void> {
    await this.#send(sources)
    await this.#request({ kind: 'try', sources: sources.map((source) => this.#numbered(source)) }, 'ready')
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

  /** Sends the lists that the worker lacks and drops those no longer used. */
  async #send(sources: readonly FilterSource[]): Promise<void> {
    const lists = new Set(sources.flatMap((source) => [...source.lists, ...source.allowed]))
    for (const [list, number] of this.#numbers) {
      if (lists.has(list)) continue
      this.#numbers.delete(list)
      this.#post({ kind: 'forget', number })
    }
    for (const list of lists) {
      if (this.#numbers.has(list)) continue
      const number = ++this.#lastNumber
      const { language, expressions } = list
      this.#post({ kind: 'list', number, language, expressions })
      this.#numbers.set(list, number)
      // Posting copies a list synchronously, so the event loop gets a turn between lists.
      await yieldToEventLoop()
    }
  }

  #numbered({ lists, allowed }: FilterSource): NumberedSource {
    const numberOf = (list: FilterList) => this.#numbers.get(list) ?? 0
    return { lists: lists.map(numberOf), allowed: allowed.map(numberOf) }
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

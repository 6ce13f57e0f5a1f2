import type { FilterList } from '../../core/model.ts'
import type { CleanText, FilterInput, FilterSource } from '../../core/ports/filter-compiler.ts'
import { yieldToEventLoop } from '../../core/time-slice.ts'
import type { CompiledFilter } from '../../filter/compiled.ts'
import type { Cleaned, FromWorker, NumberedSource, ToWorker } from './worker.ts'

type Answer<K extends FromWorker['kind']> = Extract<FromWorker, { kind: K }>

const isOfKind = <K extends FromWorker['kind']>(answer: FromWorker, kind: K): answer is Answer<K> =>
  answer.kind === kind

export interface FilterWorkerOptions {
  /** Told when the thread ends by itself, or does not answer in time. */
  readonly onEnd: (error: Error) => void
  readonly timeoutMs: number
}

export const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

/** A thread that makes filters, as the loop that carries chat sees it. */
export class FilterWorker {
  readonly #worker: Worker
  /** The lists that the thread has. Lists never change: an edit makes another. */
  readonly #numbers = new Map<FilterList, number>()
  readonly #asked: PromiseWithResolvers<FromWorker>[] = []
  readonly #options: FilterWorkerOptions
  #newest = 0
  #end: Error | undefined

  constructor(worker: Worker, options: FilterWorkerOptions) {
    this.#worker = worker
    this.#options = options
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#asked.shift()?.resolve(data)
    worker.onerror = ({ message }) => this.#fail(`has failed: ${message}`)
    worker.addEventListener('close', () => this.#fail('has ended.'))
  }

  async compile(source: FilterSource): Promise<CompiledFilter> {
    await this.#send([source])
    const { compiled } = await this.#ask({ kind: 'compile', source: this.#numbered(source) }, 'compiled')
    return compiled
  }

  /** Has the thread make filters and keep them, for `clean`. */
  async load(sources: readonly FilterSource[]): Promise<void> {
    await this.#send(sources)
    await this.#ask({ kind: 'try', sources: sources.map((source) => this.#numbered(source)) }, 'ready')
  }

  /** What each filter makes of each text. */
  async clean(texts: readonly FilterInput[]): Promise<CleanText[][]> {
    const { results } = await this.#ask({ kind: 'clean', texts: JSON.stringify(texts) }, 'cleaned')
    const cleaned: readonly (readonly Cleaned[])[] = JSON.parse(results)
    return texts.map(({ text }, index) => cleaned[index]?.map((each) => each ?? { text, hits: [] }) ?? [])
  }

  terminate(): void {
    this.#finish(new Error('The thread that makes filters was ended.'))
    this.#worker.terminate()
  }

  /** Sends what the thread lacks, and has it forget the rest. */
  async #send(sources: readonly FilterSource[]): Promise<void> {
    const lists = new Set(sources.flatMap((source) => [...source.lists, ...source.allowed]))
    for (const [list, number] of this.#numbers) {
      if (lists.has(list)) continue
      this.#numbers.delete(list)
      this.#post({ kind: 'forget', number })
    }
    for (const list of lists) {
      if (this.#numbers.has(list)) continue
      const number = ++this.#newest
      const { language, expressions } = list
      this.#post({ kind: 'list', number, language, expressions })
      this.#numbers.set(list, number)
      // A list is copied at once; the next one in a turn of its own.
      await yieldToEventLoop()
    }
  }

  #numbered({ lists, allowed }: FilterSource): NumberedSource {
    const numberOf = (list: FilterList) => this.#numbers.get(list) ?? 0
    return { lists: lists.map(numberOf), allowed: allowed.map(numberOf) }
  }

  async #ask<K extends FromWorker['kind']>(message: ToWorker, expected: K): Promise<Answer<K>> {
    const asked = Promise.withResolvers<FromWorker>()
    this.#post(message)
    this.#asked.push(asked)
    const timer = setTimeout(() => this.#fail('does not answer.'), this.#options.timeoutMs)
    const answer = await asked.promise.finally(() => clearTimeout(timer))
    if (isOfKind(answer, expected)) return answer
    throw new Error(answer.kind === 'failed' ? answer.message : `The thread has answered ${answer.kind}.`)
  }

  #post(message: ToWorker): void {
    if (this.#end !== undefined) throw this.#end
    this.#worker.postMessage(message)
  }

  #fail(what: string): void {
    if (this.#end !== undefined) return
    this.#options.onEnd(this.#finish(new Error(`The thread that makes filters ${what}`)))
  }

  #finish(error: Error): Error {
    this.#end ??= error
    for (const { reject } of this.#asked.splice(0)) reject(this.#end)
    return this.#end
  }
}

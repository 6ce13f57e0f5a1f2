import type { FilterList } from '../../core/model.ts'
import { nextTurn } from '../../core/slices.ts'
import type { FilterSource } from '../../core/text-filter.ts'
import type { CompiledFilter } from '../../filter/compile.ts'
import type { FromWorker, NumberedSource, ToWorker } from './worker.ts'

/** Expressions of a list that are sent in one turn of the loop. */
const PIECE = 2000

export const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

/** A thread that makes filters, as the loop that carries chat sees it. */
export class FilterThread {
  readonly #worker: Worker
  /** The lists that the thread has. Lists never change: an edit makes another. */
  readonly #numbers = new Map<FilterList, number>()
  readonly #asked: PromiseWithResolvers<FromWorker>[] = []
  #newest = 0
  #end: Error | undefined

  /** `onEnd` is told when the thread ends by itself. */
  constructor(worker: Worker, onEnd: (error: Error) => void) {
    this.#worker = worker
    const end = (what: string) => {
      if (this.#end === undefined) onEnd(this.#finish(new Error(`The thread that makes filters ${what}`)))
    }
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#asked.shift()?.resolve(data)
    worker.onerror = ({ message }) => end(`has failed: ${message}`)
    worker.addEventListener('close', () => end('has ended.'))
  }

  async compile(source: FilterSource): Promise<CompiledFilter> {
    await this.#send(new Set([...source.lists, ...source.allowed]))
    const answer = await this.#ask({ kind: 'compile', source: this.#numbered(source) })
    if (answer.kind === 'compiled') return answer.compiled
    throw new Error(answer.message)
  }

  terminate(): void {
    this.#finish(new Error('The thread that makes filters was ended.'))
    this.#worker.terminate()
  }

  /** Sends what the thread lacks, and has it forget the rest. */
  async #send(lists: ReadonlySet<FilterList>): Promise<void> {
    for (const [list, number] of this.#numbers) {
      if (lists.has(list)) continue
      this.#numbers.delete(list)
      this.#post({ kind: 'forget', number })
    }
    for (const list of lists) if (!this.#numbers.has(list)) await this.#sendList(list)
  }

  async #sendList(list: FilterList): Promise<void> {
    const number = ++this.#newest
    const { language, expressions } = list
    for (let start = 0; start === 0 || start < expressions.length; start += PIECE) {
      if (start > 0) await nextTurn()
      const piece = JSON.stringify(expressions.slice(start, start + PIECE))
      this.#post({ kind: 'list', number, language, piece })
    }
    this.#numbers.set(list, number)
  }

  #numbered({ lists, allowed }: FilterSource): NumberedSource {
    const numberOf = (list: FilterList) => this.#numbers.get(list) ?? 0
    return { lists: lists.map(numberOf), allowed: allowed.map(numberOf) }
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    const asked = Promise.withResolvers<FromWorker>()
    this.#post(message)
    this.#asked.push(asked)
    return asked.promise
  }

  #post(message: ToWorker): void {
    if (this.#end !== undefined) throw this.#end
    this.#worker.postMessage(message)
  }

  #finish(error: Error): Error {
    this.#end ??= error
    for (const { reject } of this.#asked.splice(0)) reject(this.#end)
    return this.#end
  }
}

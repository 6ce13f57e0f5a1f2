import { ChatError } from '../../core/errors.ts'
import { ExpressionIndex } from '../../core/expressions.ts'
import type { FilterList } from '../../core/model.ts'
import type {
  CleanText,
  CompiledFilter,
  FilterCompiler,
  FilterInput,
  FilterSource,
  FilterTrial,
} from '../../core/ports/filter-compiler.ts'
import { Filter, ListFilter } from '../../filter/filter.ts'
import { FilterWorker, startWorker } from './filter-worker.ts'

export interface CompilerOptions {
  /** Called when a worker fails. The next compilation starts a new one. */
  readonly onFailure: (error: Error) => void
  readonly start?: () => Worker
  readonly timeoutMs?: number
}

/** A million expressions take ten seconds, and longer on busy processors. */
const TIMEOUT_MS = 120_000

const MAX_TRIALS = 4

/** Texts per request to the worker, which bounds how long reading a result holds the event loop. */
const TEXTS_PER_REQUEST = 100

/** Compiles in a worker that starts on first use and stays. Each trial has its own worker. */
export class WorkerFilterCompiler implements FilterCompiler {
  readonly #options: CompilerOptions
  readonly #trials = new Set<FilterWorker>()
  /** Lists are immutable: an edit creates a new one, and only that is compiled. */
  readonly #compiled = new WeakMap<FilterList, ListFilter>()
  #worker: FilterWorker | undefined
  #isClosed = false

  constructor(options: CompilerOptions) {
    this.#options = options
  }

  async compile(source: FilterSource): Promise<CompiledFilter> {
    if (this.#isClosed) throw new ChatError('unavailable')
    this.#worker ??= this.#start()
    const worker = this.#worker
    try {
      const lists = await this.#compileAll(worker, source.lists)
      return new Filter(lists, await this.#compileAll(worker, source.allowed))
    } catch (thrown) {
      this.#end(worker, thrown)
      throw new ChatError('unavailable', { cause: thrown })
    }
  }

  async openTrial(sources: readonly FilterSource[]): Promise<FilterTrial> {
    if (this.#isClosed) throw new ChatError('unavailable')
    if (this.#trials.size >= MAX_TRIALS) throw new ChatError('limit-reached')
    const worker = this.#start()
    this.#trials.add(worker)
    const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work()
      } catch (thrown) {
        this.#end(worker, thrown)
        throw new ChatError('unavailable', { cause: thrown })
      }
    }
    await attempt(() => worker.load(sources))
    return {
      clean: (texts) => attempt(() => cleanInSlices(worker, texts)),
      close: () => this.#end(worker),
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const worker of [this.#worker, ...this.#trials]) worker?.terminate()
  }

  async #compileAll(worker: FilterWorker, lists: readonly FilterList[]): Promise<ListFilter[]> {
    const compiled: ListFilter[] = []
    for (const list of lists)
      compiled.push(this.#compiled.get(list) ?? (await this.#compileOne(worker, list)))
    return compiled
  }

  async #compileOne(worker: FilterWorker, list: FilterList): Promise<ListFilter> {
    const { language, expressions } = list
    const compiled = await worker.compile(list)
    const filter = new ListFilter({ language, expressions: new ExpressionIndex(expressions), compiled })
    this.#compiled.set(list, filter)
    return filter
  }

  #start(): FilterWorker {
    const { start = startWorker, timeoutMs = TIMEOUT_MS } = this.#options
    const onEnd = (error: Error) => this.#end(worker, error)
    const worker: FilterWorker = new FilterWorker(start(), { onEnd, timeoutMs })
    return worker
  }

  /** A failed worker is discarded, together with the lists it holds. */
  #end(worker: FilterWorker, failure?: unknown): void {
    const isKnown = this.#worker === worker || this.#trials.has(worker)
    if (!isKnown) return
    if (this.#worker === worker) this.#worker = undefined
    this.#trials.delete(worker)
    worker.terminate()
    if (failure === undefined || this.#isClosed) return
    this.#options.onFailure(failure instanceof Error ? failure : new Error(String(failure)))
  }
}

async function cleanInSlices(worker: FilterWorker, texts: readonly FilterInput[]): Promise<CleanText[][]> {
  const results: CleanText[][] = []
  for (let start = 0; start < texts.length; start += TEXTS_PER_REQUEST) {
    for (const each of await worker.clean(texts.slice(start, start + TEXTS_PER_REQUEST))) results.push(each)
  }
  return results
}

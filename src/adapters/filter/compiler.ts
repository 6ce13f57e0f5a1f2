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
import { Filter, type NamedList } from '../../filter/filter.ts'
import { FilterWorker, startWorker } from './filter-worker.ts'

export interface CompilerOptions {
  /** Told when a thread has failed. The next compilation starts another. */
  readonly onFailure: (error: Error) => void
  readonly start?: () => Worker
  readonly timeoutMs?: number
}

/** A million expressions take ten seconds, and more where other work keeps the processors busy. */
const TIMEOUT_MS = 120_000

const MAX_TRIALS = 4

/** Texts whose results are read in one turn of the loop. */
const TEXTS_A_TURN = 100

/** Compiles in a thread, which is started for the first list and kept. Each trial has a thread of its own. */
export class WorkerFilterCompiler implements FilterCompiler {
  readonly #options: CompilerOptions
  readonly #trials = new Set<FilterWorker>()
  /** Lists never change: an edit makes another. */
  readonly #named = new WeakMap<FilterList, NamedList>()
  #thread: FilterWorker | undefined
  #isClosed = false

  constructor(options: CompilerOptions) {
    this.#options = options
  }

  async compile(source: FilterSource): Promise<CompiledFilter> {
    if (this.#isClosed) throw new ChatError('unavailable')
    this.#thread ??= this.#start()
    const thread = this.#thread
    try {
      const compiled = await thread.compile(source)
      const nameAll = (lists: readonly FilterList[]) => lists.map((list) => this.#name(list))
      return new Filter(compiled, { lists: nameAll(source.lists), allowed: nameAll(source.allowed) })
    } catch (thrown) {
      this.#end(thread, thrown)
      throw new ChatError('unavailable', { cause: thrown })
    }
  }

  async openTrial(sources: readonly FilterSource[]): Promise<FilterTrial> {
    if (this.#isClosed) throw new ChatError('unavailable')
    if (this.#trials.size >= MAX_TRIALS) throw new ChatError('limit-reached')
    const thread = this.#start()
    this.#trials.add(thread)
    const attempt = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work()
      } catch (thrown) {
        this.#end(thread, thrown)
        throw new ChatError('unavailable', { cause: thrown })
      }
    }
    await attempt(() => thread.load(sources))
    return {
      clean: (texts) => attempt(() => cleanInTurns(thread, texts)),
      close: () => this.#end(thread),
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const thread of [this.#thread, ...this.#trials]) thread?.terminate()
  }

  #name(list: FilterList): NamedList {
    const { language, expressions } = list
    const named = this.#named.get(list) ?? { language, expressions: new ExpressionIndex(expressions) }
    this.#named.set(list, named)
    return named
  }

  #start(): FilterWorker {
    const { start = startWorker, timeoutMs = TIMEOUT_MS } = this.#options
    const onEnd = (error: Error) => this.#end(thread, error)
    const thread: FilterWorker = new FilterWorker(start(), { onEnd, timeoutMs })
    return thread
  }

  /** A thread that failed once is not trusted with the lists it has. */
  #end(thread: FilterWorker, failure?: unknown): void {
    const isKnown = this.#thread === thread || this.#trials.has(thread)
    if (!isKnown) return
    if (this.#thread === thread) this.#thread = undefined
    this.#trials.delete(thread)
    thread.terminate()
    if (failure === undefined || this.#isClosed) return
    this.#options.onFailure(failure instanceof Error ? failure : new Error(String(failure)))
  }
}

async function cleanInTurns(thread: FilterWorker, texts: readonly FilterInput[]): Promise<CleanText[][]> {
  const results: CleanText[][] = []
  for (let start = 0; start < texts.length; start += TEXTS_A_TURN) {
    for (const each of await thread.clean(texts.slice(start, start + TEXTS_A_TURN))) results.push(each)
  }
  return results
}

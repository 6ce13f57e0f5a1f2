import { ChatError } from '../../core/errors.ts'
import type { FilterCompiler, FilterSource, TextFilter } from '../../core/text-filter.ts'
import { Filter } from '../../filter/filter.ts'
import { FilterThread, startWorker } from './thread.ts'

export interface CompilerOptions {
  /** Told when a thread has failed. The next compilation starts another. */
  readonly onFailure: (error: Error) => void
  readonly start?: () => Worker
}

/** Compiles in a thread, which is started for the first list and kept. */
export class ThreadedCompiler implements FilterCompiler {
  readonly #options: CompilerOptions
  #thread: FilterThread | undefined
  #isClosed = false

  constructor(options: CompilerOptions) {
    this.#options = options
  }

  async compile(source: FilterSource): Promise<TextFilter> {
    if (this.#isClosed) throw new ChatError('unavailable')
    const thread = this.#thread ?? this.#start()
    this.#thread = thread
    try {
      return new Filter(await thread.compile(source), source.lists)
    } catch (thrown) {
      this.#discard(thread, thrown)
      throw new ChatError('unavailable', { cause: thrown })
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#thread?.terminate()
  }

  #start(): FilterThread {
    const { start = startWorker } = this.#options
    const thread = new FilterThread(start(), (error) => this.#discard(thread, error))
    return thread
  }

  /** A thread that failed once is not trusted with the lists it has. */
  #discard(thread: FilterThread, reason: unknown): void {
    if (this.#thread !== thread) return
    this.#thread = undefined
    thread.terminate()
    if (!this.#isClosed) this.#options.onFailure(reason instanceof Error ? reason : new Error(String(reason)))
  }
}

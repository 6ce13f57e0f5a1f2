import { ChatError } from '../errors.ts'
import type { CleanText, CompiledFilter, FilterCompiler } from '../ports/filter-compiler.ts'
import type { State } from './state.ts'

const EMPTY_FILTER: CompiledFilter = { clean: (text) => ({ text, hits: [] }) }

/** The result of compiling one version of the lists. */
interface Compilation {
  readonly version: number
  readonly failure: unknown
}

/**
 * The filter applied to messages, compiled from the lists in the state. It stays active while its successor compiles;
 * edits made meanwhile share the next compilation, so there are never more than two filters in memory.
 */
export class ActiveFilter {
  readonly #state: State
  readonly #compiler: Pick<FilterCompiler, 'compile'>
  #filter = EMPTY_FILTER
  /** Version of the lists that the filter was compiled from. */
  #version = 0
  #compilation: Promise<Compilation> | undefined
  #hasFailed = false

  constructor(dependencies: { state: State; compiler: Pick<FilterCompiler, 'compile'> }) {
    this.#state = dependencies.state
    this.#compiler = dependencies.compiler
  }

  clean(text: string, language: string): CleanText {
    return this.#filter.clean(text, language)
  }

  /**
   * Resolves when every list currently in the state is active on this node. Throws `ChatError('unavailable')` if
   * compilation fails. The previous filter then stays active, although the new lists are stored and listed, until a
   * later call succeeds: after the next edit, a retry of the same edit, or a `check`.
   */
  async whenCurrent(): Promise<void> {
    const target = this.#newestVersion
    while (this.#version < target) {
      this.#compilation ??= this.#compile().finally(() => {
        this.#compilation = undefined
      })
      const { version, failure } = await this.#compilation
      if (failure !== undefined && version >= target) throw new ChatError('unavailable', { cause: failure })
    }
  }

  /** Retries a failed compilation and throws if it fails again. Does not wait for a first attempt. */
  async check(): Promise<void> {
    if (this.#hasFailed) await this.whenCurrent()
  }

  /** All kinds of changes share one version counter, so the larger version belongs to the newest edit. */
  get #newestVersion(): number {
    return Math.max(this.#state.filters.forbidden.version, this.#state.filters.allowed.version)
  }

  async #compile(): Promise<Compilation> {
    const version = this.#newestVersion
    try {
      this.#filter = await this.#compiler.compile(this.#state.filterSource)
      this.#version = version
      this.#hasFailed = false
      return { version, failure: undefined }
    } catch (thrown) {
      this.#hasFailed = true
      return { version, failure: thrown }
    }
  }
}

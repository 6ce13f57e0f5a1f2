import { ChatError } from '../errors.ts'
import type { CleanText, CompiledFilter, FilterCompiler } from '../ports/filter-compiler.ts'
import type { State } from './state.ts'

const NOTHING_FORBIDDEN: CompiledFilter = { clean: (text) => ({ text, hits: [] }) }

/** The outcome of an attempt to put the lists of one version in force. */
interface Attempt {
  readonly version: number
  readonly failure: unknown
}

/**
 * The filter that messages go through, made of the lists in the state. While the next one is made, the old one goes
 * on; edits that come meanwhile share the one after it, so there are never more than two filters in memory.
 */
export class ActiveFilter {
  readonly #state: State
  readonly #compiler: Pick<FilterCompiler, 'compile'>
  #filter = NOTHING_FORBIDDEN
  /** Of the lists that the filter was made of. */
  #version = 0
  #attempt: Promise<Attempt> | undefined
  #hasFailed = false

  constructor(dependencies: { state: State; compiler: Pick<FilterCompiler, 'compile'> }) {
    this.#state = dependencies.state
    this.#compiler = dependencies.compiler
  }

  clean(text: string, language: string): CleanText {
    return this.#filter.clean(text, language)
  }

  /**
   * Resolves when every list that the state has now is in force on this node. Throws `ChatError('unavailable')` when
   * no filter could be made of them: then the one before stays in force, though the lists are stored and listed, until
   * a later call succeeds: that of the next edit, of the same one sent again, or of a `check`.
   */
  async whenCurrent(): Promise<void> {
    const wanted = this.#newestVersion
    while (this.#version < wanted) {
      this.#attempt ??= this.#try().finally(() => {
        this.#attempt = undefined
      })
      const { version, failure } = await this.#attempt
      if (failure !== undefined && version >= wanted) throw new ChatError('unavailable', { cause: failure })
    }
  }

  /** Throws while the newest lists could not be put in force. Tries it again; does not wait for a first attempt. */
  async check(): Promise<void> {
    if (this.#hasFailed) await this.whenCurrent()
  }

  /** Versions are given over all kinds of changes, so the larger one is that of the newest edit. */
  get #newestVersion(): number {
    return Math.max(this.#state.filters.forbidden.version, this.#state.filters.allowed.version)
  }

  async #try(): Promise<Attempt> {
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

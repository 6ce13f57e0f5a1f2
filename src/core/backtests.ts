import { randomUUID } from 'node:crypto'
import { ChatError } from './errors.ts'
import type { Expressions } from './expressions.ts'
import type { MessageLog } from './message-log.ts'
import {
  ALL_LANGUAGES,
  type FilterHit,
  type FilterList,
  listApplies,
  type SequencedMessage,
} from './model.ts'
import type { Clock } from './ports/clock.ts'
import {
  type CleanText,
  type FilterCompiler,
  type FilterTrial,
  restrictSource,
  withDraft,
} from './ports/filter-compiler.ts'
import type { MessageStore } from './ports/message-store.ts'
import type { State } from './state/state.ts'

/** A draft list to evaluate against logged messages. */
export interface BacktestRequest {
  readonly language: string
  readonly expressions: Expressions
  readonly days: number
}

/** Progress and results so far. */
export interface Backtest {
  readonly id: string
  readonly language: string
  readonly days: number
  readonly state: 'running' | 'done' | 'failed'
  /** Logged messages scanned so far. */
  readonly scanned: number
  readonly total: number
  /** Scanned messages that this list applies to. */
  readonly checked: number
  readonly newlyCaught: CaughtMessages
  readonly noLongerCaught: CaughtMessages
  readonly stillCaught: CaughtMessages
}

export interface CaughtMessages {
  readonly count: number
  /** The newest messages. */
  readonly samples: readonly CaughtMessage[]
}

export interface CaughtMessage {
  readonly message: SequencedMessage
  /** Hits of the draft, or of the active lists if the draft has none. */
  readonly hits: readonly FilterHit[]
}

const MAX_RETAINED = 16
const MAX_RUNNING = 1
const MAX_SAMPLES = 20
/** Only the newest messages are scanned: on a busy server, scanning all of them would take too long. */
const MAX_SCANNED = 1_000_000
/** Bounds how long one page blocks the event loop. */
const PAGE_SIZE = 200
const DAY_MS = 86_400_000

/** Compares a draft with the list it would replace, on logged messages. Results are local to the node. */
export class Backtests {
  readonly #store: Pick<MessageStore, 'countMessages' | 'listMessages'>
  readonly #messages: Pick<MessageLog, 'flush'>
  readonly #state: State
  readonly #compiler: Pick<FilterCompiler, 'openTrial'>
  readonly #clock: Clock
  readonly #onBackgroundError: (error: unknown) => void
  /** Keyed by id, oldest first. */
  readonly #retained = new Map<string, BacktestRun>()
  readonly #running = new Map<BacktestRun, Promise<void>>()
  #isStopped = false

  constructor(dependencies: {
    store: Pick<MessageStore, 'countMessages' | 'listMessages'>
    messages: Pick<MessageLog, 'flush'>
    state: State
    compiler: Pick<FilterCompiler, 'openTrial'>
    clock: Clock
    onBackgroundError: (error: unknown) => void
  }) {
    this.#store = dependencies.store
    this.#messages = dependencies.messages
    this.#state = dependencies.state
    this.#compiler = dependencies.compiler
    this.#clock = dependencies.clock
    this.#onBackgroundError = dependencies.onBackgroundError
  }

  /** Without an id, returns the newest. */
  find(id?: string): Backtest {
    const run = id === undefined ? [...this.#retained.values()].at(-1) : this.#retained.get(id)
    if (run === undefined) throw new ChatError('backtest-not-found')
    return run
  }

  /** Resolves when the filters are compiled and the scan has started. */
  async start({ language, expressions, days }: BacktestRequest): Promise<Backtest> {
    const unfinished = [...this.#retained.values()].filter(({ state }) => state === 'running')
    if (unfinished.length >= MAX_RUNNING || this.#isStopped) throw new ChatError('limit-reached')
    const run = new BacktestRun(randomUUID(), language, days)
    this.#retain(run)
    try {
      const trial = await this.#openTrial({ kind: 'forbidden', language, expressions })
      this.#running.set(run, this.#run(run, trial))
    } catch (thrown) {
      this.#retained.delete(run.id)
      throw thrown
    }
    return run
  }

  /** Aborts running back-tests and rejects new ones. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#running.values())
  }

  #retain(run: BacktestRun): void {
    this.#retained.set(run.id, run)
    if (this.#retained.size <= MAX_RETAINED) return
    const [oldest] = this.#retained.keys()
    if (oldest !== undefined) this.#retained.delete(oldest)
  }

  /** Compiles two filters, without and with the draft, from the lists that can apply to the same messages as the draft. */
  #openTrial(draft: FilterList): Promise<FilterTrial> {
    const current = restrictSource(
      this.#state.filterSource,
      (list) => listApplies(draft.language, list) || listApplies(list.language, draft),
    )
    return this.#compiler.openTrial([current, withDraft(current, draft)])
  }

  async #run(run: BacktestRun, trial: FilterTrial): Promise<void> {
    try {
      await this.#scan(run, trial)
      run.finish('done')
    } catch (thrown) {
      run.finish('failed')
      if (!this.#isStopped) this.#onBackgroundError(thrown)
    } finally {
      trial.close()
      this.#running.delete(run)
    }
  }

  async #scan(run: BacktestRun, trial: FilterTrial): Promise<void> {
    const since = this.#clock() - run.days * DAY_MS
    await this.#messages.flush()
    run.total = await this.#store.countMessages(since, MAX_SCANNED)
    let before: SequencedMessage | undefined
    while (run.scanned < run.total) {
      if (this.#isStopped) throw new ChatError('unavailable')
      const limit = Math.min(PAGE_SIZE, run.total - run.scanned)
      const page = await this.#store.listMessages({ since, before, limit })
      await run.check(page, trial)
      if (page.length < limit) return
      before = page.at(-1)
    }
  }
}

class BacktestRun implements Backtest {
  readonly id: string
  readonly language: string
  readonly days: number
  state: Backtest['state'] = 'running'
  scanned = 0
  total = 0
  checked = 0
  readonly newlyCaught = new Tally()
  readonly noLongerCaught = new Tally()
  readonly stillCaught = new Tally()

  constructor(id: string, language: string, days: number) {
    this.id = id
    this.language = language
    this.days = days
  }

  async check(page: readonly SequencedMessage[], trial: FilterTrial): Promise<void> {
    const applicable = page.filter((message) => this.#applies(message))
    const results = await trial.clean(
      applicable.map(({ original, language }) => ({ text: original, language: language ?? ALL_LANGUAGES })),
    )
    for (const [index, message] of applicable.entries()) this.#compare(message, results[index] ?? [])
    this.scanned += page.length
    this.checked += applicable.length
  }

  /** Corrects `total`, since messages may have been pruned during the scan. */
  finish(state: 'done' | 'failed'): void {
    this.state = state
    if (state === 'done') this.total = this.scanned
  }

  /** Older log entries have no language, so only the list `all` is known to apply to them. */
  #applies({ player, language = ALL_LANGUAGES }: SequencedMessage): boolean {
    return player !== undefined && listApplies(language, this)
  }

  #compare(message: SequencedMessage, [current, drafted]: readonly CleanText[]): void {
    const [before, after] = [current?.hits ?? [], drafted?.hits ?? []]
    if (after.length > 0) (before.length > 0 ? this.stillCaught : this.newlyCaught).add(message, after)
    else if (before.length > 0) this.noLongerCaught.add(message, before)
  }
}

class Tally implements CaughtMessages {
  count = 0
  readonly samples: CaughtMessage[] = []

  add(message: SequencedMessage, hits: readonly FilterHit[]): void {
    this.count++
    if (this.samples.length < MAX_SAMPLES) this.samples.push({ message, hits })
  }
}

import { randomUUID } from 'node:crypto'
import { ChatError } from './errors.ts'
import type { Expressions } from './expressions.ts'
import type { MessageLog } from './message-log.ts'
import {
  EVERY_LANGUAGE,
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
import type { Store } from './ports/store.ts'
import type { State } from './state/state.ts'

/** A list that is tried out on what was said. */
export interface BacktestRequest {
  readonly language: string
  readonly expressions: Expressions
  readonly days: number
}

/** How far a back-test has come, and what it has found so far. */
export interface Backtest {
  readonly id: string
  readonly language: string
  readonly days: number
  readonly state: 'running' | 'done' | 'failed'
  /** Messages of the log that were looked at. */
  readonly scanned: number
  readonly total: number
  /** Those of them that go through the list. */
  readonly checked: number
  readonly newlyCaught: CaughtMessages
  readonly noLongerCaught: CaughtMessages
  readonly stillCaught: CaughtMessages
}

export interface CaughtMessages {
  readonly count: number
  /** The newest. */
  readonly samples: readonly CaughtMessage[]
}

export interface CaughtMessage {
  readonly message: SequencedMessage
  /** By the draft, or by the lists in force where it lets the message pass. */
  readonly hits: readonly FilterHit[]
}

const MAX_RETAINED = 16
const MAX_RUNNING = 1
const MAX_SAMPLES = 20
/** The newest messages of the days that were asked for; a busy log has more than anyone waits for. */
const MAX_SCANNED = 1_000_000
/** Messages that are read in one turn of the loop. */
const PAGE_SIZE = 200
const DAY_MS = 86_400_000

/** Compares a draft with the list that it would replace, on the messages of the log. Known to the node that runs it. */
export class Backtests {
  readonly #store: Store
  readonly #messages: MessageLog
  readonly #state: State
  readonly #compiler: FilterCompiler
  readonly #clock: Clock
  readonly #onBackgroundError: (error: unknown) => void
  /** By id, oldest first. */
  readonly #retained = new Map<string, BacktestRun>()
  readonly #running = new Map<BacktestRun, Promise<void>>()
  #isStopped = false

  constructor(dependencies: {
    store: Store
    messages: MessageLog
    state: State
    compiler: FilterCompiler
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

  /** The newest when no id is given. */
  find(id?: string): Backtest {
    const run = id === undefined ? [...this.#retained.values()].at(-1) : this.#retained.get(id)
    if (run === undefined) throw new ChatError('backtest-not-found')
    return run
  }

  /** Resolves when the filters are made and the scan has begun. */
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

  /** Gives up what is under way. */
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

  /** Of the lists as they are, and of them with the draft: those that anyone whose words go through it uses. */
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

/** One back-test. */
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
    const used = page.filter((message) => this.#applies(message))
    const results = await trial.clean(
      used.map(({ original, language }) => ({ text: original, language: language ?? EVERY_LANGUAGE })),
    )
    for (const [index, message] of used.entries()) this.#compare(message, results[index] ?? [])
    this.scanned += page.length
    this.checked += used.length
  }

  /** Messages may have been deleted meanwhile, since they were too old. */
  finish(state: 'done' | 'failed'): void {
    this.state = state
    if (state === 'done') this.total = this.scanned
  }

  /** What was said before the log kept languages is known to go through the list `all` only. */
  #applies({ player, language = EVERY_LANGUAGE }: SequencedMessage): boolean {
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

import { type CallContext, SYSTEM_CALL } from './context.ts'
import type { Ban } from './model.ts'
import type { Clock } from './ports/clock.ts'
import type { FactStore } from './ports/fact-store.ts'
import type { Journal } from './state/journal.ts'
import type { State } from './state/state.ts'
import { yieldToEventLoop } from './time-slice.ts'

const SECOND_MS = 1000
const DAY_SECONDS = 86_400
const EVICTION_BATCH = 1000
/** Keeps expired bans in memory for a while, so that they apply again if the system clock is set back. */
const EVICTION_DELAY_MS = DAY_SECONDS * SECOND_MS

export class Bans {
  readonly #store: FactStore
  readonly #journal: Journal
  readonly #state: State
  readonly #clock: Clock

  constructor(dependencies: { store: FactStore; journal: Journal; state: State; clock: Clock }) {
    this.#store = dependencies.store
    this.#journal = dependencies.journal
    this.#state = dependencies.state
    this.#clock = dependencies.clock
  }

  /** Number of bans in memory, including some that ended. */
  get size(): number {
    return this.#state.bans.size
  }

  /** Active bans, newest first. Returns the same array until one changes or ends. Blocks if there are very many. */
  list(): readonly Ban[] {
    return this.#state.bans.list(this.#clock())
  }

  /** Active bans as they are now, newest first, in slices. */
  slices(): Generator<readonly Ban[], void> {
    return this.#state.bans.slices(this.#clock())
  }

  /** At most `limit` active bans applied before the ban `before`, newest first. */
  page(page: { readonly before: number | undefined; readonly limit: number }): readonly Ban[] {
    return this.#state.bans.page(this.#clock(), page)
  }

  /** Evicts bans that ended more than a day ago, in batches. */
  async evictExpired(): Promise<void> {
    while (this.#state.bans.evict(this.#clock() - EVICTION_DELAY_MS, EVICTION_BATCH)) await yieldToEventLoop()
  }

  /** The player's active ban. */
  find(playerId: string): Ban | undefined {
    return this.#state.bans.find(playerId, this.#clock())
  }

  /** Whole seconds until the ban ends, at least 1 while it is active. */
  remainSeconds({ endsAt }: Ban): number {
    return Math.max(0, Math.ceil((endsAt - this.#clock()) / SECOND_MS))
  }

  /** Starts and ends on a whole second, the precision shown to clients. The shortest ban lasts one second. */
  apply(playerId: string, days: number, context: CallContext = SYSTEM_CALL): Promise<Ban> {
    const startsAt = Math.floor(this.#clock() / SECOND_MS) * SECOND_MS
    const endsAt = startsAt + Math.max(1, Math.round(days * DAY_SECONDS)) * SECOND_MS
    return this.#journal.commit(this.#store.putBan({ playerId, startsAt, endsAt }, context))
  }

  /** Returns whether the player was banned. */
  lift(playerId: string, context: CallContext = SYSTEM_CALL): Promise<boolean> {
    return this.#journal.commit(this.#store.liftBan(playerId, this.#clock(), context))
  }
}

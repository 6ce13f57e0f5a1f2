import type { Ban } from './model.ts'
import type { Clock } from './ports/clock.ts'
import type { Idempotency, Store } from './ports/store.ts'
import type { Journal } from './state/journal.ts'
import type { State } from './state/state.ts'

const SECOND_MS = 1000
const DAY_SECONDS = 86_400

export class Bans {
  readonly #store: Store
  readonly #journal: Journal
  readonly #state: State
  readonly #clock: Clock

  constructor(dependencies: { store: Store; journal: Journal; state: State; clock: Clock }) {
    this.#store = dependencies.store
    this.#journal = dependencies.journal
    this.#state = dependencies.state
    this.#clock = dependencies.clock
  }

  /** In force now, newest first. */
  list(): readonly Ban[] {
    return this.#state.bans.list(this.#clock())
  }

  /** The ban in force, if there is one. */
  find(playerId: string): Ban | undefined {
    return this.#state.bans.find(playerId, this.#clock())
  }

  /** Whole seconds until it ends, at least one while it is in force. */
  remainSeconds({ endsAt }: Ban): number {
    return Math.max(0, Math.ceil((endsAt - this.#clock()) / SECOND_MS))
  }

  /** Begins and ends on a whole second, as its times are shown; the shortest ban lasts one. */
  apply(playerId: string, days: number, idempotency?: Idempotency): Promise<Ban> {
    const startsAt = Math.floor(this.#clock() / SECOND_MS) * SECOND_MS
    const endsAt = startsAt + Math.max(1, Math.round(days * DAY_SECONDS)) * SECOND_MS
    return this.#journal.commit(this.#store.putBan({ playerId, startsAt, endsAt }, idempotency))
  }

  /** Gives back whether there was a ban to lift. */
  lift(playerId: string, idempotency?: Idempotency): Promise<boolean> {
    return this.#journal.commit(this.#store.liftBan(playerId, this.#clock(), idempotency))
  }
}

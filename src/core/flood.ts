import { type Budget, KeyedBudget } from './keyed-budget.ts'
import type { Clock } from './ports/clock.ts'

/** What players can do too often. */
export interface FloodRules {
  readonly messages: Budget
  /** Of any kind. */
  readonly frames: Budget
  /** Connects, joins, resumes and leaves, which others are told of. */
  readonly moves: Budget
  readonly reports: Budget
  /** Refusals of the others. Whoever goes on beyond them is not answered any more. */
  readonly rejections: Budget
}

type FloodBudgets = { readonly [Name in keyof FloodRules]: KeyedBudget }

/** The budgets of each player, over all connections and groups; a reconnect begins no new ones. */
export class FloodControl {
  readonly #budgets: FloodBudgets | undefined

  /** Without rules there are no limits. The clock must be monotonic. */
  constructor(rules: FloodRules | undefined, clock: Clock) {
    this.#budgets = rules && {
      messages: new KeyedBudget(rules.messages, clock),
      frames: new KeyedBudget(rules.frames, clock),
      moves: new KeyedBudget(rules.moves, clock),
      reports: new KeyedBudget(rules.reports, clock),
      rejections: new KeyedBudget(rules.rejections, clock),
    }
  }

  /** 0 when there was some left; otherwise the milliseconds until there is. */
  spend(budget: keyof FloodRules, playerId: string): number {
    return this.#budgets?.[budget].spend(playerId) ?? 0
  }

  /** The milliseconds until a player whose rejections are used up is answered again. */
  lockoutMs(playerId: string): number {
    return this.#budgets?.rejections.waitMs(playerId) ?? 0
  }
}

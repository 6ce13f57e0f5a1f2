import { type Budget, KeyedBudget } from './keyed-budget.ts'
import type { Clock } from './ports/clock.ts'

/** Limits per player. */
export interface FloodRules {
  readonly messages: Budget
  /** Frames of any type. */
  readonly frames: Budget
  /** Connects, joins, resumes and leaves, which are broadcast to other players. */
  readonly moves: Budget
  readonly reports: Budget
  /** Rejections by the other budgets. A player who exceeds this one is locked out. */
  readonly rejections: Budget
}

type FloodBudgets = { readonly [Name in keyof FloodRules]: KeyedBudget }

/** Applies the limits to each player across all connections and groups, so that reconnecting does not reset them. */
export class FloodControl {
  readonly #budgets: FloodBudgets | undefined

  /** Without rules, nothing is limited. The clock must be monotonic. */
  constructor(rules: FloodRules | undefined, clock: Clock) {
    this.#budgets = rules && {
      messages: new KeyedBudget(rules.messages, clock),
      frames: new KeyedBudget(rules.frames, clock),
      moves: new KeyedBudget(rules.moves, clock),
      reports: new KeyedBudget(rules.reports, clock),
      rejections: new KeyedBudget(rules.rejections, clock),
    }
  }

  /** Returns 0 if the budget allows it, otherwise the milliseconds to wait. */
  spend(budget: keyof FloodRules, playerId: string): number {
    return this.#budgets?.[budget].spend(playerId) ?? 0
  }

  /** Milliseconds until a locked-out player may connect again, 0 for others. */
  lockoutMs(playerId: string): number {
    return this.#budgets?.rejections.waitMs(playerId) ?? 0
  }
}

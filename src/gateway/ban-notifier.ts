import type { Bans } from '../core/bans.ts'
import type { Clock } from '../core/ports/clock.ts'
import { TimeSlice } from '../core/time-slice.ts'
import { pushes } from './frames.ts'
import { NotifiedBans } from './notified-bans.ts'

export interface BanNotifierDependencies {
  readonly bans: Pick<Bans, 'find' | 'remainSeconds'>
  readonly clock: Clock
  /** The player's sessions on this node, undefined without any. */
  readonly sessionsOf: (playerId: string) => Iterable<{ push(text: string): void }> | undefined
}

/** Notifies the players of this node when a ban is set, changed or lifted, and when it ends. */
export class BanNotifier {
  readonly #dependencies: BanNotifierDependencies
  readonly #notified = new NotifiedBans()

  constructor(dependencies: BanNotifierDependencies) {
    this.#dependencies = dependencies
  }

  /** Called when a player connects; the reply mentions the ban. */
  add(playerId: string): void {
    const ban = this.#dependencies.bans.find(playerId)
    if (ban !== undefined) this.#notified.set(ban)
  }

  /** Called when the player's last session ended. */
  remove(playerId: string): void {
    this.#notified.delete(playerId)
  }

  notify(playerId: string): void {
    const { bans, sessionsOf } = this.#dependencies
    const ban = bans.find(playerId)
    const sessions = sessionsOf(playerId)
    if (ban === undefined || sessions === undefined) return
    this.#notified.set(ban)
    for (const session of sessions) session.push(pushes.banned(ban, bans.remainSeconds(ban)))
  }

  notifyLifted(playerId: string): void {
    if (!this.#notified.delete(playerId)) return
    for (const session of this.#dependencies.sessionsOf(playerId) ?? []) session.push(pushes.banLifted())
  }

  async notifyEnded(): Promise<void> {
    const slice = new TimeSlice()
    const findNext = () => this.#notified.findEnded(this.#dependencies.clock())
    for (let ban = findNext(); ban !== undefined; ban = findNext()) {
      this.notifyLifted(ban.playerId)
      if (slice.isOver) await slice.renew()
    }
  }

  /** Called after changes were missed. */
  async reconcile(playerIds: Iterable<string>): Promise<void> {
    const slice = new TimeSlice()
    for (const playerId of playerIds) {
      if (slice.isOver) await slice.renew()
      const ban = this.#dependencies.bans.find(playerId)
      if (ban === undefined) this.notifyLifted(playerId)
      else if (ban.seq !== this.#notified.find(playerId)?.seq) this.notify(playerId)
    }
  }
}

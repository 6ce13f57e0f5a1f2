import type { Ban, Timestamp } from '../core/model.ts'
import { SortedList } from '../core/state/sorted-list.ts'

/** The latest ban that each banned player with a session on this node was notified of. */
export class NotifiedBans {
  readonly #byPlayer = new Map<string, Ban>()
  readonly #byEnd = new SortedList<Pick<Ban, 'endsAt' | 'seq'>, Ban>(
    (a, b) => a.endsAt - b.endsAt || a.seq - b.seq,
  )

  get size(): number {
    return this.#byPlayer.size
  }

  find(playerId: string): Ban | undefined {
    return this.#byPlayer.get(playerId)
  }

  set(ban: Ban): void {
    this.delete(ban.playerId)
    this.#byPlayer.set(ban.playerId, ban)
    this.#byEnd.set(ban)
  }

  /** Returns whether there was one. */
  delete(playerId: string): boolean {
    const ban = this.#byPlayer.get(playerId)
    if (ban === undefined) return false
    this.#byPlayer.delete(playerId)
    this.#byEnd.delete(ban)
    return true
  }

  /** A ban that has ended, the earliest first. Takes the same time however many have not. */
  findEnded(at: Timestamp): Ban | undefined {
    const first = this.#byEnd.first()
    return first !== undefined && first.endsAt <= at ? first : undefined
  }
}

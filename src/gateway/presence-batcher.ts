import type { Topic } from '../core/events.ts'
import type { Player, Shard } from '../core/model.ts'

export interface PresenceEvent {
  readonly kind: 'player-joined' | 'player-left'
  readonly shard: Shard
  readonly player: Player
}

/**
 * Collects joins and leaves in large channels, to be sent once a second: each event costs one delivery for every member.
 * A join and a leave of the same player within a batch cancel out.
 */
export class PresenceBatcher {
  readonly #pending = new Map<Topic, Map<string, PresenceEvent>>()

  add(topic: Topic, event: PresenceEvent): void {
    const events = this.#pending.get(topic) ?? new Map<string, PresenceEvent>()
    this.#pending.set(topic, events)
    const former = events.get(event.player.id)
    if (former !== undefined && former.kind !== event.kind) events.delete(event.player.id)
    else events.set(event.player.id, event)
  }

  /** Yields the pending events and clears them. */
  *flush(): Generator<[Topic, PresenceEvent]> {
    for (const [topic, events] of this.#pending) for (const event of events.values()) yield [topic, event]
    this.#pending.clear()
  }
}

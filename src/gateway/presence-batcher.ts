import type { Topic } from '../core/events.ts'
import type { Player, Shard } from '../core/model.ts'

export interface PresenceEvent {
  readonly kind: 'player-joined' | 'player-left'
  readonly shard: Shard
  readonly player: Player
}

/**
 * Comings and goings of big channels, told together once a second: where hundreds listen, each one costs hundreds of
 * deliveries. Who came and left again in between is not told at all.
 */
export class PresenceBatcher {
  readonly #held = new Map<Topic, Map<string, PresenceEvent>>()

  hold(topic: Topic, passage: PresenceEvent): void {
    const held = this.#held.get(topic) ?? new Map<string, PresenceEvent>()
    this.#held.set(topic, held)
    const former = held.get(passage.player.id)
    if (former !== undefined && former.kind !== passage.kind) held.delete(passage.player.id)
    else held.set(passage.player.id, passage)
  }

  /** Gives out what was held. */
  *release(): Generator<[Topic, PresenceEvent]> {
    for (const [topic, held] of this.#held) for (const passage of held.values()) yield [topic, passage]
    this.#held.clear()
  }
}

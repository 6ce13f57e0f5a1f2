import type { Topic } from '../core/events.ts'
import type { Player, Shard } from '../core/model.ts'

export interface PresenceEvent {
  readonly kind: 'player-joined' | 'player-left'
  readonly shard: Shard
  readonly player: Player
}

/** The last change of each player, and how many members there are now. */
export interface PresenceChange {
  readonly shard: Shard
  readonly memberCount: number
  /** Undefined when there are too many members, or too many changes, to name the players. */
  readonly players: { readonly joined: readonly Player[]; readonly left: readonly Player[] } | undefined
}

export interface PresenceBatcherDependencies {
  /** Members on all nodes. */
  readonly countMembers: (shard: Shard) => Promise<number>
  readonly send: (topic: Topic, change: PresenceChange) => void
  readonly onError: (error: unknown) => void
}

/** Above this many members, or for more changes than this, only the count is sent. */
const MAX_NAMED = 1000

/** Collects joins and leaves in large channels, to be sent once a second: each frame costs one delivery for every member. */
export class PresenceBatcher {
  readonly #dependencies: PresenceBatcherDependencies
  readonly #pending = new Map<Topic, PresenceBatch>()
  /** Topics whose members are being counted. */
  readonly #sending = new Set<Topic>()

  constructor(dependencies: PresenceBatcherDependencies) {
    this.#dependencies = dependencies
  }

  /** Whether events of the topic are pending: a later event must not overtake them. */
  has(topic: Topic): boolean {
    return this.#pending.has(topic) || this.#sending.has(topic)
  }

  /** `localMembers` is the number of members on this node. */
  add(topic: Topic, event: PresenceEvent, localMembers: number): void {
    const batch = this.#pending.get(topic) ?? new PresenceBatch(event.shard)
    this.#pending.set(topic, batch)
    if (localMembers > MAX_NAMED) batch.dropNames()
    batch.add(event)
  }

  /** Sends one frame for each topic with changes, after counting its members. Never rejects. */
  async flush(): Promise<void> {
    await Promise.all(Array.from(this.#pending, ([topic, batch]) => this.#flush(topic, batch)))
  }

  async #flush(topic: Topic, batch: PresenceBatch): Promise<void> {
    if (this.#sending.has(topic)) return
    // Events from here on belong to the next batch, which counts again.
    this.#pending.delete(topic)
    this.#sending.add(topic)
    try {
      const memberCount = await this.#dependencies.countMembers(batch.shard)
      if (memberCount > MAX_NAMED) batch.dropNames()
      this.#dependencies.send(topic, { shard: batch.shard, memberCount, players: batch.players })
    } catch (thrown) {
      const later = this.#pending.get(topic)
      if (later !== undefined) batch.append(later)
      this.#pending.set(topic, batch)
      this.#dependencies.onError(thrown)
    } finally {
      this.#sending.delete(topic)
    }
  }
}

/** The joins and leaves of a channel number. */
class PresenceBatch {
  readonly shard: Shard
  /**
   * The last event of each player; undefined without names. Events do not cancel out: a client that fetched the members
   * between a leave and a join would never learn of the join.
   */
  #events: Map<string, PresenceEvent> | undefined = new Map()

  constructor(shard: Shard) {
    this.shard = shard
  }

  get players(): PresenceChange['players'] {
    if (this.#events === undefined) return undefined
    const events = [...this.#events.values()]
    const named = (kind: PresenceEvent['kind']) =>
      events.filter((event) => event.kind === kind).map(({ player }) => player)
    return { joined: named('player-joined'), left: named('player-left') }
  }

  add(event: PresenceEvent): void {
    this.#events?.set(event.player.id, event)
    if (this.#events !== undefined && this.#events.size > MAX_NAMED) this.dropNames()
  }

  append(later: PresenceBatch): void {
    if (later.#events === undefined) this.dropNames()
    else for (const event of later.#events.values()) this.add(event)
  }

  dropNames(): void {
    this.#events = undefined
  }
}

import { shardTopic, type Topic } from '../core/events.ts'
import type { ChannelKey, Shard } from '../core/model.ts'

/** The sessions of this node in each channel number, by topic and by channel. */
export class LocalMembers<Session> {
  /** Each session with its own reference to the seat: displacing compares by identity. */
  readonly #byTopic = new Map<Topic, Map<Session, Shard>>()
  readonly #topicsOf = new Map<string, Set<Topic>>()

  add(session: Session, shard: Shard): void {
    const topic = shardTopic(shard)
    const members = this.#byTopic.get(topic) ?? new Map<Session, Shard>()
    this.#byTopic.set(topic, members.set(session, shard))
    const topics = this.#topicsOf.get(channelKey(shard)) ?? new Set<Topic>()
    this.#topicsOf.set(channelKey(shard), topics.add(topic))
  }

  /** Returns whether the session was a member. */
  remove(session: Session, shard: Shard): boolean {
    const topic = shardTopic(shard)
    const members = this.#byTopic.get(topic)
    if (members === undefined || !members.delete(session)) return false
    if (members.size === 0) this.#forget(topic, channelKey(shard))
    return true
  }

  size(topic: Topic): number {
    return this.#byTopic.get(topic)?.size ?? 0
  }

  /** Covers every incarnation of the channel. */
  *ofChannel(key: ChannelKey): Generator<[Session, Shard]> {
    for (const topic of this.#topicsOf.get(channelKey(key)) ?? []) yield* this.#byTopic.get(topic) ?? []
  }

  *all(): Generator<[Session, Shard]> {
    for (const members of this.#byTopic.values()) yield* members
  }

  #forget(topic: Topic, key: string): void {
    this.#byTopic.delete(topic)
    const topics = this.#topicsOf.get(key)
    topics?.delete(topic)
    if (topics?.size === 0) this.#topicsOf.delete(key)
  }
}

const channelKey = ({ group, name }: ChannelKey) => JSON.stringify([group, name])

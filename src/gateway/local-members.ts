import { shardTopic, type Topic } from '../core/events.ts'
import type { ChannelKey, Shard } from '../core/model.ts'

/** The sessions of this node that hear each number, found by topic and by channel. */
export class LocalMembers<Session> {
  /** Each session with the seat as it holds it. */
  readonly #byTopic = new Map<Topic, Map<Session, Shard>>()
  readonly #topicsOf = new Map<string, Set<Topic>>()

  add(session: Session, shard: Shard): void {
    const topic = shardTopic(shard)
    const audience = this.#byTopic.get(topic) ?? new Map<Session, Shard>()
    this.#byTopic.set(topic, audience.set(session, shard))
    const topics = this.#topicsOf.get(channelKey(shard)) ?? new Set<Topic>()
    this.#topicsOf.set(channelKey(shard), topics.add(topic))
  }

  /** Gives back whether the session heard the number. */
  remove(session: Session, shard: Shard): boolean {
    const topic = shardTopic(shard)
    const audience = this.#byTopic.get(topic)
    if (audience === undefined || !audience.delete(session)) return false
    if (audience.size === 0) this.#forget(topic, channelKey(shard))
    return true
  }

  size(topic: Topic): number {
    return this.#byTopic.get(topic)?.size ?? 0
  }

  /** Of every incarnation of the channel. */
  *ofChannel(key: ChannelKey): Generator<[Session, Shard]> {
    for (const topic of this.#topicsOf.get(channelKey(key)) ?? []) yield* this.#byTopic.get(topic) ?? []
  }

  *all(): Generator<[Session, Shard]> {
    for (const audience of this.#byTopic.values()) yield* audience
  }

  #forget(topic: Topic, key: string): void {
    this.#byTopic.delete(topic)
    const topics = this.#topicsOf.get(key)
    topics?.delete(topic)
    if (topics?.size === 0) this.#topicsOf.delete(key)
  }
}

const channelKey = ({ group, name }: ChannelKey) => JSON.stringify([group, name])

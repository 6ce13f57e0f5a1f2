import { shardTopic, type Topic } from '../core/events.ts'
import type { ChannelKey, Shard } from '../core/model.ts'

/** Sending to an audience is one step that holds the event loop, so larger channel numbers have several audiences. */
const MAX_AUDIENCE = 500

/** The members of a channel number, split into audiences. The first audience has the name of the topic. */
interface Members<Session> {
  readonly audiences: Map<Topic, Map<Session, Shard>>
  size: number
  /** Of the next audience. */
  nextIndex: number
}

/** The sessions of this node in each channel number, by topic, by audience and by channel. */
export class LocalMembers<Session> {
  readonly #byTopic = new Map<Topic, Members<Session>>()
  /** Each session with its own reference to the seat: displacing compares by identity. */
  readonly #byAudience = new Map<Topic, Map<Session, Shard>>()
  readonly #topicsOf = new Map<string, Set<Topic>>()

  /** Entries in memory. */
  get entries(): number {
    return this.#byTopic.size + this.#byAudience.size + this.#topicsOf.size
  }

  /** Returns the audience that the session belongs to. */
  add(session: Session, shard: Shard): Topic {
    const topic = shardTopic(shard)
    const members = this.#byTopic.get(topic) ?? this.#open(topic, shard)
    const audience = findRoom(members) ?? this.#openAudience(topic, members)
    members.audiences.get(audience)?.set(session, shard)
    members.size++
    return audience
  }

  /** Returns the audience that the session belonged to, undefined if it was not a member. */
  remove(session: Session, shard: Shard): Topic | undefined {
    const topic = shardTopic(shard)
    const members = this.#byTopic.get(topic)
    const audience = members && findAudience(members, session)
    if (members === undefined || audience === undefined) return undefined
    const sessions = members.audiences.get(audience)
    sessions?.delete(session)
    members.size--
    if (sessions?.size === 0) {
      members.audiences.delete(audience)
      this.#byAudience.delete(audience)
    }
    if (members.size === 0) this.#forget(topic, channelKey(shard))
    return audience
  }

  /** The audience that the session belongs to, undefined if it is not a member. */
  audienceOf(session: Session, shard: Shard): Topic | undefined {
    const members = this.#byTopic.get(shardTopic(shard))
    return members && findAudience(members, session)
  }

  /** Of a channel number. */
  size(topic: Topic): number {
    return this.#byTopic.get(topic)?.size ?? 0
  }

  audiences(topic: Topic): Iterable<Topic> {
    return this.#byTopic.get(topic)?.audiences.keys() ?? []
  }

  audienceSize(audience: Topic): number {
    return this.#byAudience.get(audience)?.size ?? 0
  }

  ofAudience(audience: Topic): Iterable<Session> {
    return this.#byAudience.get(audience)?.keys() ?? []
  }

  /** Covers every incarnation of the channel. */
  *ofChannel(key: ChannelKey): Generator<[Session, Shard]> {
    for (const topic of this.#topicsOf.get(channelKey(key)) ?? [])
      for (const sessions of this.#byTopic.get(topic)?.audiences.values() ?? []) yield* sessions
  }

  *all(): Generator<[Session, Shard]> {
    for (const sessions of this.#byAudience.values()) yield* sessions
  }

  #open(topic: Topic, shard: Shard): Members<Session> {
    const members = { audiences: new Map(), size: 0, nextIndex: 0 }
    this.#byTopic.set(topic, members)
    const topics = this.#topicsOf.get(channelKey(shard)) ?? new Set<Topic>()
    this.#topicsOf.set(channelKey(shard), topics.add(topic))
    return members
  }

  #openAudience(topic: Topic, members: Members<Session>): Topic {
    const index = members.nextIndex++
    const audience = index === 0 ? topic : `${topic}\n${index}`
    const sessions = new Map<Session, Shard>()
    members.audiences.set(audience, sessions)
    this.#byAudience.set(audience, sessions)
    return audience
  }

  #forget(topic: Topic, key: string): void {
    this.#byTopic.delete(topic)
    const topics = this.#topicsOf.get(key)
    topics?.delete(topic)
    if (topics?.size === 0) this.#topicsOf.delete(key)
  }
}

function findRoom<Session>({ audiences }: Members<Session>): Topic | undefined {
  for (const [audience, sessions] of audiences) if (sessions.size < MAX_AUDIENCE) return audience
  return undefined
}

function findAudience<Session>({ audiences }: Members<Session>, session: Session): Topic | undefined {
  for (const [audience, sessions] of audiences) if (sessions.has(session)) return audience
  return undefined
}

const channelKey = ({ group, name }: ChannelKey) => JSON.stringify([group, name])

import { randomUUID } from 'node:crypto'
import { type Change, type ChatEvent, shardTopic, type Topic } from '../../core/events.ts'
import type { ChatMessage, SequencedMessage, Shard, Timestamp } from '../../core/model.ts'
import {
  type Bus,
  type BusListener,
  type ChannelHistory,
  HISTORY_MESSAGES,
  HISTORY_MS,
} from '../../core/ports/bus.ts'
import type { Clock } from '../../core/ports/clock.ts'

interface Sequence {
  readonly epoch: string
  seq: number
  since: number
  messages: SequencedMessage[]
  retracted: string[]
  usedAt: number
  lastChatAt: Timestamp | undefined
}

type Restore = BusListener['restore']

/** Unused sequences are pruned each time this many new ones have started. */
const PRUNE_EVERY = 1000
/** A slow message log must not block chat: after this time the sequence starts over. */
const RESTORE_MS = 2000

export interface NetworkOptions {
  readonly pruneEvery?: number
  readonly restoreMs?: number
}

/** Connects the nodes of one process. A single server is a network of one node. */
export class MemoryNetwork {
  readonly #nodes = new Set<MemoryBus>()
  readonly #sequences = new Map<Topic, Sequence>()
  /** Sequences that are being restored. */
  readonly #opening = new Map<Topic, Promise<Sequence>>()
  readonly #clock: Clock
  readonly #pruneEvery: number
  readonly #restoreMs: number
  #started = 0

  constructor(clock: Clock, { pruneEvery = PRUNE_EVERY, restoreMs = RESTORE_MS }: NetworkOptions = {}) {
    this.#clock = clock
    this.#pruneEvery = pruneEvery
    this.#restoreMs = restoreMs
  }

  /** Sequences in memory. */
  get size(): number {
    return this.#sequences.size
  }

  /** Does not count as use of the sequence. */
  lastChatAt(topic: Topic): Timestamp | undefined {
    return this.#sequences.get(topic)?.lastChatAt
  }

  join(): Bus {
    return new MemoryBus(this, this.#nodes)
  }

  /** Returns a sequence in recent use or with subscribers, for whom it must not start over. */
  find(topic: Topic): Sequence | undefined {
    const now = this.#clock()
    const known = this.#sequences.get(topic)
    if (known === undefined || this.#isExpired(topic, known, now)) return undefined
    known.usedAt = now
    return known
  }

  /** Restores a sequence. Concurrent calls share one restore. */
  open(shard: Shard, restore: Restore): Promise<Sequence> {
    const topic = shardTopic(shard)
    const known = this.#opening.get(topic)
    if (known !== undefined) return known
    const opening = this.#restore(shard, restore)
      .then((restored) => this.#start(topic, restored))
      .finally(() => this.#opening.delete(topic))
    this.#opening.set(topic, opening)
    return opening
  }

  #start(topic: Topic, restored: ChannelHistory | undefined): Sequence {
    const now = this.#clock()
    if (++this.#started % this.#pruneEvery === 0) this.#prune(now)
    const { epoch, seq, since, messages, retracted } = restored ?? newSequence()
    const sequence = {
      epoch,
      seq,
      since,
      messages: [...messages],
      retracted: [...retracted],
      usedAt: now,
      lastChatAt: undefined,
    }
    this.#sequences.set(topic, sequence)
    return sequence
  }

  async #restore(shard: Shard, restore: Restore): Promise<ChannelHistory | undefined> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(resolve, this.#restoreMs)
    try {
      return await Promise.race([restore(shard), late])
    } catch {
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  #isExpired(topic: Topic, { usedAt }: Sequence, now: number): boolean {
    return now - usedAt >= HISTORY_MS && !this.#hasSubscriber(topic)
  }

  #hasSubscriber(topic: Topic): boolean {
    for (const node of this.#nodes) if (node.isSubscribed(topic)) return true
    return false
  }

  #prune(now: number): void {
    for (const [topic, sequence] of this.#sequences) {
      if (this.#isExpired(topic, sequence, now)) this.#sequences.delete(topic)
    }
  }
}

const newSequence = (): ChannelHistory => ({
  epoch: randomUUID(),
  seq: 0,
  since: 0,
  messages: [],
  retracted: [],
})

class MemoryBus implements Bus {
  readonly #network: MemoryNetwork
  readonly #nodes: Set<MemoryBus>
  readonly #topics = new Set<Topic>()
  #listener: BusListener | undefined

  constructor(network: MemoryNetwork, nodes: Set<MemoryBus>) {
    this.#network = network
    this.#nodes = nodes
  }

  isSubscribed(topic: Topic): boolean {
    return this.#topics.has(topic)
  }

  async open(listener: BusListener): Promise<void> {
    this.#listener = listener
    this.#nodes.add(this)
  }

  async announce(changes: readonly Change[]): Promise<void> {
    const applied: (Promise<void> | undefined)[] = []
    for (const node of this.#nodes) applied.push(node.#listener?.applyChanges(changes))
    await Promise.all(applied)
  }

  async publish(topic: Topic, event: ChatEvent): Promise<void> {
    this.#publish(topic, event)
  }

  async append(message: ChatMessage): Promise<SequencedMessage> {
    const topic = shardTopic(message.shard)
    const sequence = this.#network.find(topic) ?? (await this.#restored(message.shard))
    const { id, shard, player, text, original, language, hits, at } = message
    const { epoch } = sequence
    const sequenced = { id, shard, player, text, original, language, hits, at, seq: ++sequence.seq, epoch }
    sequence.messages.push(sequenced)
    if (message.player !== undefined) sequence.lastChatAt = message.at
    if (sequence.messages.length > HISTORY_MESSAGES) sequence.since = sequence.messages.shift()?.seq ?? 0
    this.#publish(topic, { kind: 'message', message: sequenced })
    return sequenced
  }

  async retract({ id, shard }: ChatMessage): Promise<void> {
    const topic = shardTopic(shard)
    const sequence = this.#network.find(topic) ?? (await this.#restored(shard))
    sequence.messages = sequence.messages.filter((message) => message.id !== id)
    sequence.retracted = [...sequence.retracted.filter((each) => each !== id), id].slice(-HISTORY_MESSAGES)
    this.#publish(topic, { kind: 'message-deleted', shard, messageId: id })
  }

  async history(shard: Shard): Promise<ChannelHistory> {
    const sequence = this.#network.find(shardTopic(shard)) ?? (await this.#restored(shard))
    const { epoch, seq, since, messages, retracted } = sequence
    return { epoch, seq, since, messages: [...messages], retracted }
  }

  async lastChatTimes(shards: readonly Shard[]): Promise<readonly (Timestamp | undefined)[]> {
    return shards.map((shard) => this.#network.lastChatAt(shardTopic(shard)))
  }

  async subscribe(topic: Topic): Promise<void> {
    this.#topics.add(topic)
  }

  async unsubscribe(topic: Topic): Promise<void> {
    this.#topics.delete(topic)
  }

  async check(): Promise<void> {
    if (!this.#nodes.has(this)) throw new Error('The bus is closed.')
  }

  async close(): Promise<void> {
    this.#nodes.delete(this)
  }

  #publish(topic: Topic, event: ChatEvent): void {
    for (const node of this.#nodes) {
      if (node.#topics.has(topic)) node.#listener?.deliver(topic, event)
    }
  }

  #restored(shard: Shard): Promise<Sequence> {
    return this.#network.open(shard, (each) => this.#listener?.restore(each) ?? Promise.resolve(undefined))
  }
}

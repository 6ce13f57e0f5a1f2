import { randomUUID } from 'node:crypto'
import { type Bus, type BusListener, HISTORY_MESSAGES, HISTORY_MS, type Recent } from '../../core/bus.ts'
import type { Clock } from '../../core/clock.ts'
import { type Change, type ChatEvent, shardTopic, type Topic } from '../../core/events.ts'
import type { ChatMessage, SequencedMessage, Shard } from '../../core/model.ts'

interface Sequence {
  readonly epoch: string
  seq: number
  since: number
  messages: SequencedMessage[]
  retracted: string[]
  usedAt: number
}

/** Sequences that were not used for long are looked for whenever so many new ones have begun. */
const SWEEP_EVERY = 1000

/** Joins the nodes of one process. A server that runs alone is a network of one node. */
export class MemoryNetwork {
  readonly #nodes = new Set<MemoryBus>()
  readonly #sequences = new Map<Topic, Sequence>()
  readonly #clock: Clock
  #begun = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  join(): Bus {
    return new MemoryBus(this.#nodes, (topic) => this.#sequence(topic))
  }

  #sequence(topic: Topic): Sequence {
    const now = this.#clock()
    const known = this.#sequences.get(topic)
    if (known !== undefined && (now - known.usedAt < HISTORY_MS || this.#isHeard(topic))) {
      known.usedAt = now
      return known
    }
    if (++this.#begun % SWEEP_EVERY === 0) this.#sweep(now)
    const sequence = { epoch: randomUUID(), seq: 0, since: 0, messages: [], retracted: [], usedAt: now }
    this.#sequences.set(topic, sequence)
    return sequence
  }

  /** A sequence does not begin anew under those who listen. */
  #isHeard(topic: Topic): boolean {
    for (const node of this.#nodes) if (node.hears(topic)) return true
    return false
  }

  #sweep(now: number): void {
    for (const [topic, { usedAt }] of this.#sequences) {
      if (now - usedAt >= HISTORY_MS && !this.#isHeard(topic)) this.#sequences.delete(topic)
    }
  }
}

class MemoryBus implements Bus {
  readonly #nodes: Set<MemoryBus>
  readonly #sequence: (topic: Topic) => Sequence
  readonly #topics = new Set<Topic>()
  #listener: BusListener | undefined

  constructor(nodes: Set<MemoryBus>, sequence: (topic: Topic) => Sequence) {
    this.#nodes = nodes
    this.#sequence = sequence
  }

  hears(topic: Topic): boolean {
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
    for (const node of this.#nodes) {
      if (node.#topics.has(topic)) node.#listener?.deliver(topic, event)
    }
  }

  async append(message: ChatMessage): Promise<SequencedMessage> {
    const topic = shardTopic(message.shard)
    const sequence = this.#sequence(topic)
    const sequenced = { ...message, seq: ++sequence.seq, epoch: sequence.epoch }
    sequence.messages.push(sequenced)
    if (sequence.messages.length > HISTORY_MESSAGES) sequence.since = sequence.messages.shift()?.seq ?? 0
    await this.publish(topic, { kind: 'message', message: sequenced })
    return sequenced
  }

  async retract({ id, shard }: ChatMessage): Promise<void> {
    const topic = shardTopic(shard)
    const sequence = this.#sequence(topic)
    sequence.messages = sequence.messages.filter((message) => message.id !== id)
    sequence.retracted = [...sequence.retracted.filter((each) => each !== id), id].slice(-HISTORY_MESSAGES)
    await this.publish(topic, { kind: 'message-deleted', shard, messageId: id })
  }

  async recent(shard: Shard): Promise<Recent> {
    const { epoch, seq, since, messages, retracted } = this.#sequence(shardTopic(shard))
    return { epoch, seq, since, messages: [...messages], retracted }
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
}

import { createHash } from 'node:crypto'
import { shardTopic } from './events.ts'
import type { LoggedMessage, SequencedMessage, Shard } from './model.ts'
import { type ChannelHistory, HISTORY_MESSAGES } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { MessageStore } from './ports/store.ts'
import { LastChatTimes } from './state/last-chat-times.ts'

/** Messages that wait for the disk. When it does not take them for so long, the oldest are given up. */
const MAX_PENDING = 20_000
const MAX_BATCH = 2000
const PRUNE_SLICE = 5000
const FLUSH_MS = 500
const PRUNE_MS = 3_600_000
const DAY_MS = 86_400_000

export interface MessageLogOptions {
  readonly store: MessageStore
  readonly clock: Clock
  readonly retentionDays: number
  readonly maxPending?: number
  readonly pruneSlice?: number
  readonly flushMs?: number
  readonly pruneMs?: number
}

/**
 * Everything that was said, for operators, and for sequences that go on after a planned restart. Chat never waits for it:
 * messages are written in batches by `flush`, so a crash loses those of the time between two flushes.
 */
export class MessageLog {
  readonly lastChatTimes: LastChatTimes
  readonly #store: MessageStore
  readonly #clock: Clock
  readonly #retentionDays: number
  readonly #maxPending: number
  readonly #pruneSlice: number
  readonly #flushMs: number
  readonly #pruneMs: number
  #timers: readonly ReturnType<typeof setTimeout>[] = []
  #pending: SequencedMessage[] = []
  #flushing: Promise<void> | undefined
  #lineage: Promise<string> | undefined
  #dropped = 0

  constructor(options: MessageLogOptions) {
    this.lastChatTimes = new LastChatTimes(options.store)
    this.#store = options.store
    this.#clock = options.clock
    this.#retentionDays = options.retentionDays
    this.#maxPending = options.maxPending ?? MAX_PENDING
    this.#pruneSlice = options.pruneSlice ?? PRUNE_SLICE
    this.#flushMs = options.flushMs ?? FLUSH_MS
    this.#pruneMs = options.pruneMs ?? PRUNE_MS
  }

  /** Messages that were given up because the disk took none. */
  get dropped(): number {
    return this.#dropped
  }

  add(message: SequencedMessage): void {
    if (message.player !== undefined) this.lastChatTimes.record(message.shard, message.at)
    this.#pending.push(message)
    if (this.#pending.length <= this.#maxPending) return
    this.#pending.shift()
    this.#dropped++
  }

  /** Writes what waits. What the disk refuses goes on waiting, and the refusal is thrown. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  /** Writes messages as they come and deletes them as they age, until the log is closed. */
  start(onFailure: (error: unknown) => void): void {
    const prune = () => this.prune().catch(onFailure)
    this.#timers = [
      setInterval(() => this.flush().catch(onFailure), this.#flushMs),
      setInterval(prune, this.#pruneMs),
      setTimeout(prune, this.#flushMs),
    ]
  }

  /** Nothing is said any more: writes what waits. When it resolves, the next start goes on with every sequence. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    await this.flush()
    await this.#openLineage()
    // Numbers were used that the log knows nothing of.
    if (this.#dropped === 0) await this.#store.sealSequences()
  }

  /** The sequence of a number as it has come so far, undefined when the log may not have all of it. */
  async restore(shard: Shard): Promise<ChannelHistory | undefined> {
    const lineage = await this.#openLineage()
    const topic = shardTopic(shard)
    while (this.#pending.some((message) => shardTopic(message.shard) === topic)) await this.flush()
    if (this.#dropped > 0) return undefined
    const known = await this.#store.readSequence(shard, HISTORY_MESSAGES)
    return known ?? { epoch: firstEpoch(lineage, shard), seq: 0, since: 0, messages: [], retracted: [] }
  }

  async find(id: string): Promise<SequencedMessage | undefined> {
    return this.#findPending(id) ?? (await this.#store.findMessage(id))
  }

  /** Keeps it, as deleted. Resolves when that is on disk; undefined when there is no such message. */
  async delete(id: string): Promise<LoggedMessage | undefined> {
    while (this.#findPending(id) !== undefined) await this.flush()
    return this.#store.deleteMessage(id, this.#clock())
  }

  /** The message and up to `each` before and after it. */
  async listAround(message: SequencedMessage, each: number): Promise<LoggedMessage[]> {
    await this.flush()
    return this.#store.listAround(message, each)
  }

  /** Deletes what is older than it has to be. */
  async prune(): Promise<void> {
    const before = this.#clock() - this.#retentionDays * DAY_MS
    while ((await this.#store.pruneMessages(before, this.#pruneSlice)) === this.#pruneSlice);
    this.lastChatTimes.clear()
  }

  #findPending(id: string): SequencedMessage | undefined {
    return this.#pending.find((message) => message.id === id)
  }

  async #write(): Promise<void> {
    while (this.#pending.length > 0) {
      await this.#openLineage()
      const batch = this.#pending.slice(0, MAX_BATCH)
      await this.#store.appendMessages(batch)
      const written = new Set(batch)
      this.#pending = this.#pending.filter((message) => !written.has(message))
    }
  }

  /** Once for this process, before it uses any number: after that a crash can no longer be taken for a clean stop. */
  #openLineage(): Promise<string> {
    this.#lineage ??= this.#store.openSequences().catch((thrown: unknown) => {
      this.#lineage = undefined
      throw thrown
    })
    return this.#lineage
  }
}

/** Of a number in which nobody has spoken: the same after a planned restart, so that who was silent misses nothing. */
const firstEpoch = (lineage: string, shard: Shard) =>
  createHash('sha256').update(lineage).update(shardTopic(shard)).digest('base64url').slice(0, 22)

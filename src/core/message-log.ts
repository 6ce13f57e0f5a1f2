import { createHash } from 'node:crypto'
import { shardTopic } from './events.ts'
import type { LoggedMessage, SequencedMessage, Shard } from './model.ts'
import { type ChannelHistory, HISTORY_MESSAGES } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { MessageStore } from './ports/message-store.ts'
import { LastChatTimes } from './state/last-chat-times.ts'

/** Messages not yet written to disk. Above this, the oldest are dropped. */
const MAX_PENDING = 20_000
const MAX_BATCH = 2000
const PRUNE_BATCH = 5000
const FLUSH_MS = 500
const PRUNE_MS = 3_600_000
const DAY_MS = 86_400_000

export interface MessageLogOptions {
  readonly store: MessageStore
  readonly clock: Clock
  readonly retentionDays: number
  readonly maxPending?: number
  readonly pruneBatch?: number
  readonly flushMs?: number
  readonly pruneMs?: number
}

/**
 * The log of all messages, used by operators and to resume sequences after a planned restart. Chat never waits for it:
 * `flush` writes messages in batches, so a crash loses the messages since the last flush.
 */
export class MessageLog {
  readonly lastChatTimes: LastChatTimes
  readonly #store: MessageStore
  readonly #clock: Clock
  readonly #retentionDays: number
  readonly #maxPending: number
  readonly #pruneBatch: number
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
    this.#pruneBatch = options.pruneBatch ?? PRUNE_BATCH
    this.#flushMs = options.flushMs ?? FLUSH_MS
    this.#pruneMs = options.pruneMs ?? PRUNE_MS
  }

  /** Number of messages dropped because the disk did not accept writes. */
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

  /** Writes all pending messages. If the store fails, rethrows its error and keeps them pending. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  /** Flushes and prunes periodically until the log is closed. */
  start(onFailure: (error: unknown) => void): void {
    const prune = () => this.prune().catch(onFailure)
    this.#timers = [
      setInterval(() => this.flush().catch(onFailure), this.#flushMs),
      setInterval(prune, this.#pruneMs),
      setTimeout(prune, this.#flushMs),
    ]
  }

  /** Must not be called before chat has stopped. Once it resolves, the next start can resume every sequence. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    await this.flush()
    await this.#openLineage()
    // Dropped messages used sequence numbers that are not in the log, so sequences cannot be resumed.
    if (this.#dropped === 0) await this.#store.sealSequences()
  }

  /** The sequence of a channel number, or undefined if the log may be incomplete. */
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

  /** Marks a message as deleted and resolves when that is on disk. Undefined if the message does not exist. */
  async delete(id: string): Promise<LoggedMessage | undefined> {
    while (this.#findPending(id) !== undefined) await this.flush()
    return this.#store.deleteMessage(id, this.#clock())
  }

  /** The message and up to `eachSide` messages before and after it. */
  async listAround(message: SequencedMessage, eachSide: number): Promise<LoggedMessage[]> {
    await this.flush()
    return this.#store.listAround(message, eachSide)
  }

  /** Deletes messages past the retention period. */
  async prune(): Promise<void> {
    const before = this.#clock() - this.#retentionDays * DAY_MS
    while ((await this.#store.pruneMessages(before, this.#pruneBatch)) === this.#pruneBatch);
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

  /** Must run before this process uses any sequence number, so that a later crash is not mistaken for a clean stop. */
  #openLineage(): Promise<string> {
    this.#lineage ??= this.#store.openSequences().catch((thrown: unknown) => {
      this.#lineage = undefined
      throw thrown
    })
    return this.#lineage
  }
}

/** The epoch of a channel number without messages. Stable across planned restarts, so that clients see no gap. */
const firstEpoch = (lineage: string, shard: Shard) =>
  createHash('sha256').update(lineage).update(shardTopic(shard)).digest('base64url').slice(0, 22)

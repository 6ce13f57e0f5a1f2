import { createHash } from 'node:crypto'
import { shardTopic, type Topic } from './events.ts'
import type { LoggedMessage, SequencedMessage, Shard, Timestamp } from './model.ts'
import { type ChannelHistory, HISTORY_MESSAGES } from './ports/bus.ts'
import type { Clock } from './ports/clock.ts'
import type { DroppedMessages, MessageStore } from './ports/message-store.ts'

/** Messages not yet written to disk. Above this, the oldest are dropped. */
const MAX_PENDING = 20_000
const MAX_BATCH = 2000
const FLUSH_MS = 500
const PRUNE_MS = 60_000
const DAY_MS = 86_400_000

export interface MessageLogOptions {
  readonly store: MessageStore
  readonly clock: Clock
  readonly rules: MessageLogRules
  readonly maxPending?: number
  readonly flushMs?: number
  readonly pruneMs?: number
}

/** Retention of the message log. The first limit that is reached applies. */
export interface MessageLogRules {
  readonly days: number
  readonly bytes: number
}

export interface MessageLogEvents {
  readonly onFailure: (error: unknown) => void
  readonly onDropped: (dropped: readonly DroppedMessages[]) => void
}

/**
 * The log of all messages, used by operators and to resume sequences after a planned restart. Chat never waits for it:
 * `flush` writes messages in batches, so a crash loses the messages since the last flush.
 */
export class MessageLog {
  readonly #store: MessageStore
  readonly #clock: Clock
  readonly #rules: MessageLogRules
  readonly #maxPending: number
  readonly #flushMs: number
  readonly #pruneMs: number
  #timers: readonly ReturnType<typeof setTimeout>[] = []
  #pending: SequencedMessage[] = []
  /** Number of messages ever added. Those that are no longer pending were written or dropped. */
  #added = 0
  #writing: Promise<void> | undefined
  #lineage: Promise<string> | undefined
  #dropped = 0
  #bytes = 0

  constructor(options: MessageLogOptions) {
    this.#store = options.store
    this.#clock = options.clock
    this.#rules = options.rules
    this.#maxPending = options.maxPending ?? MAX_PENDING
    this.#flushMs = options.flushMs ?? FLUSH_MS
    this.#pruneMs = options.pruneMs ?? PRUNE_MS
  }

  /** Number of messages dropped because the disk did not accept writes. */
  get dropped(): number {
    return this.#dropped
  }

  /** Size on disk when the log was last pruned; 0 before the first time. */
  get bytes(): number {
    return this.#bytes
  }

  add(message: SequencedMessage): void {
    this.#added++
    this.#pending.push(message)
    if (this.#pending.length <= this.#maxPending) return
    this.#pending.shift()
    this.#dropped++
  }

  /**
   * Writes the messages that are pending now. If the store fails, rethrows its error and keeps them pending. Messages
   * added meanwhile wait for the next flush: written as they arrive, each batch would have only a few.
   */
  async flush(): Promise<void> {
    const added = this.#added
    while (this.#added - this.#pending.length < added) await this.#writeBatch()
  }

  /** Flushes and prunes periodically until the log is closed. */
  start({ onFailure, onDropped }: MessageLogEvents): void {
    const prune = () =>
      this.prune().then((dropped) => {
        if (dropped.length > 0) onDropped(dropped)
      }, onFailure)
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
    while (this.#pending.some((message) => isSameShard(message.shard, shard))) await this.flush()
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

  /** When a player last sent a message in each of these channel numbers. Undefined for all if the log cannot be read. */
  async readLastChatTimes(shards: readonly Shard[]): Promise<(Timestamp | undefined)[]> {
    if (shards.length === 0) return []
    // Before the read, since messages may be written meanwhile.
    const pending = this.#pendingChatTimes()
    const keys = shards.map(({ group, name, incarnation, number }) => ({ group, name, incarnation, number }))
    const stored = await this.#store.readLastChatTimes(keys).catch(() => [])
    return shards.map((shard, index) => pending.get(shardTopic(shard)) ?? stored[index])
  }

  /** Drops the oldest days until the log is within its limits. Returns those that were dropped. */
  async prune(): Promise<readonly DroppedMessages[]> {
    const { days, bytes: maxBytes } = this.#rules
    const { dropped, bytes } = await this.#store.pruneMessages({
      before: this.#clock() - days * DAY_MS,
      maxBytes,
    })
    this.#bytes = bytes
    return dropped
  }

  #pendingChatTimes(): ReadonlyMap<Topic, Timestamp> {
    const times = new Map<Topic, Timestamp>()
    for (const { shard, player, at } of this.#pending)
      if (player !== undefined) times.set(shardTopic(shard), at)
    return times
  }

  #findPending(id: string): SequencedMessage | undefined {
    return this.#pending.find((message) => message.id === id)
  }

  /** Concurrent calls share one write. */
  #writeBatch(): Promise<void> {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
    return this.#writing
  }

  async #write(): Promise<void> {
    await this.#openLineage()
    const batch = this.#pending.slice(0, MAX_BATCH)
    const droppedBefore = this.#dropped
    await this.#store.appendMessages(batch)
    // The oldest may have been dropped meanwhile, although they were written.
    this.#pending.splice(0, Math.max(0, batch.length - (this.#dropped - droppedBefore)))
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

const isSameShard = (a: Shard, b: Shard) =>
  a.number === b.number && a.name === b.name && a.incarnation === b.incarnation && a.group === b.group

/** The epoch of a channel number without messages. Stable across planned restarts, so that clients see no gap. */
const firstEpoch = (lineage: string, shard: Shard) =>
  createHash('sha256').update(lineage).update(shardTopic(shard)).digest('base64url').slice(0, 22)

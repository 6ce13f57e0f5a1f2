import type { Clock } from './clock.ts'
import type { LoggedMessage, SequencedMessage } from './model.ts'
import type { MessageStore } from './store.ts'

/** Messages that wait for the disk. When it does not take them for so long, the oldest are given up. */
const MAX_WAITING = 20_000
const MAX_BATCH = 2000
const PRUNE_SLICE = 5000
const DAY_MS = 86_400_000

/**
 * Everything that was said, for operators. Chat never waits for it: messages are written in batches by `flush`, so a
 * crash loses those of the time between two flushes.
 */
export class MessageLog {
  readonly #store: MessageStore
  readonly #clock: Clock
  readonly #retentionDays: number
  #waiting: SequencedMessage[] = []
  #flushing: Promise<void> | undefined
  #lost = 0

  constructor(parts: { store: MessageStore; clock: Clock; retentionDays: number }) {
    this.#store = parts.store
    this.#clock = parts.clock
    this.#retentionDays = parts.retentionDays
  }

  /** Messages that were given up because the disk took none. */
  get lost(): number {
    return this.#lost
  }

  add(message: SequencedMessage): void {
    this.#waiting.push(message)
    if (this.#waiting.length <= MAX_WAITING) return
    this.#waiting.shift()
    this.#lost++
  }

  /** Writes what waits. What the disk refuses goes on waiting, and the refusal is thrown. */
  flush(): Promise<void> {
    this.#flushing ??= this.#write().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  async find(id: string): Promise<SequencedMessage | undefined> {
    return this.#findWaiting(id) ?? (await this.#store.findMessage(id))
  }

  /** Keeps it, as deleted. Resolves when that is on disk; undefined when there is no such message. */
  async delete(id: string): Promise<LoggedMessage | undefined> {
    while (this.#findWaiting(id) !== undefined) await this.flush()
    return this.#store.deleteMessage(id, this.#clock())
  }

  /** The message and up to `each` before and after it. */
  async around(message: SequencedMessage, each: number): Promise<LoggedMessage[]> {
    await this.flush()
    return this.#store.listAround(message, each)
  }

  /** Deletes what is older than it has to be. */
  async prune(): Promise<void> {
    const before = this.#clock() - this.#retentionDays * DAY_MS
    while ((await this.#store.pruneMessages(before, PRUNE_SLICE)) === PRUNE_SLICE);
  }

  #findWaiting(id: string): SequencedMessage | undefined {
    return this.#waiting.find((message) => message.id === id)
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MAX_BATCH)
      await this.#store.appendMessages(batch)
      const written = new Set(batch)
      this.#waiting = this.#waiting.filter((message) => !written.has(message))
    }
  }
}

import type { Topic } from '../core/events.ts'

/** Sends a text to every socket subscribed to the topic. */
export type Publish = (topic: Topic, text: string) => void

const FLUSH_MS = 8

/**
 * Coalesces the broadcasts of a topic: the first is sent immediately, those within the next 8 ms are sent together. Each
 * delivery costs a system call per recipient; coalescing saves most of them in a busy channel and never delays a quiet one.
 */
export class Outbox {
  readonly #publish: Publish
  /** Topics sent to within the last 8 ms, with the texts queued since. */
  readonly #queued = new Map<Topic, string[]>()
  /** Players with a message in the queue. */
  readonly #senders = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #flushed = Promise.withResolvers<void>()

  constructor(publish: Publish) {
    this.#publish = publish
  }

  send(topic: Topic, text: string, senderId?: string): void {
    const queued = this.#queued.get(topic)
    if (queued !== undefined) {
      queued.push(text)
      if (senderId !== undefined) this.#senders.add(senderId)
      return
    }
    this.#publish(topic, text)
    this.#queued.set(topic, [])
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS)
  }

  /** Resolves once nothing sent to the topic so far is queued. */
  async whenFlushed(topic: Topic): Promise<void> {
    if ((this.#queued.get(topic)?.length ?? 0) > 0) await this.#flushed.promise
  }

  /** Flushes immediately if the queue holds a message of the player. */
  flushFor(senderId: string): void {
    if (!this.#senders.has(senderId)) return
    clearTimeout(this.#timer)
    this.#flush()
  }

  #flush(): void {
    this.#timer = undefined
    this.#senders.clear()
    for (const [topic, queued] of this.#queued) {
      if (queued.length === 0) {
        this.#queued.delete(topic)
        continue
      }
      for (const text of queued) this.#publish(topic, text)
      queued.length = 0
    }
    this.#resolveFlushed()
    if (this.#queued.size > 0) this.#timer = setTimeout(() => this.#flush(), FLUSH_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#queued.clear()
    this.#resolveFlushed()
  }

  #resolveFlushed(): void {
    this.#flushed.resolve()
    this.#flushed = Promise.withResolvers()
  }
}

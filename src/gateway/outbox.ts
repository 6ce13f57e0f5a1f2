import type { Topic } from '../core/events.ts'

/** Sends one text to all sockets that are subscribed to a topic. */
export type Publish = (topic: Topic, text: string) => void

const FLUSH_MS = 8

/**
 * Broadcasts of a number: the first goes out at once, those that follow within 8 ms go out together. A delivery costs a
 * system call for each reader, so a busy channel makes fewer of them; a quiet one never waits.
 */
export class Outbox {
  readonly #publish: Publish
  /** Topics that were flushed within the last 8 ms, with what came since. */
  readonly #held = new Map<Topic, string[]>()
  /** Players whose words are among what is held. */
  readonly #speakers = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #flushed = Promise.withResolvers<void>()

  constructor(publish: Publish) {
    this.#publish = publish
  }

  send(topic: Topic, text: string, speakerId?: string): void {
    const held = this.#held.get(topic)
    if (held !== undefined) {
      held.push(text)
      if (speakerId !== undefined) this.#speakers.add(speakerId)
      return
    }
    this.#publish(topic, text)
    this.#held.set(topic, [])
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS)
  }

  /** Resolves when nothing that was sent to the topic before is held back. */
  async settled(topic: Topic): Promise<void> {
    if ((this.#held.get(topic)?.length ?? 0) > 0) await this.#flushed.promise
  }

  /** Sends what is held back of a player's words, now. */
  flushFor(speakerId: string): void {
    if (!this.#speakers.has(speakerId)) return
    clearTimeout(this.#timer)
    this.#flush()
  }

  #flush(): void {
    this.#timer = undefined
    this.#speakers.clear()
    for (const [topic, held] of this.#held) {
      if (held.length === 0) {
        this.#held.delete(topic)
        continue
      }
      for (const text of held) this.#publish(topic, text)
      held.length = 0
    }
    this.#release()
    if (this.#held.size > 0) this.#timer = setTimeout(() => this.#flush(), FLUSH_MS)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#held.clear()
    this.#release()
  }

  #release(): void {
    this.#flushed.resolve()
    this.#flushed = Promise.withResolvers()
  }
}

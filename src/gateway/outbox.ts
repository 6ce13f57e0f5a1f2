import type { Topic } from '../core/events.ts'
import type { Clock } from '../core/ports/clock.ts'

/** Sends a text to every socket subscribed to the topic. */
export type Publish = (topic: Topic, text: string) => void

export interface OutboxDependencies {
  readonly publish: Publish
  /** Sockets subscribed to the topic. */
  readonly countRecipients: (topic: Topic) => number
  readonly loop: { readonly lagMs: number }
  readonly clock: Clock
}

const MIN_WINDOW_MS = 8
const MAX_WINDOW_MS = 250
/** The window widens by this factor of the lag that exceeds `TOLERATED_LAG_MS`. */
const WIDENING = 5
const TOLERATED_LAG_MS = 10
/** Recipients in one turn of the event loop, so that sending to all of them never holds it. Each costs about 8 µs. */
const MAX_RECIPIENTS_PER_TURN = 1500
/** Replies that wait for the next broadcast of a topic. */
const MAX_REPLIES = 1000
/** From this many recipients on, the end of the turn is waited for. */
const COUNTED_RECIPIENTS = 250

/** A recipient of the topic that is sent a text of its own. */
export interface Recipient {
  push(text: string): void
}

interface Queue {
  texts: string[]
  replies: { readonly recipient: Recipient; readonly text: string }[]
  /** Players with a message among the texts. */
  senders: Set<string> | undefined
  /** When the window of the last send ends. */
  dueAt: number
  /** Resolves when the texts are sent. */
  sent: PromiseWithResolvers<void> | undefined
}

/**
 * Coalesces the broadcasts of a topic: the first is sent immediately, those within the next 8 ms are sent together. A send
 * costs a system call per recipient, however many texts it has; coalescing saves most of them in a busy channel and never
 * delays a quiet one. When the event loop lags, the window widens, so that overload makes sends larger and not more frequent.
 */
export class Outbox {
  readonly #dependencies: OutboxDependencies
  /** Topics sent to within the window. */
  readonly #waiting = new Map<Topic, Queue>()
  /** Topics with texts that are due, but did not fit into this turn. */
  readonly #due = new Map<Topic, Queue>()
  #recipients = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #turnEnd: ReturnType<typeof setImmediate> | undefined

  constructor(dependencies: OutboxDependencies) {
    this.#dependencies = dependencies
  }

  get windowMs(): number {
    const excess = Math.max(0, this.#dependencies.loop.lagMs - TOLERATED_LAG_MS)
    return Math.min(MAX_WINDOW_MS, MIN_WINDOW_MS + WIDENING * excess)
  }

  send(topic: Topic, text: string, senderId?: string): void {
    const queue = this.#find(topic)
    if (queue !== undefined) add(queue, text, senderId)
    else if (this.#recipients < MAX_RECIPIENTS_PER_TURN) {
      this.#publish(topic, [text])
      this.#startWindow(topic, createQueue())
    } else {
      const late = createQueue()
      add(late, text, senderId)
      this.#due.set(topic, late)
    }
  }

  /** Sends a text to one recipient together with the next broadcast, in the same system call. */
  reply(topic: Topic, recipient: Recipient, text: string): void {
    const queue = this.#find(topic)
    if (queue === undefined || queue.replies.length >= MAX_REPLIES) recipient.push(text)
    else queue.replies.push({ recipient, text })
  }

  /** Resolves once nothing sent to the topic so far is queued. */
  async whenFlushed(topic: Topic): Promise<void> {
    const queue = this.#find(topic)
    if (queue === undefined || queue.texts.length === 0) return
    queue.sent ??= Promise.withResolvers()
    await queue.sent.promise
  }

  /** Sends all queued messages of the player, and what is queued before them, immediately. */
  flushFor(senderId: string): void {
    for (const queues of [this.#waiting, this.#due])
      for (const [topic, queue] of queues) if (queue.senders?.has(senderId)) this.#flush(topic, queue)
  }

  close(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#turnEnd)
    for (const queues of [this.#waiting, this.#due]) {
      for (const queue of queues.values()) empty(queue)
      queues.clear()
    }
  }

  #find(topic: Topic): Queue | undefined {
    return this.#waiting.get(topic) ?? (this.#due.size === 0 ? undefined : this.#due.get(topic))
  }

  /** Time that the texts waited for their turn counts as part of the next window. */
  #startWindow(topic: Topic, queue: Queue): void {
    const now = this.#dependencies.clock()
    queue.dueAt = Math.max(now + MIN_WINDOW_MS, (queue.dueAt || now) + this.windowMs)
    this.#waiting.set(topic, queue)
    this.#timer ??= setTimeout(() => this.#endWindows(), MIN_WINDOW_MS)
  }

  #endWindows(): void {
    this.#timer = undefined
    const now = this.#dependencies.clock()
    for (const [topic, queue] of this.#waiting) {
      if (queue.dueAt > now) continue
      this.#waiting.delete(topic)
      if (queue.texts.length > 0 || queue.replies.length > 0) this.#due.set(topic, queue)
    }
    this.#sendDue()
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#endWindows(), MIN_WINDOW_MS)
  }

  #sendDue(): void {
    for (const [topic, queue] of this.#due) {
      if (this.#recipients >= MAX_RECIPIENTS_PER_TURN) return
      this.#due.delete(topic)
      this.#flush(topic, queue)
      this.#startWindow(topic, queue)
    }
  }

  #flush(topic: Topic, queue: Queue): void {
    const { texts, replies } = queue
    empty(queue)
    this.#publish(topic, texts)
    for (const { recipient, text } of replies) recipient.push(text)
  }

  /** Whatever is published in a turn reaches each recipient in one system call at its end. */
  #publish(topic: Topic, texts: readonly string[]): void {
    this.#recipients += this.#dependencies.countRecipients(topic)
    for (const text of texts) this.#dependencies.publish(topic, text)
    if (this.#recipients < COUNTED_RECIPIENTS) return
    this.#turnEnd ??= setImmediate(() => {
      this.#turnEnd = undefined
      this.#recipients = 0
      this.#sendDue()
    })
  }
}

const createQueue = (): Queue => ({ texts: [], replies: [], senders: undefined, dueAt: 0, sent: undefined })

function add(queue: Queue, text: string, senderId: string | undefined): void {
  queue.texts.push(text)
  if (senderId === undefined) return
  queue.senders ??= new Set()
  queue.senders.add(senderId)
}

function empty(queue: Queue): void {
  queue.texts = []
  queue.replies = []
  queue.senders = undefined
  queue.sent?.resolve()
  queue.sent = undefined
}

import type { Topic } from '../core/events.ts'
import type { Bus } from '../core/ports/bus.ts'

interface Subscription {
  /** Number of `acquire` calls not yet released. */
  holders: number
  /** Whether the bus has confirmed the subscription. */
  isActive: boolean
  /** Steps queued or in progress. */
  pending: number
  /** Resolves after the last queued step; the steps of a topic run one at a time. */
  work: Promise<void>
}

/** Reference-counted bus subscriptions of this node: a topic is subscribed to while it has holders. */
export class Subscriptions {
  readonly #bus: Pick<Bus, 'subscribe' | 'unsubscribe'>
  readonly #byTopic = new Map<Topic, Subscription>()

  constructor(bus: Pick<Bus, 'subscribe' | 'unsubscribe'>) {
    this.#bus = bus
  }

  /** Topics with holders or pending steps. */
  get size(): number {
    return this.#byTopic.size
  }

  /** After it resolves, every event published later is received. If it rejects, the topic is not held. */
  async acquire(topic: Topic): Promise<void> {
    const subscription = this.#byTopic.get(topic) ?? this.#open(topic)
    subscription.holders++
    if (subscription.isActive && subscription.pending === 0) return
    try {
      await this.#adjust(topic, subscription)
    } catch (thrown) {
      subscription.holders--
      this.#removeUnused(topic, subscription)
      throw thrown
    }
  }

  /** Must be called once for each `acquire` that resolved. */
  async release(topic: Topic): Promise<void> {
    const subscription = this.#byTopic.get(topic)
    if (subscription === undefined) return
    subscription.holders--
    if (subscription.holders === 0) await this.#adjust(topic, subscription)
  }

  #open(topic: Topic): Subscription {
    const subscription = { holders: 0, isActive: false, pending: 0, work: Promise.resolve() }
    this.#byTopic.set(topic, subscription)
    return subscription
  }

  #adjust(topic: Topic, subscription: Subscription): Promise<void> {
    subscription.pending++
    const step = subscription.work
      .then(() => this.#step(topic, subscription))
      .finally(() => {
        subscription.pending--
        this.#removeUnused(topic, subscription)
      })
    subscription.work = step.catch(() => undefined)
    return step
  }

  /** Brings the bus in line with the current number of holders. After a failure the next step retries. */
  async #step(topic: Topic, subscription: Subscription): Promise<void> {
    const isWanted = subscription.holders > 0
    if (isWanted === subscription.isActive) return
    subscription.isActive = false
    if (!isWanted) return this.#bus.unsubscribe(topic)
    await this.#bus.subscribe(topic)
    subscription.isActive = true
  }

  #removeUnused(topic: Topic, { holders, pending }: Subscription): void {
    if (holders === 0 && pending === 0) this.#byTopic.delete(topic)
  }
}

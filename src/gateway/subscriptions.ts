import type { Topic } from '../core/events.ts'
import type { Bus } from '../core/ports/bus.ts'

interface Subscription {
  holders: number
  /** Whether the bus is known to deliver the topic. */
  isActive: boolean
  /** Steps that were asked for and are not done. */
  pending: number
  /** The last of them. Those of a topic are taken one after the other. */
  work: Promise<void>
}

/** The topics that this node hears on the bus: each is subscribed to while someone here holds it. */
export class Subscriptions {
  readonly #bus: Pick<Bus, 'subscribe' | 'unsubscribe'>
  readonly #byTopic = new Map<Topic, Subscription>()

  constructor(bus: Pick<Bus, 'subscribe' | 'unsubscribe'>) {
    this.#bus = bus
  }

  /** Topics that are held, or about to be given up. */
  get size(): number {
    return this.#byTopic.size
  }

  /** When it resolves, every event published later is heard. When it rejects, the topic is not held. */
  async hold(topic: Topic): Promise<void> {
    const subscription = this.#byTopic.get(topic) ?? this.#open(topic)
    subscription.holders++
    if (subscription.isActive && subscription.pending === 0) return
    try {
      await this.#adjust(topic, subscription)
    } catch (thrown) {
      subscription.holders--
      this.#forgetUnused(topic, subscription)
      throw thrown
    }
  }

  /** To be called once for each `hold` that resolved. */
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
        this.#forgetUnused(topic, subscription)
      })
    subscription.work = step.catch(() => undefined)
    return step
  }

  /** Brings the bus to what is wanted by now, which may be nothing new. After a failure it is tried again. */
  async #step(topic: Topic, subscription: Subscription): Promise<void> {
    const isWanted = subscription.holders > 0
    if (isWanted === subscription.isActive) return
    subscription.isActive = false
    if (!isWanted) return this.#bus.unsubscribe(topic)
    await this.#bus.subscribe(topic)
    subscription.isActive = true
  }

  #forgetUnused(topic: Topic, { holders, pending }: Subscription): void {
    if (holders === 0 && pending === 0) this.#byTopic.delete(topic)
  }
}

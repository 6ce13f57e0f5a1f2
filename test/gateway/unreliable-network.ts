import { MemoryNetwork } from '../../src/adapters/memory/bus.ts'
import type { Change, ChatEvent, Topic } from '../../src/core/events.ts'
import type { ChatMessage, SequencedMessage, Shard } from '../../src/core/model.ts'
import type { Bus, BusListener, ChannelHistory } from '../../src/core/ports/bus.ts'
import { systemClock } from '../../src/core/ports/clock.ts'

interface Random {
  below(bound: number): number
}

const MAX_DELAY_TURNS = 12

/**
 * An in-memory network that delays every step by a random number of event-loop turns. It guarantees what `Bus` guarantees and
 * no more: announcements of different nodes overtake each other, nodes receive a message at different times, a subscription
 * takes effect at some point before it is confirmed.
 */
export class UnreliableNetwork {
  readonly #network = new MemoryNetwork(systemClock)
  readonly #buses: UnreliableBus[] = []
  readonly #random: Random
  /** Decides which announcements do not reach which nodes. */
  isLost: (to: Bus, changes: readonly Change[]) => boolean = () => false
  /** Deliveries in flight. */
  pending = 0

  constructor(random: Random) {
    this.#random = random
  }

  join(): Bus {
    const bus = new UnreliableBus(this, this.#network.join())
    this.#buses.push(bus)
    return bus
  }

  get buses(): readonly UnreliableBus[] {
    return this.#buses
  }

  async delay(): Promise<void> {
    for (let turns = this.#random.below(MAX_DELAY_TURNS); turns > 0; turns--) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Resolves when nothing is in flight. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 2 * MAX_DELAY_TURNS; turns++) {
      if (this.pending > 0) turns = 0
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}

/** Runs the tasks of each key one at a time. */
class KeyedQueues<Key> {
  readonly #last = new Map<Key, Promise<void>>()

  run(key: Key, task: () => Promise<void>): Promise<void> {
    const next = (this.#last.get(key) ?? Promise.resolve()).then(task)
    const settled = next.catch(() => undefined)
    this.#last.set(key, settled)
    return next
  }
}

class UnreliableBus implements Bus {
  readonly #network: UnreliableNetwork
  readonly #inner: Bus
  /** Announcements between two nodes stay in order, and so do the events of a topic. */
  readonly #announcements = new KeyedQueues<UnreliableBus>()
  readonly #events = new KeyedQueues<Topic>()
  readonly #published = new KeyedQueues<Topic>()
  #listener: BusListener | undefined

  constructor(network: UnreliableNetwork, inner: Bus) {
    this.#network = network
    this.#inner = inner
  }

  async open(listener: BusListener): Promise<void> {
    this.#listener = listener
    const deliver = (topic: Topic, event: ChatEvent) => {
      this.#network.pending++
      const delayed = this.#network.delay()
      this.#events
        .run(topic, async () => {
          await delayed
          listener.deliver(topic, event)
        })
        .finally(() => this.#network.pending--)
    }
    await this.#inner.open({ ...listener, deliver })
  }

  async announce(changes: readonly Change[]): Promise<void> {
    await Promise.all(
      this.#network.buses.map((to) => {
        if (this.#network.isLost(to, changes)) return undefined
        // They arrive in order but are applied concurrently, so that one that waits for another does not block it.
        const applied = Promise.withResolvers<void>()
        const delayed = this.#network.delay()
        this.#announcements.run(to, async () => {
          await delayed
          applied.resolve(to.#listener?.applyChanges(changes))
        })
        return applied.promise.then(() => this.#network.delay())
      }),
    )
  }

  publish(topic: Topic, event: ChatEvent): Promise<void> {
    const delayed = this.#network.delay()
    return this.#published.run(topic, async () => {
      await delayed
      await this.#inner.publish(topic, event)
    })
  }

  async append(message: ChatMessage): Promise<SequencedMessage> {
    await this.#network.delay()
    const appended = await this.#inner.append(message)
    await this.#network.delay()
    return appended
  }

  async retract(message: ChatMessage): Promise<void> {
    await this.#network.delay()
    await this.#inner.retract(message)
  }

  async history(shard: Shard): Promise<ChannelHistory> {
    await this.#network.delay()
    const history = await this.#inner.history(shard)
    await this.#network.delay()
    return history
  }

  lastChatTimes(shards: readonly Shard[]) {
    return this.#inner.lastChatTimes(shards)
  }

  async subscribe(topic: Topic): Promise<void> {
    await this.#network.delay()
    await this.#inner.subscribe(topic)
    await this.#network.delay()
  }

  async unsubscribe(topic: Topic): Promise<void> {
    await this.#network.delay()
    await this.#inner.unsubscribe(topic)
    await this.#network.delay()
  }

  check(): Promise<void> {
    return this.#inner.check()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }
}

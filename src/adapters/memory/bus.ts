import type { Bus, BusListener } from '../../core/bus.ts'
import type { Change, ChatEvent, Topic } from '../../core/events.ts'

/** Joins the nodes of one process. A server that runs alone is a network of one node. */
export class MemoryNetwork {
  readonly #nodes = new Set<MemoryBus>()

  join(): Bus {
    return new MemoryBus(this.#nodes)
  }
}

class MemoryBus implements Bus {
  readonly #nodes: Set<MemoryBus>
  readonly #topics = new Set<Topic>()
  #listener: BusListener | undefined

  constructor(nodes: Set<MemoryBus>) {
    this.#nodes = nodes
  }

  async open(listener: BusListener): Promise<void> {
    this.#listener = listener
    this.#nodes.add(this)
  }

  async announce(changes: readonly Change[]): Promise<void> {
    const applied: (Promise<void> | undefined)[] = []
    for (const node of this.#nodes) applied.push(node.#listener?.applyChanges(changes))
    await Promise.all(applied)
  }

  async publish(topic: Topic, event: ChatEvent): Promise<void> {
    for (const node of this.#nodes) {
      if (node.#topics.has(topic)) node.#listener?.deliver(topic, event)
    }
  }

  async subscribe(topic: Topic): Promise<void> {
    this.#topics.add(topic)
  }

  async unsubscribe(topic: Topic): Promise<void> {
    this.#topics.delete(topic)
  }

  async check(): Promise<void> {
    if (!this.#nodes.has(this)) throw new Error('The bus is closed.')
  }

  async close(): Promise<void> {
    this.#nodes.delete(this)
  }
}

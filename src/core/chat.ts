import type { Bus } from './bus.ts'
import type { Channels } from './channels.ts'
import type { Clock } from './clock.ts'
import { ChatError } from './errors.ts'
import { shardTopic } from './events.ts'
import type { ChannelKey } from './model.ts'
import type { Once, Store } from './store.ts'

export interface Announcement {
  readonly channel: ChannelKey
  /** One number of the channel; every number when absent. */
  readonly number: number | undefined
  readonly text: string
}

export class Chat {
  readonly #store: Store
  readonly #bus: Bus
  readonly #channels: Channels
  readonly #clock: Clock

  constructor(parts: { store: Store; bus: Bus; channels: Channels; clock: Clock }) {
    this.#store = parts.store
    this.#bus = parts.bus
    this.#channels = parts.channels
    this.#clock = parts.clock
  }

  /** Tells the members of a channel something in the system's name. Not filtered. */
  async announce({ channel, number, text }: Announcement, once?: Once): Promise<void> {
    const numbers = await this.#numbers(channel, number)
    const found = numbers.length > 0 ? 'announced' : 'unknown'
    const { outcome, repeated } =
      once === undefined ? { outcome: found, repeated: false } : await this.#store.remember(found, once)
    if (outcome === 'unknown') throw new ChatError('channel-unknown')
    if (repeated) return
    const at = this.#clock()
    const shards = numbers.map((each) => ({ ...channel, number: each }))
    await Promise.all(
      shards.map((shard) =>
        this.#bus.publish(shardTopic(shard), { kind: 'system-message', shard, text, at }),
      ),
    )
  }

  async #numbers(channel: ChannelKey, wished: number | undefined): Promise<number[]> {
    if (this.#channels.find(channel) === undefined) return []
    const open = await this.#channels.numbers(channel)
    return wished === undefined ? open : open.filter((number) => number === wished)
  }
}

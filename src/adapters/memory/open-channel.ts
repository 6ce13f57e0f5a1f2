import type { ChannelIdentity, Player, Shard, Timestamp } from '../../core/model.ts'
import { SortedList } from '../../core/state/sorted-list.ts'

export interface Seat {
  readonly player: Player
  readonly sessionId: string
  readonly shard: OpenShard
  /** Increases with every seat of the channel number. */
  readonly order: number
}

export interface OpenShard extends Shard {
  readonly channel: OpenChannel
  readonly seats: SortedList<Pick<Seat, 'order'>, Seat>
  nextOrder: number
  emptySince: Timestamp
}

type Numbered = { readonly number: number }
const byNumber = (a: Numbered, b: Numbered) => a.number - b.number

/** The open numbers of one channel, and which of them have room. No operation depends on how many there are. */
export class OpenChannel {
  readonly identity: ChannelIdentity
  readonly #shards = new SortedList<Numbered, OpenShard>(byNumber)
  readonly #withRoom = new SortedList<Numbered, OpenShard>(byNumber)
  /** Closed numbers below the highest one that was opened. */
  readonly #closed = new SortedList<Numbered, Numbered>(byNumber)
  #highest = 0
  #maxMembers = 0

  constructor(identity: ChannelIdentity) {
    this.identity = identity
  }

  get isEmpty(): boolean {
    return this.#shards.size === 0
  }

  /** Recomputes which numbers have room only when the limit has changed. */
  limit(maxMembers: number): void {
    if (maxMembers === this.#maxMembers) return
    this.#maxMembers = maxMembers
    const shards = Array.from(this.#shards.ascendingFrom())
    this.#withRoom.load(shards.filter((shard) => this.hasRoom(shard)))
  }

  find(number: number): OpenShard | undefined {
    return this.#shards.get({ number })
  }

  shardsFrom(number: number): Iterable<OpenShard> {
    return this.#shards.ascendingFrom({ number })
  }

  /** The lowest number with a free seat. */
  firstWithRoom(): OpenShard | undefined {
    return this.#withRoom.first()
  }

  hasRoom({ seats }: OpenShard): boolean {
    return seats.size < this.#maxMembers
  }

  /** Closed numbers are reused, the lowest first. */
  get nextNumber(): number {
    return this.#closed.first()?.number ?? this.#highest + 1
  }

  open(number: number, now: Timestamp): OpenShard {
    for (let skipped = this.#highest + 1; skipped < number; skipped++) this.#closed.set({ number: skipped })
    this.#highest = Math.max(this.#highest, number)
    this.#closed.delete({ number })
    const { group, name, incarnation } = this.identity
    const seats = new SortedList<Pick<Seat, 'order'>, Seat>((a, b) => a.order - b.order)
    const shard = { group, name, incarnation, number, channel: this, seats, nextOrder: 1, emptySince: now }
    this.#shards.set(shard)
    if (this.hasRoom(shard)) this.#withRoom.set(shard)
    return shard
  }

  close(shard: OpenShard): void {
    this.#shards.delete(shard)
    this.#withRoom.delete(shard)
    this.#closed.set({ number: shard.number })
  }

  seat(shard: OpenShard, holder: Pick<Seat, 'player' | 'sessionId'>): Seat {
    const seat = { ...holder, shard, order: shard.nextOrder++ }
    shard.seats.set(seat)
    if (!this.hasRoom(shard)) this.#withRoom.delete(shard)
    return seat
  }

  free({ shard, order }: Seat): void {
    shard.seats.delete({ order })
    if (this.hasRoom(shard) && this.#shards.get(shard) === shard) this.#withRoom.set(shard)
  }
}

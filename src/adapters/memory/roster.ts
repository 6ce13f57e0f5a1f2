import type { ChannelIdentity, Shard, ShardRoster, Timestamp } from '../../core/model.ts'
import type { Clock } from '../../core/ports/clock.ts'
import {
  LEASE_MS,
  type MemberList,
  type MemberPage,
  RETIREMENT_MS,
  type Roster,
  type SeatHolder,
  type SeatOutcome,
  type SeatRequest,
  type ShardPage,
} from '../../core/ports/roster.ts'
import { TimeSlice } from '../../core/time-slice.ts'
import { OpenChannel, type OpenShard, type Seat } from './open-channel.ts'

interface Node {
  readonly seats: Set<Seat>
  leaseEndsAt: Timestamp
}

/** The seats of all nodes of one process. A server that runs alone is its only node. */
export class MemorySeats {
  /** Monotonic: a step of the system clock must not end a lease. */
  readonly #clock: Clock
  readonly #channels = new Map<string, OpenChannel>()
  /** By group, then by player. */
  readonly #groups = new Map<string, Map<string, Seat>>()
  readonly #nodes = new Set<Node>()
  readonly #nodeOf = new Map<Seat, Node>()
  /** In the order in which they became empty. */
  readonly #empty = new Set<OpenShard>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Entries in memory. */
  get size() {
    return { channels: this.#channels.size, groups: this.#groups.size }
  }

  join(): Roster {
    const node = { seats: new Set<Seat>(), leaseEndsAt: this.#clock() + LEASE_MS }
    this.#nodes.add(node)
    return new MemoryRoster(this, node)
  }

  renew(node: Node): void {
    node.leaseEndsAt = this.#clock() + LEASE_MS
    this.#nodes.add(node)
  }

  leave(node: Node): void {
    for (const seat of node.seats) this.free(seat)
    this.#nodes.delete(node)
  }

  findChannel(channel: ChannelIdentity, node: Node): OpenChannel | undefined {
    this.#evict(node)
    return this.#channels.get(channelKey(channel))
  }

  findSeat(group: string, playerId: string): Seat | undefined {
    return this.#groups.get(group)?.get(playerId)
  }

  take(request: SeatRequest, node: Node): SeatOutcome {
    this.#evict(node)
    const { channel, player, sessionId, number } = request
    const former = this.findSeat(channel.group, player.id)
    if (former?.sessionId === sessionId) return { outcome: 'already-seated' }
    const open = this.#channels.get(channelKey(channel)) ?? new OpenChannel(identityOf(channel))
    open.limit(channel.maxMembers)
    const shard = this.#chooseShard(open, request, former)
    if (shard === undefined) {
      const isOpen = number === undefined || number === 1 || open.find(number) !== undefined
      return { outcome: isOpen ? 'full' : 'unknown-number' }
    }
    if (former !== undefined) this.free(former)
    this.#add(open.seat(shard, { player, sessionId }), node)
    return { outcome: 'seated', shard: shardOf(shard) }
  }

  free(seat: Seat): void {
    const { shard, player } = seat
    shard.channel.free(seat)
    if (shard.seats.size === 0) this.#markEmpty(shard)
    this.#nodeOf.get(seat)?.seats.delete(seat)
    this.#nodeOf.delete(seat)
    removeFrom(this.#groups, shard.group, player.id)
  }

  /** In slices: a channel may have a hundred thousand members. */
  async remove(channel: ChannelIdentity): Promise<void> {
    const open = this.#channels.get(channelKey(channel))
    this.#channels.delete(channelKey(channel))
    const slice = new TimeSlice()
    for (const shard of Array.from(open?.shardsFrom(1) ?? [])) {
      for (const seat of Array.from(shard.seats.ascendingFrom())) {
        if (shard.seats.get(seat) === seat) this.free(seat)
        if (slice.isOver) await slice.renew()
      }
      this.#close(shard)
    }
  }

  /** A seat that the player is about to give up counts as free. */
  #chooseShard(
    open: OpenChannel,
    { channel, number, reopen = false }: SeatRequest,
    former: Seat | undefined,
  ): OpenShard | undefined {
    const isOwn = former?.shard.channel === open && former.shard.seats.size <= channel.maxMembers
    const own = isOwn ? former.shard : undefined
    if (number !== undefined) {
      const isOpened = number === 1 || reopen
      const requested = open.find(number) ?? (isOpened ? this.#open(open, number) : undefined)
      return requested !== undefined && (requested === own || open.hasRoom(requested)) ? requested : undefined
    }
    if (open.find(1) === undefined) this.#open(open, 1)
    const lowest = lowerOf(open.firstWithRoom(), own)
    return lowest ?? (channel.isAutoscaling ? this.#open(open, open.nextNumber) : undefined)
  }

  #open(channel: OpenChannel, number: number): OpenShard {
    if (channel.isEmpty) this.#channels.set(channelKey(channel.identity), channel)
    const shard = channel.open(number, this.#clock())
    this.#markEmpty(shard)
    return shard
  }

  #close(shard: OpenShard): void {
    const { channel } = shard
    this.#empty.delete(shard)
    channel.close(shard)
    const key = channelKey(channel.identity)
    if (channel.isEmpty && this.#channels.get(key) === channel) this.#channels.delete(key)
  }

  #add(seat: Seat, node: Node): void {
    const { shard, player } = seat
    this.#empty.delete(shard)
    node.seats.add(seat)
    this.#nodeOf.set(seat, node)
    addTo(this.#groups, shard.group, player.id, seat)
  }

  #markEmpty(shard: OpenShard): void {
    shard.emptySince = this.#clock()
    this.#empty.delete(shard)
    this.#empty.add(shard)
  }

  /** Frees the seats of other nodes whose lease has expired and closes the numbers that stayed empty. */
  #evict(caller: Node): void {
    this.renew(caller)
    const now = this.#clock()
    for (const node of this.#nodes) if (node.leaseEndsAt <= now) this.leave(node)
    for (const shard of this.#empty) {
      if (shard.emptySince + RETIREMENT_MS > now) return
      this.#close(shard)
    }
  }
}

/** One node's view of the seats. */
class MemoryRoster implements Roster {
  readonly #seats: MemorySeats
  readonly #node: Node

  constructor(seats: MemorySeats, node: Node) {
    this.#seats = seats
    this.#node = node
  }

  async takeSeat(request: SeatRequest): Promise<SeatOutcome> {
    return this.#seats.take(request, this.#node)
  }

  async leaveSeat(shard: Shard, { player, sessionId }: SeatHolder): Promise<boolean> {
    const seat = this.#seats.findSeat(shard.group, player.id)
    if (seat?.sessionId !== sessionId) return seat === undefined || !isSameShard(seat.shard, shard)
    this.#seats.free(seat)
    return true
  }

  async renewLease(): Promise<void> {
    this.#seats.renew(this.#node)
  }

  async listNumbers(channel: ChannelIdentity): Promise<number[]> {
    return Array.from(
      this.#seats.findChannel(channel, this.#node)?.shardsFrom(1) ?? [],
      ({ number }) => number,
    )
  }

  async listShards(channels: readonly ChannelIdentity[], { from, limit }: ShardPage): Promise<ShardRoster[]> {
    const found: ShardRoster[] = []
    for (const [index, channel] of channels.entries()) {
      for (const shard of this.#seats.findChannel(channel, this.#node)?.shardsFrom(index === 0 ? from : 1) ??
        []) {
        if (found.length === limit) return found
        const members = Array.from(shard.seats.ascendingFrom(), ({ player }) => player)
        found.push({ ...shardOf(shard), members })
      }
    }
    return found
  }

  async listMembers(shard: Shard, { after = 0, limit }: MemberPage): Promise<MemberList> {
    const seats = this.#seats.findChannel(shard, this.#node)?.find(shard.number)?.seats
    const page = seats?.page({ order: after + 1 }, limit + 1) ?? []
    const shown = page.slice(0, limit)
    return {
      members: shown.map(({ player }) => player),
      count: seats?.size ?? 0,
      next: page.length > limit ? shown.at(-1)?.order : undefined,
    }
  }

  async removeChannel(channel: ChannelIdentity): Promise<void> {
    await this.#seats.remove(channel)
  }

  async close(): Promise<void> {
    this.#seats.leave(this.#node)
  }
}

const channelKey = ({ group, name, incarnation }: ChannelIdentity) => `${group}\0${name}\0${incarnation}`
const identityOf = ({ group, name, incarnation }: ChannelIdentity) => ({ group, name, incarnation })
const shardOf = ({ group, name, incarnation, number }: Shard): Shard => ({ group, name, incarnation, number })

const isSameShard = (one: Shard, other: Shard) =>
  one.number === other.number && channelKey(one) === channelKey(other)

const lowerOf = (one: OpenShard | undefined, other: OpenShard | undefined) =>
  one === undefined || (other !== undefined && other.number < one.number) ? other : one

function addTo<V>(maps: Map<string, Map<string, V>>, key: string, inner: string, value: V): void {
  const map = maps.get(key)
  if (map === undefined) maps.set(key, new Map([[inner, value]]))
  else map.set(inner, value)
}

function removeFrom<V>(maps: Map<string, Map<string, V>>, key: string, inner: string): void {
  const map = maps.get(key)
  map?.delete(inner)
  if (map?.size === 0) maps.delete(key)
}

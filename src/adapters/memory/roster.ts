import type { Channel, ChannelIdentity, Player, Shard, ShardRoster, Timestamp } from '../../core/model.ts'
import type { Clock } from '../../core/ports/clock.ts'
import {
  RETIREMENT_MS,
  type Roster,
  SEAT_TTL_MS,
  type SeatOutcome,
  type SeatRequest,
} from '../../core/ports/roster.ts'

interface Seat {
  readonly player: Player
  readonly sessionId: string
  readonly shard: OpenShard
  keptAt: Timestamp
}

interface OpenShard extends Shard {
  readonly seats: Set<Seat>
  emptySince: Timestamp
  lastChatAt: Timestamp | undefined
}

interface Group {
  /** By `channelKey`, then by number, which may have gaps. */
  readonly shards: Map<string, OpenShard[]>
  readonly seats: Map<string, Seat>
  sweptAt: Timestamp
}

/** Seats are looked through at most this often, so that ten thousand joins don't look through each other. */
const SWEEP_MS = 1000

/** Seats of the players of one process. */
export class MemoryRoster implements Roster {
  /** Monotonic: a step of the date must not end a lease. */
  readonly #clock: Clock
  readonly #groups = new Map<string, Group>()
  /** By session, then by group. */
  readonly #sessions = new Map<string, Map<string, Seat>>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Groups and sessions in memory. */
  get size() {
    return { groups: this.#groups.size, sessions: this.#sessions.size }
  }

  async takeSeat(request: SeatRequest): Promise<SeatOutcome> {
    const { channel, player, sessionId, number } = request
    const group = this.#sweep(channel.group) ?? this.#openGroup(channel.group)
    const former = group.seats.get(player.id)
    if (former?.sessionId === sessionId) return { outcome: 'already-seated' }
    const shard = this.#findShard(group, request, former)
    if (shard === undefined) {
      const isOpen = number === undefined || number === 1 || findOpen(group, { ...channel, number })
      return { outcome: isOpen ? 'full' : 'unknown-number' }
    }
    if (former !== undefined) this.#free(former)
    this.#seat({ player, sessionId, shard, keptAt: this.#clock() })
    return { outcome: 'seated', shard: shardOf(shard) }
  }

  async leaveSeat(group: string, sessionId: string): Promise<boolean> {
    const seat = this.#sessions.get(sessionId)?.get(group)
    if (seat !== undefined) this.#free(seat)
    return seat !== undefined
  }

  async renewSeats(sessionIds: readonly string[]): Promise<void> {
    const now = this.#clock()
    for (const id of sessionIds) for (const seat of this.#sessions.get(id)?.values() ?? []) seat.keptAt = now
  }

  async recordChat(shard: Shard, at: Timestamp): Promise<void> {
    const open = findOpen(this.#groups.get(shard.group), shard)
    if (open !== undefined) open.lastChatAt = at
  }

  async listShards(group: string): Promise<ShardRoster[]> {
    // A key begins with the name, and a NUL sorts before whatever else a longer name goes on with.
    const byName = [...(this.#sweep(group)?.shards ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    return byName.flatMap(([, shards]) => shards.map(standing))
  }

  async findShard(shard: Shard): Promise<ShardRoster | undefined> {
    const found = findOpen(this.#sweep(shard.group), shard)
    return found && standing(found)
  }

  async removeChannel(channel: ChannelIdentity): Promise<ShardRoster[]> {
    const group = this.#sweep(channel.group)
    const shards = group?.shards.get(channelKey(channel)) ?? []
    const removed = shards.map(standing)
    for (const { seats } of shards) for (const seat of seats) this.#free(seat)
    group?.shards.delete(channelKey(channel))
    if (group?.shards.size === 0) this.#groups.delete(channel.group)
    return removed
  }

  async close(): Promise<void> {
    this.#groups.clear()
    this.#sessions.clear()
  }

  #openGroup(name: string): Group {
    const group = {
      shards: new Map<string, OpenShard[]>(),
      seats: new Map<string, Seat>(),
      sweptAt: this.#clock(),
    }
    this.#groups.set(name, group)
    return group
  }

  /** Frees the seats that nobody kept and retires the numbers that stood empty. */
  #sweep(name: string): Group | undefined {
    const group = this.#groups.get(name)
    const now = this.#clock()
    if (group === undefined || now - group.sweptAt < SWEEP_MS) return group
    group.sweptAt = now
    for (const seat of group.seats.values()) if (seat.keptAt + SEAT_TTL_MS <= now) this.#free(seat)
    for (const [channel, shards] of group.shards) {
      const standing = shards.filter((shard) => !isRetired(shard, now))
      if (standing.length === 0) group.shards.delete(channel)
      else if (standing.length < shards.length) group.shards.set(channel, standing)
    }
    if (group.shards.size > 0) return group
    this.#groups.delete(name)
    return undefined
  }

  /** A seat that the player would give up counts as free. */
  #findShard(
    group: Group,
    { channel, number, reopen = false }: SeatRequest,
    former: Seat | undefined,
  ): OpenShard | undefined {
    const shards = group.shards.get(channelKey(channel)) ?? []
    const hasRoom = ({ seats }: OpenShard) =>
      seats.size - (former !== undefined && seats.has(former) ? 1 : 0) < channel.maxMembers
    if (number !== undefined && number !== 1) {
      const open = shards.find((shard) => shard.number === number)
      const wished = open ?? (reopen ? this.#openShard(group, channel, number) : undefined)
      return wished !== undefined && hasRoom(wished) ? wished : undefined
    }
    const first = shards[0]?.number === 1 ? shards[0] : this.#openShard(group, channel, 1)
    if (hasRoom(first)) return first
    if (number === 1) return undefined
    const free = shards.find(hasRoom)
    if (free !== undefined || !channel.isAutoscaling) return free
    return this.#openShard(group, channel, lowestUnused(shards))
  }

  #openShard(group: Group, channel: Channel, number: number): OpenShard {
    const shard = {
      ...shardOf({ ...channel, number }),
      seats: new Set<Seat>(),
      emptySince: this.#clock(),
      lastChatAt: undefined,
    }
    const shards = group.shards.get(channelKey(channel)) ?? []
    group.shards.set(
      channelKey(channel),
      [...shards, shard].sort((a, b) => a.number - b.number),
    )
    return shard
  }

  #seat(seat: Seat): void {
    seat.shard.seats.add(seat)
    this.#groups.get(seat.shard.group)?.seats.set(seat.player.id, seat)
    const ofSession = this.#sessions.get(seat.sessionId)
    if (ofSession === undefined) this.#sessions.set(seat.sessionId, new Map([[seat.shard.group, seat]]))
    else ofSession.set(seat.shard.group, seat)
  }

  #free(seat: Seat): void {
    const { shard, player, sessionId } = seat
    shard.seats.delete(seat)
    if (shard.seats.size === 0) shard.emptySince = this.#clock()
    this.#groups.get(shard.group)?.seats.delete(player.id)
    const ofSession = this.#sessions.get(sessionId)
    ofSession?.delete(shard.group)
    if (ofSession?.size === 0) this.#sessions.delete(sessionId)
  }
}

const channelKey = ({ name, incarnation }: ChannelIdentity) => `${name}\0${incarnation}`

const findOpen = (group: Group | undefined, shard: Shard) =>
  group?.shards.get(channelKey(shard))?.find(({ number }) => number === shard.number)

const shardOf = ({ group, name, incarnation, number }: Shard): Shard => ({ group, name, incarnation, number })

function standing(shard: OpenShard): ShardRoster {
  const members = Array.from(shard.seats, ({ player }) => player)
  return { ...shardOf(shard), members, lastChatAt: shard.lastChatAt }
}

const isRetired = ({ number, seats, emptySince, lastChatAt }: OpenShard, now: Timestamp) =>
  seats.size === 0 && emptySince + RETIREMENT_MS <= now && (number > 1 || lastChatAt === undefined)

/** Retired numbers are given out again. */
function lowestUnused(shards: readonly OpenShard[]): number {
  const gap = shards.findIndex((shard, index) => shard.number !== index + 1)
  return (gap === -1 ? shards.length : gap) + 1
}

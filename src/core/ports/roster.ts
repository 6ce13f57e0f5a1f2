import type { Channel, ChannelIdentity, Player, Shard, ShardRoster, Timestamp } from '../model.ts'

/**
 * The members of all channel numbers, across nodes. Each method is atomic across nodes. A seat is a lease that expires
 * unless it is renewed within `SEAT_TTL_MS`, so that a failed node leaves no ghosts. A player has at most one seat per
 * group.
 */
export interface Roster {
  /**
   * Takes a seat in the requested number; without one, in the lowest number with a free seat, or in a new number if the
   * channel autoscales. Returns `full` if there is no free seat, and `unknown-number` if the requested number is not open
   * and the request does not reopen it. Releases a seat that another session of the player holds in the group, in the
   * same atomic step. If this session holds one, returns `already-seated`.
   */
  takeSeat(request: SeatRequest): Promise<SeatOutcome>
  /** Returns whether the session had a seat in the group; a newer session of the player may have taken it over. */
  leaveSeat(group: string, sessionId: string): Promise<boolean>
  /** Renews the leases of these sessions. */
  renewSeats(sessionIds: readonly string[]): Promise<void>
  /** Records the time of a player's message. */
  recordChat(shard: Shard, at: Timestamp): Promise<void>
  /**
   * Open numbers, sorted by name and number. Includes those of deleted channels until `removeChannel`. A number closes
   * after `RETIREMENT_MS` without members; number 1 only if it also had no messages.
   */
  listShards(group: string): Promise<ShardRoster[]>
  /** Undefined if the number is not open. */
  findShard(shard: Shard): Promise<ShardRoster | undefined>
  /** Releases every seat of this incarnation of the channel. Returns its numbers with their members before removal. */
  removeChannel(channel: ChannelIdentity): Promise<ShardRoster[]>
  close(): Promise<void>
}

export const SEAT_TTL_MS = 30_000
export const RETIREMENT_MS = 600_000

export interface SeatRequest {
  readonly channel: Channel
  readonly player: Player
  readonly sessionId: string
  readonly number?: number
  /** Opens the requested number if it is not open. */
  readonly reopen?: boolean
}

export type SeatOutcome =
  | { readonly outcome: 'seated'; readonly shard: Shard }
  | { readonly outcome: 'full' | 'unknown-number' | 'already-seated' }

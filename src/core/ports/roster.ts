import type { Channel, ChannelIdentity, Player, Shard, ShardRoster, Timestamp } from '../model.ts'

/**
 * Who sits where, over all nodes. Each method is atomic across nodes. A seat that is not kept for
 * `SEAT_TTL_MS` is free again, so a node that dies leaves no ghosts. A player has one seat in a group.
 */
export interface Roster {
  /**
   * The wished number, else the lowest with a free seat, else the next new one where the channel autoscales.
   * `full` when there is none, `unknown-number` when the wished one is not open and the request does not open it. A seat
   * that another session of the same player holds in the group is given up in the same step; one of the same session is
   * `already-seated`.
   */
  takeSeat(request: SeatRequest): Promise<SeatOutcome>
  /** Gives back whether the session had a seat in the group: a newer one of the player may have taken it over. */
  leaveSeat(group: string, sessionId: string): Promise<boolean>
  /** Says that these sessions still live. */
  renewSeats(sessionIds: readonly string[]): Promise<void>
  /** Remembers when someone last spoke there. */
  recordChat(shard: Shard, at: Timestamp): Promise<void>
  /**
   * Numbers that are open, by name and number; those of a deleted channel too, until it is removed. A number retires when
   * nobody has sat there for `RETIREMENT_MS`, number 1 only if nobody has spoken there either.
   */
  listShards(group: string): Promise<ShardRoster[]>
  /** How one number stands, undefined when it is not open. */
  findShard(shard: Shard): Promise<ShardRoster | undefined>
  /** Frees every seat of that incarnation of the channel. Gives back the numbers as they stood. */
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
  /** Opens the wished number where it is not open. */
  readonly reopen?: boolean
}

export type SeatOutcome =
  | { readonly outcome: 'seated'; readonly shard: Shard }
  | { readonly outcome: 'full' | 'unknown-number' | 'already-seated' }

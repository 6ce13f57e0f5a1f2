import type { Channel, ChannelIdentity, Player, Shard, ShardRoster } from '../model.ts'

/**
 * Seats across all nodes. Each method is atomic across nodes. A player has one seat per group. Seats belong to the node that
 * took them and are freed when its lease expires, so a node that dies leaves no ghosts.
 */
export interface Roster {
  /**
   * Takes a seat in the requested number; without one, in the lowest number with a free seat, or in a new number if the
   * channel autoscales. `full` if there is none, `unknown-number` if the requested number is not open and the request does not
   * reopen it. Frees the seat that another session of the player holds in the group; `already-seated` if this session holds it.
   */
  takeSeat(request: SeatRequest): Promise<SeatOutcome>
  /**
   * Frees the session's seat, unless another session took it over. Returns whether the player has no seat in the channel
   * number now.
   */
  leaveSeat(shard: Shard, holder: SeatHolder): Promise<boolean>
  /** Extends the lease of this node's seats by `LEASE_MS`. */
  renewLease(): Promise<void>
  /** The open numbers of a channel, ascending. A number is closed after `RETIREMENT_MS` without members. */
  listNumbers(channel: ChannelIdentity): Promise<number[]>
  /** At most `limit` open numbers of the channels, in the given order; of the first channel only numbers from `from` on. */
  listShards(channels: readonly ChannelIdentity[], page: ShardPage): Promise<ShardRoster[]>
  /** Members of a channel number in the order in which they joined, and how many there are. */
  listMembers(shard: Shard, page: MemberPage): Promise<MemberList>
  /** Frees every seat of this incarnation of the channel. */
  removeChannel(channel: ChannelIdentity): Promise<void>
  /** Frees the seats of this node. */
  close(): Promise<void>
}

export const LEASE_MS = 30_000
export const RETIREMENT_MS = 600_000

export interface SeatHolder {
  readonly player: Player
  readonly sessionId: string
}

export interface SeatRequest extends SeatHolder {
  readonly channel: Channel
  readonly number?: number
  /** Opens the requested number if it is not open. */
  readonly reopen?: boolean
}

export type SeatOutcome =
  | { readonly outcome: 'seated'; readonly shard: Shard }
  | { readonly outcome: 'full' | 'unknown-number' | 'already-seated' }

export interface ShardPage {
  readonly from: number
  readonly limit: number
}

export interface MemberPage {
  /** The `next` of the previous page. */
  readonly after?: number | undefined
  readonly limit: number
}

export interface MemberList {
  readonly members: readonly Player[]
  /** Of the channel number, not of the page. */
  readonly count: number
  /** Where the next page starts; undefined on the last page. */
  readonly next: number | undefined
}

import type { Ban, Channel, ChannelKey, FilterList, Player, SequencedMessage, Shard } from './model.ts'

/**
 * A committed change of what every node holds in memory. Versions rise by one with each change, over all
 * kinds, so a node can tell that it missed one.
 */
export type Change = { readonly version: number } & (
  | { readonly kind: 'channel-set'; readonly channel: Channel }
  | { readonly kind: 'channel-deleted'; readonly key: ChannelKey }
  | { readonly kind: 'ban-set'; readonly ban: Ban }
  | { readonly kind: 'ban-lifted'; readonly playerId: string }
  | { readonly kind: 'filter-list-set'; readonly list: FilterList }
)

/** What happens among players. */
export type ChatEvent =
  | { readonly kind: 'message'; readonly message: SequencedMessage }
  /** What players have of it is to go. */
  | { readonly kind: 'message-deleted'; readonly shard: Shard; readonly messageId: string }
  | { readonly kind: 'player-joined' | 'player-left'; readonly shard: Shard; readonly player: Player }
  /** Said to the other sessions of the same player: the newest stays. */
  | { readonly kind: 'session-opened'; readonly playerId: string; readonly sessionId: string }

/** Names the audience of events on the bus: the members of one number, or the sessions of one player. */
export type Topic = string

/** Has the incarnation in it: whatever is still said in a deleted channel cannot reach the one that took its name. */
export const shardTopic = ({ group, name, incarnation, number }: Shard): Topic =>
  JSON.stringify([group, name, incarnation, number])
export const playerTopic = (playerId: string): Topic => JSON.stringify([playerId])

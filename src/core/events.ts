import type { Ban, Channel, ChannelKey, FilterList, Player, SequencedMessage, Shard } from './model.ts'

/**
 * A committed change to the state that every node holds in memory. The version increases by one with each change of any
 * kind, so a node can detect that it missed one.
 */
export type Change = { readonly version: number } & (
  | { readonly kind: 'channel-set'; readonly channel: Channel }
  | { readonly kind: 'channel-deleted'; readonly key: ChannelKey }
  | { readonly kind: 'ban-set'; readonly ban: Ban }
  | { readonly kind: 'ban-lifted'; readonly playerId: string }
  | { readonly kind: 'filter-list-set'; readonly list: FilterList }
)

export type ChatEvent =
  | { readonly kind: 'message'; readonly message: SequencedMessage }
  /** Clients must remove the message. */
  | { readonly kind: 'message-deleted'; readonly shard: Shard; readonly messageId: string }
  | { readonly kind: 'player-joined' | 'player-left'; readonly shard: Shard; readonly player: Player }
  /** Sent to the player's other sessions, which must close: only the newest one stays open. */
  | { readonly kind: 'session-opened'; readonly playerId: string; readonly sessionId: string }

/**
 * The audience of events on the bus: the members of a channel number, or the sessions of a player. Names and ids hold no line
 * breaks, so topics are unambiguous without the cost of escaping them, several times for each message.
 */
export type Topic = string

/** Includes the incarnation, so that late events of a deleted channel cannot reach a new channel of the same name. */
export const shardTopic = ({ group, name, incarnation, number }: Shard): Topic =>
  `${number}\n${incarnation}\n${name}\n${group}`
export const playerTopic = (playerId: string): Topic => `player\n${playerId}`

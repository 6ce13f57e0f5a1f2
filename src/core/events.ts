import type { Ban, Channel, ChannelKey, FilterList, Shard, Timestamp } from './model.ts'

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

/** What players of a number are told. */
export interface ChatEvent {
  readonly kind: 'system-message'
  readonly shard: Shard
  readonly text: string
  readonly at: Timestamp
}

/** Names the audience of events on the bus: the members of one number. */
export type Topic = string

export const shardTopic = ({ group, name, number }: Shard): Topic => JSON.stringify([group, name, number])

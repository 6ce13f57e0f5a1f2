import type { ListedShard } from '../../core/channels.ts'
import type { Channel, ChannelKey, ChannelSettings, Shard } from '../../core/model.ts'
import type { ListShape, Position } from '../paging.ts'
import { spacedTime } from '../times.ts'

export const readKey = (input: { channel_group: string; channel_name: string }): ChannelKey => ({
  group: input.channel_group,
  name: input.channel_name,
})

export const readSettings = (input: {
  max_count: number
  is_default: boolean
  is_autoscaling: boolean
}): ChannelSettings => ({
  maxMembers: input.max_count,
  isFallback: input.is_default,
  isAutoscaling: input.is_autoscaling,
})

export const readChanges = (input: {
  max_count?: number | undefined
  is_default?: boolean | undefined
  is_autoscaling?: boolean | undefined
}): Partial<ChannelSettings> => ({
  ...(input.max_count !== undefined && { maxMembers: input.max_count }),
  ...(input.is_default !== undefined && { isFallback: input.is_default }),
  ...(input.is_autoscaling !== undefined && { isAutoscaling: input.is_autoscaling }),
})

export const renderChannel = (channel: Channel) => ({
  channel_group: channel.group,
  channel_name: channel.name,
  channel_id: 1,
  max_count: channel.maxMembers,
  is_default: channel.isFallback,
  create_at: spacedTime(channel.createdAt),
})

export const renderShard = ({ group, name, number }: Shard) => ({
  channel_group: group,
  channel_name: name,
  channel_id: number,
})

const PLAYERS_PER_PIECE = 500

/** Yields an entry in pieces, because one channel number may have a hundred thousand members. */
function* renderListedShard({ channel, shard, lastChatAt }: ListedShard): Generator<string> {
  const entry = JSON.stringify({
    channel_name: channel.name,
    channel_id: shard.number,
    max_count: channel.maxMembers,
    is_default: channel.isFallback,
    is_autoscaling: channel.isAutoscaling,
    players: [],
    last_chat_time: spacedTime(lastChatAt ?? channel.createdAt),
    create_at: spacedTime(channel.createdAt),
  })
  if (shard.members.length === 0) return yield entry
  const players = entry.lastIndexOf('"players":[]') + '"players":['.length
  yield entry.slice(0, players)
  for (let start = 0; start < shard.members.length; start += PLAYERS_PER_PIECE) {
    const slice = shard.members.slice(start, start + PLAYERS_PER_PIECE)
    const piece = JSON.stringify(slice.map(({ id, name }) => ({ gamer_id: id, gamer_name: name })))
    yield (start === 0 ? '' : ',') + piece.slice(1, -1)
  }
  yield entry.slice(players)
}

export const groupList: ListShape<string> = {
  name: 'groups',
  render: (group) => [JSON.stringify(group)],
  position: (group) => [group],
  isAfter: (group, [name = '']) => group > name,
  positionTypes: ['string'],
}

export const shardList: ListShape<ListedShard> = {
  name: 'channels',
  render: renderListedShard,
  position: ({ shard }) => [shard.name, shard.number],
  isAfter: ({ shard }, [name = '', number]) =>
    shard.name > name || (shard.name === name && shard.number > Number(number)),
  positionTypes: ['string', 'number'],
}

export const readShardPosition = (position: Position | undefined) =>
  position === undefined ? undefined : { name: String(position[0]), number: Number(position[1]) }

import { channelName, createDialect, type Dialect, SEATED } from '../dialects.ts'

export type GrowthDialectName = 'parley' | 'topic-channels'

/** How members of several channels talk to a server. */
export const createGrowthDialect = (name: GrowthDialectName, channels: number): Dialect =>
  name === 'parley' ? createDialect('parley', channels) : topicChannels(channels)

/** Spoken by `bench/servers/topic-channels.ts`. */
const topicChannels = (channels: number): Dialect => ({
  path: '/',
  deliveryStart: '#',
  prepare: async () => {},
  hello: (member) => channelName(member % channels),
  next: () => SEATED,
  say: (text) => text,
})

import { NO_INPUT } from '../input-fields.ts'
import { type Operation, type OperationDependencies, operation } from '../operation.ts'
import { startOf } from '../paging.ts'
import { renderSlices } from '../render.ts'
import { channel, createChannelInputs, deletedChannel, groupName, openChannel } from './schemas.ts'
import {
  groupList,
  readChanges,
  readKey,
  readSettings,
  readShardPosition,
  renderChannel,
  renderShard,
  shardList,
} from './wire.ts'

const EXAMPLE_CHANNEL = {
  channel_group: 'global',
  channel_name: 'server-1',
  channel_id: 1,
  max_count: 50,
  is_default: true,
  create_at: '2026-11-15 03:00:00',
}

const EXAMPLE_OPEN_CHANNEL = {
  channel_name: 'server-1',
  channel_id: 1,
  max_count: 50,
  is_default: true,
  is_autoscaling: true,
  players: [{ gamer_id: '1234', gamer_name: 'Mina' }],
  last_chat_time: '2026-11-15 03:12:45',
  create_at: '2026-11-15 03:00:00',
}

export function channelOperations({ limits, cache, turns }: OperationDependencies): readonly Operation[] {
  const inputs = createChannelInputs(limits)
  return [
    operation({
      id: 'listOpenChannelGroups',
      method: 'GET',
      path: '/open_channel_groups',
      tag: 'Channels',
      summary: 'List open channel groups',
      description: 'Lists the names of all groups, sorted by name. A group exists while it has a channel.',
      role: 'viewer',
      input: NO_INPUT,
      output: { schema: groupName, isList: true },
      errors: [],
      example: { input: {}, output: ['global'] },
      handle: ({ app, page }) => cache.render(groupList, app.channels.listGroups(), page),
    }),
    operation({
      id: 'listOpenChannels',
      method: 'GET',
      path: '/open_channels',
      tag: 'Channels',
      summary: 'List open channels',
      description:
        'Lists one entry for each channel number of a group, sorted by name and number. The list of an unknown group is empty.',
      role: 'viewer',
      input: inputs.group,
      output: { schema: openChannel, isList: true },
      errors: [],
      example: { input: { channel_group: 'global' }, output: [EXAMPLE_OPEN_CHANNEL] },
      handle: ({ app, input, page }) => {
        const after = readShardPosition(startOf(shardList, page))
        const limit = page === undefined ? undefined : page.limit + 1
        const shards = app.channels.list(input.channel_group, { after, limit })
        return renderSlices(shardList, shards, { limit: page?.limit, turns })
      },
    }),
    operation({
      id: 'createOpenChannel',
      method: 'PUT',
      path: '/open_channels',
      tag: 'Channels',
      summary: 'Create open channel',
      description:
        'Creates a channel with number 1; further numbers open as members join. A repeated request returns the existing ' +
        'channel; one with other settings is rejected. `is_default` makes it the FALLBACK of its group, replacing any other.',
      role: 'operator',
      input: inputs.newChannel,
      output: { schema: channel, isList: false },
      errors: ['channel-exists', 'limit-reached'],
      example: {
        input: { channel_group: 'global', channel_name: 'server-1', max_count: 50, is_default: true },
        output: EXAMPLE_CHANNEL,
      },
      handle: async ({ app, input, context }) => ({
        value: renderChannel(await app.channels.create(readKey(input), readSettings(input), context)),
      }),
    }),
    operation({
      id: 'deleteOpenChannel',
      method: 'DELETE',
      path: '/open_channels',
      tag: 'Channels',
      summary: 'Delete open channel',
      description:
        'Deletes a channel and its history, and returns one entry for each of its numbers. Its members are notified, and move to the FALLBACK of the group if there is one.',
      role: 'operator',
      input: inputs.key,
      output: { schema: deletedChannel, isList: true },
      errors: ['channel-not-found', 'fallback-protected'],
      example: {
        input: { channel_group: 'global', channel_name: 'server-1' },
        output: [{ channel_group: 'global', channel_name: 'server-1', channel_id: 1 }],
      },
      handle: async ({ app, input, context }) => ({
        value: (await app.channels.remove(readKey(input), context)).map(renderShard),
      }),
    }),
  ]
}

export function channelExtensions({ limits }: OperationDependencies): readonly Operation[] {
  const inputs = createChannelInputs(limits)
  return [
    operation({
      id: 'changeOpenChannel',
      method: 'PATCH',
      path: '/open_channels',
      tag: 'Channels',
      summary: 'Change open channel',
      description:
        'Changes the given settings of a channel. Members keep their seats if `max_count` is reduced.',
      role: 'operator',
      input: inputs.changes,
      output: { schema: channel, isList: false },
      errors: ['channel-not-found', 'fallback-protected'],
      example: {
        input: { channel_group: 'global', channel_name: 'server-1', max_count: 100 },
        output: { ...EXAMPLE_CHANNEL, max_count: 100 },
      },
      handle: async ({ app, input, context }) => ({
        value: renderChannel(await app.channels.update(readKey(input), readChanges(input), context)),
      }),
    }),
  ]
}

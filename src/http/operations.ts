import type { App } from '../core/app.ts'
import { answers } from './answers.ts'
import { KeptLists, type Page, renderFirst, renderPage, startOf } from './lists.ts'
import { type Answer, type Operation, operation } from './operation.ts'
import { createInputs, type WireLimits } from './schemas.ts'
import {
  banList,
  filterListList,
  groupList,
  readChanges,
  readIfMatch,
  readKey,
  readReportPosition,
  readSettings,
  renderChannel,
  renderDeletedShard,
  renderEtag,
  reportList,
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

const EXAMPLE_REPORT = {
  report_id: 1,
  to_gamer_id: '1234',
  to_gamer_name: 'Mina',
  from_gamer_id: '5678',
  from_gamer_name: 'Joon',
  message: 'the reported words',
  keyword: 'INAPPROPRIATE',
  reason: 'said it twice',
  status: 1,
  value: 0,
  update_at: '2026-11-15 03:14:00',
  create_at: '2026-11-15 03:14:00',
}

const EXAMPLE_SYSTEM_MESSAGE = {
  channel_type: 1,
  channel_group: 'global',
  channel_name: 'server-1',
  channel_id: 1,
  message: 'The server restarts in ten minutes.',
}

/** The management API, row by row: the ten operations of the document in its order, then the extensions. */
export function createOperations(limits: WireLimits): readonly Operation[] {
  const { nothing, group, channelKey, newChannel, changedChannel, player, ban, filterList, systemMessage } =
    createInputs(limits)
  const kept = new KeptLists()

  return [
    operation({
      id: 'listOpenChannelGroups',
      method: 'GET',
      path: '/open_channel_groups',
      tag: 'Channels',
      summary: 'List open channel groups',
      description: 'The names of all groups, by name. A group exists while it has a channel.',
      role: 'viewer',
      input: nothing,
      output: { schema: answers.GroupName, list: true },
      refuses: [],
      example: { input: {}, output: ['global'] },
      handle: ({ app, page }) => kept.render(groupList, app.channels.listGroups(), page),
    }),
    operation({
      id: 'listOpenChannels',
      method: 'GET',
      path: '/open_channels',
      tag: 'Channels',
      summary: 'List open channels',
      description:
        'An entry for each channel number of a group, by name and number. An unknown group has none.',
      role: 'viewer',
      input: group,
      output: { schema: answers.OpenChannel, list: true },
      refuses: [],
      example: { input: { channel_group: 'global' }, output: [EXAMPLE_OPEN_CHANNEL] },
      handle: async ({ app, input, page }) =>
        renderPage(shardList, await app.channels.list(input.channel_group), page),
    }),
    operation({
      id: 'createOpenChannel',
      method: 'PUT',
      path: '/open_channels',
      tag: 'Channels',
      summary: 'Create open channel',
      description:
        'The same request again answers the existing channel. `is_default` takes the FALLBACK flag from the ' +
        'channel of the group that had it.',
      role: 'operator',
      input: newChannel,
      output: { schema: answers.Channel, list: false },
      refuses: ['channel-exists', 'limit-reached'],
      example: {
        input: { channel_group: 'global', channel_name: 'server-1', max_count: 50, is_default: true },
        output: EXAMPLE_CHANNEL,
      },
      handle: async ({ app, input, once }) => ({
        value: renderChannel(await app.channels.create(readKey(input), readSettings(input), once)),
      }),
    }),
    operation({
      id: 'deleteOpenChannel',
      method: 'DELETE',
      path: '/open_channels',
      tag: 'Channels',
      summary: 'Delete open channel',
      description: 'An entry for each channel number that was deleted, ascending.',
      role: 'operator',
      input: channelKey,
      output: { schema: answers.DeletedChannel, list: true },
      refuses: ['channel-unknown', 'fallback-protected'],
      example: {
        input: { channel_group: 'global', channel_name: 'server-1' },
        output: [{ channel_group: 'global', channel_name: 'server-1', channel_id: 1 }],
      },
      handle: async ({ app, input, once }) => ({
        value: (await app.channels.remove(readKey(input), once)).map(renderDeletedShard),
      }),
    }),
    operation({
      id: 'listRestrictedUsers',
      method: 'GET',
      path: '/block_user_list',
      tag: 'Bans',
      summary: 'List restricted users',
      description: 'Chat bans in force, newest first.',
      role: 'viewer',
      input: nothing,
      output: { schema: answers.RestrictedUser, list: true },
      refuses: [],
      example: {
        input: {},
        output: [
          {
            gamer_id: '1234',
            count: 1,
            start_time: '2026-11-15T03:00:00Z',
            end_time: '2026-11-18T03:00:00Z',
          },
        ],
      },
      handle: ({ app, page }) => kept.render(banList, app.bans.list(), page),
    }),
    operation({
      id: 'applyChatBan',
      method: 'PUT',
      path: '/block_user_chat',
      tag: 'Bans',
      summary: 'Apply chat ban',
      description:
        'In force on every node before the answer. Replaces a ban in force; each one raises `count`, so retry ' +
        'with an `Idempotency-Key`.',
      role: 'moderator',
      input: ban,
      output: { schema: ban, list: false },
      refuses: [],
      example: { input: { gamer_id: '1234', days: 3 }, output: { gamer_id: '1234', days: 3 } },
      handle: async ({ app, input, once }) => {
        await app.bans.apply(input.gamer_id, input.days, once)
        return { value: input }
      },
    }),
    operation({
      id: 'liftChatBan',
      method: 'DELETE',
      path: '/block_user_chat',
      tag: 'Bans',
      summary: 'Lift chat ban',
      description: 'Succeeds also where there is no ban.',
      role: 'moderator',
      input: player,
      output: { schema: player, list: false },
      refuses: [],
      example: { input: { gamer_id: '1234' }, output: { gamer_id: '1234' } },
      handle: async ({ app, input, once }) => {
        await app.bans.lift(input.gamer_id, once)
        return { value: input }
      },
    }),
    operation({
      id: 'listProfanity',
      method: 'GET',
      path: '/bad_word_list',
      tag: 'Profanity',
      summary: 'List profanity',
      description:
        'An entry for each language, `all` first. Carries an `ETag` for `If-Match` and `If-None-Match`.',
      role: 'viewer',
      input: nothing,
      output: { schema: answers.ProfanityEntry, list: true },
      refuses: [],
      example: {
        input: {},
        output: [
          { language: 'all', filters: ['GM', 'MASTER'] },
          { language: 'ko-kr', filters: ['지엠', '마스터'] },
        ],
      },
      handle: ({ app, page, header }) => answerFilters(app, kept, page, header('if-none-match')),
    }),
    operation({
      id: 'editProfanityList',
      method: 'PUT',
      path: '/bad_word_list',
      tag: 'Profanity',
      summary: 'Edit profanity list',
      description:
        "Replaces one language's list whole. With `If-Match` the edit is refused when someone else wrote first.",
      role: 'operator',
      input: filterList,
      output: { schema: filterList, list: false },
      refuses: ['filters-changed', 'limit-reached'],
      example: {
        input: { language: 'ko-kr', filters: ['지엠', '마스터'] },
        output: { language: 'ko-kr', filters: ['지엠', '마스터'] },
      },
      handle: async ({ app, input, once, header }) => {
        const list = { language: input.language, expressions: input.filters }
        await app.filters.replace(list, readIfMatch(header('if-match')), once)
        return { value: input }
      },
    }),
    operation({
      id: 'listReports',
      method: 'GET',
      path: '/report_list',
      tag: 'Reports',
      summary: 'List reports',
      description: 'Reports by players, newest first.',
      role: 'viewer',
      input: nothing,
      output: { schema: answers.Report, list: true },
      refuses: [],
      example: { input: {}, output: [EXAMPLE_REPORT] },
      handle: async ({ app, page }) => {
        const before = readReportPosition(startOf(reportList, page))
        const reports = await app.reports.list({
          before,
          limit: page === undefined ? undefined : page.limit + 1,
        })
        return renderFirst(reportList, reports, page?.limit)
      },
    }),

    operation({
      id: 'changeOpenChannel',
      method: 'PATCH',
      path: '/open_channels',
      tag: 'Channels',
      summary: 'Change open channel',
      description: 'Changes the settings that are named. Nobody loses a seat when `max_count` shrinks.',
      role: 'operator',
      input: changedChannel,
      output: { schema: answers.Channel, list: false },
      refuses: ['channel-unknown'],
      example: {
        input: { channel_group: 'global', channel_name: 'server-1', max_count: 100 },
        output: { ...EXAMPLE_CHANNEL, max_count: 100 },
      },
      handle: async ({ app, input, once }) => ({
        value: renderChannel(await app.channels.update(readKey(input), readChanges(input), once)),
      }),
    }),
    operation({
      id: 'sendSystemMessage',
      method: 'POST',
      path: '/system_message',
      tag: 'Messages',
      summary: 'Send system message',
      description: 'Tells the members of one channel number, or of all. Not filtered.',
      role: 'moderator',
      input: systemMessage,
      output: { schema: systemMessage, list: false },
      refuses: ['channel-unknown'],
      example: { input: EXAMPLE_SYSTEM_MESSAGE, output: EXAMPLE_SYSTEM_MESSAGE },
      handle: async ({ app, input, once }) => {
        const number = input.channel_id === 0 ? undefined : input.channel_id
        await app.chat.announce({ channel: readKey(input), number, text: input.message }, once)
        return { value: input }
      },
    }),
  ]
}

async function answerFilters(
  app: App,
  kept: KeptLists,
  page: Page | undefined,
  ifNoneMatch: string | null,
): Promise<Answer> {
  const etag = renderEtag(app.filters.version)
  if (page === undefined && ifNoneMatch?.includes(etag)) return { status: 304, headers: { ETag: etag } }
  return { ...(await kept.render(filterListList, app.filters.list(), page)), headers: { ETag: etag } }
}

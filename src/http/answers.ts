import { z } from 'zod'

/** The answers of the management API, by the names they have in the OpenAPI document. */

const text = (description: string) => z.string().meta({ description })
const whole = (description: string) => z.number().meta({ type: 'integer', description })
const flag = (description: string) => z.boolean().meta({ description })
const spacedTime = (description: string) =>
  z.string().meta({
    pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
    description: `${description} UTC, \`YYYY-MM-DD HH:MM:SS\`.`,
  })
const isoTime = (description: string) =>
  z.string().meta({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
    description: `${description} UTC, \`YYYY-MM-DDTHH:MM:SSZ\`.`,
  })

const channelKey = { channel_group: text('Open channel group.'), channel_name: text('Channel name.') }
const channelNumber = whole('Channel number, from 1.')
const isDefault = flag('Whether this is the FALLBACK channel of its group.')
const createdAt = spacedTime('When it was created.')
const player = { gamer_id: text("The player's unique id."), gamer_name: text('The name that players see.') }

const groupName = text('Name of an open channel group.')

const openChannel = z.object({
  channel_name: channelKey.channel_name,
  channel_id: channelNumber,
  max_count: whole('Maximum number of members of this channel number.'),
  is_default: isDefault,
  is_autoscaling: flag('Whether channel numbers expand automatically.'),
  players: z.array(z.object(player)).meta({ description: 'The members of this channel number.' }),
  last_chat_time: spacedTime('When someone last spoke; `create_at` if nobody has.'),
  create_at: createdAt,
})

const channel = z.object({
  ...channelKey,
  channel_id: channelNumber,
  max_count: whole('Maximum number of members of each channel number.'),
  is_default: isDefault,
  create_at: createdAt,
})

const deletedChannel = z.object({ ...channelKey, channel_id: channelNumber })

const restrictedUser = z.object({
  gamer_id: player.gamer_id,
  count: whole('Bans ever applied to this player; lifting and expiry do not reset it.'),
  start_time: isoTime('When the ban began.'),
  end_time: isoTime('When it ends.'),
})

const filterListEntry = z.object({
  language: text('A language code, or `all`.'),
  filters: z.array(z.string()).meta({ description: 'The expressions, as they were sent and in that order.' }),
})

const hit = z.object({
  start: whole('Start of the match in the text, in UTF-16 code units.'),
  end: whole('End of the match, exclusive.'),
  expression: text('The expression that matched, as it is in its list.'),
  language: text('The language of that list.'),
})
const hits = z.array(hit).meta({ description: 'What matched; empty for `clean`.' })

const filterCheck = z.object({
  results: z
    .array(
      z.object({
        text: text('The text as it was sent.'),
        filtered: text('The text as players would see it; nobody sees it if the verdict is `blocked`.'),
        verdict: z.enum(['clean', 'masked', 'blocked']).meta({ description: 'What becomes of the text.' }),
        hits,
      }),
    )
    .meta({ description: 'One result for each text, in the order of `texts`.' }),
})

const sample = z.object({
  message_id: text('The message.'),
  gamer_id: text('The player who said it.'),
  time: isoTime('When.'),
  text: text('As it was written.'),
  hits,
})

const caught = (description: string) =>
  z
    .object({
      count: whole('Number of messages.'),
      samples: z.array(sample).meta({ maxItems: 20, description: 'The newest of them.' }),
    })
    .meta({ description })

const backtest = z.object({
  backtest_id: text('Id of the back-test.'),
  state: z.enum(['running', 'done', 'failed']).meta({ description: 'Whether it has finished.' }),
  language: text('Language of the draft.'),
  days: z.number().meta({ description: 'Days of the message log that it covers.' }),
  scanned: whole('Messages scanned so far.'),
  total: whole('Messages to scan.'),
  judged: whole('Scanned messages that this list applies to.'),
  newly_caught: caught('Messages that only the draft catches, with its hits.'),
  no_longer_caught: caught('Messages that only the current lists catch, with their hits.'),
  still_caught: caught('Messages that both catch, with the hits of the draft.'),
})

const report = z.object({
  report_id: whole('Ascends from 1 and is never reused.'),
  to_gamer_id: text('The reported player.'),
  to_gamer_name: text('Their name at the time.'),
  from_gamer_id: text('The reporting player.'),
  from_gamer_name: text('Their name at the time.'),
  message: text('The reported chat message.'),
  keyword: text('Category, such as INAPPROPRIATE.'),
  reason: text('What the reporting player added.'),
  status: whole('1 not processed, 2 processed.'),
  value: whole('0 no sanction, 1 chat ban, 2 suspension, 3 permanent suspension.'),
  update_at: spacedTime('When it last changed.'),
  create_at: spacedTime('When it was filed.'),
})

const message = z.object({
  message_id: text('The id that players know the message by.'),
  ...channelKey,
  channel_id: channelNumber,
  gamer_id: text('The player who said it; empty for a system message.'),
  gamer_name: text('Their name at the time.'),
  message: text('As players saw it.'),
  original: text('As it was written.'),
  time: isoTime('When it was said.'),
  deleted: flag('Whether it was deleted for players.'),
})

const playerToken = z.object({
  token: text('A JWT, for the `connect` frame of the gateway.'),
  expires_at: isoTime('When it expires.'),
})

const error = z.object({
  message: text('What is wrong, for people.'),
  code: whole('Its first three digits are the HTTP status.'),
  error: z.literal(true),
})

export const answers = {
  GroupName: groupName,
  OpenChannel: openChannel,
  Channel: channel,
  DeletedChannel: deletedChannel,
  RestrictedUser: restrictedUser,
  FilterListEntry: filterListEntry,
  FilterCheck: filterCheck,
  Backtest: backtest,
  Report: report,
  Message: message,
  PlayerToken: playerToken,
  Error: error,
} as const

import { z } from 'zod'

/** The answers of the management API, by the names they have in the OpenAPI document. */

const spacedTime = z
  .string()
  .meta({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', description: 'UTC.' })
const isoTime = z
  .string()
  .meta({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$', description: 'UTC.' })
const whole = (description: string) => z.number().meta({ type: 'integer', description })

const groupName = z.string().meta({ description: 'Name of an open channel group.' })

const openChannel = z.object({
  channel_name: z.string(),
  channel_id: whole('Channel number.'),
  max_count: whole('Maximum members of this number.'),
  is_default: z.boolean().meta({ description: 'Whether it is the FALLBACK channel.' }),
  is_autoscaling: z.boolean().meta({ description: 'Whether channel numbers expand automatically.' }),
  players: z.array(z.object({ gamer_id: z.string(), gamer_name: z.string() })),
  last_chat_time: spacedTime,
  create_at: spacedTime,
})

const channel = z.object({
  channel_group: z.string(),
  channel_name: z.string(),
  channel_id: whole('Channel number.'),
  max_count: whole('Maximum members of each number.'),
  is_default: z.boolean().meta({ description: 'Whether it is the FALLBACK channel.' }),
  create_at: spacedTime,
})

const deletedChannel = z.object({
  channel_group: z.string(),
  channel_name: z.string(),
  channel_id: whole('Channel number.'),
})

const restrictedUser = z.object({
  gamer_id: z.string(),
  count: whole('Bans ever applied to this player.'),
  start_time: isoTime,
  end_time: isoTime,
})

const filterListEntry = z.object({
  language: z.string().meta({ description: 'A language code, or `all`.' }),
  filters: z.array(z.string()),
})

const hit = z.object({
  start: whole('Where it begins, in UTF-16 units of the text.'),
  end: whole('Where the text goes on.'),
  expression: z.string().meta({ description: 'The expression that forbids it, as it stands in its list.' }),
  language: z.string().meta({ description: 'The list, by its language.' }),
})

const filterCheck = z.object({
  results: z.array(
    z.object({
      text: z.string(),
      filtered: z.string().meta({
        description: 'As players would see it; nobody sees it where the verdict is `blocked`.',
      }),
      verdict: z.enum(['clean', 'masked', 'blocked']),
      hits: z.array(hit),
    }),
  ),
})

const caught = (description: string) =>
  z
    .object({
      count: whole('Messages.'),
      samples: z
        .array(
          z.object({
            message_id: z.string(),
            gamer_id: z.string(),
            time: isoTime,
            text: z.string().meta({ description: 'As it was written.' }),
            hits: z.array(hit),
          }),
        )
        .meta({ maxItems: 20, description: 'The newest of them.' }),
    })
    .meta({ description })

const backtest = z.object({
  backtest_id: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  language: z.string(),
  days: z.number(),
  scanned: whole('Messages of the log that were looked at so far.'),
  total: whole('Messages of the log to look at.'),
  judged: whole('Those of the looked-at whose players go through the list.'),
  newly_caught: caught('What only the draft catches; its hits.'),
  no_longer_caught: caught('What only the lists in force catch; their hits.'),
  still_caught: caught('What both catch; the hits with the draft.'),
})

const report = z.object({
  report_id: whole('Ascends from 1.'),
  to_gamer_id: z.string().meta({ description: 'The reported player.' }),
  to_gamer_name: z.string(),
  from_gamer_id: z.string().meta({ description: 'The reporting player.' }),
  from_gamer_name: z.string(),
  message: z.string().meta({ description: 'The reported chat message.' }),
  keyword: z.string().meta({ description: 'Category, such as INAPPROPRIATE.' }),
  reason: z.string().meta({ description: 'Free text of the reporting player.' }),
  status: whole('1 not processed, 2 processed.'),
  value: whole('0 no sanction, 1 chat ban, 2 suspension, 3 permanent suspension.'),
  update_at: spacedTime,
  create_at: spacedTime,
})

const message = z.object({
  message_id: z.string(),
  channel_group: z.string(),
  channel_name: z.string(),
  channel_id: whole('Channel number.'),
  gamer_id: z.string().meta({ description: 'Who said it; empty for a system message.' }),
  gamer_name: z.string(),
  message: z.string().meta({ description: 'As players saw it.' }),
  original: z.string().meta({ description: 'As it was written.' }),
  time: isoTime,
  deleted: z.boolean().meta({ description: 'Whether it was taken from the players.' }),
})

const playerToken = z.object({
  token: z.string().meta({ description: 'A JWT, for the `connect` frame of the gateway.' }),
  expires_at: isoTime,
})

const error = z.object({
  message: z.string(),
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

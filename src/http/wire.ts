import type { Backtest, CaughtMessages } from '../core/backtests.ts'
import type { ListedShard } from '../core/channels.ts'
import { chunksOf } from '../core/expressions.ts'
import type { FilterCheckResult } from '../core/filters.ts'
import {
  type Ban,
  type Channel,
  type ChannelKey,
  type ChannelSettings,
  EVERY_LANGUAGE,
  type FilterList,
  type FilterListKind,
  type LoggedMessage,
  languageKey,
  type Report,
  type Shard,
  type Timestamp,
} from '../core/model.ts'
import type { MintedToken } from '../core/ports/player-tokens.ts'
import type { ListShape, Position } from './lists.ts'

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
const spacedTime = (at: Timestamp) => isoTime(at).slice(0, 19).replace('T', ' ')

/** `YYYY-MM-DDTHH:MM:SSZ`, UTC. */
const isoTime = (at: Timestamp) => `${new Date(at).toISOString().slice(0, 19)}Z`

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

export const renderEtag = (version: number) => `"${version}"`

/** The tags of this API in a header. Each coding of a list has its own: `"7"`, `"7-gzip"`. */
const readEtags = (header: string) =>
  Array.from(header.matchAll(/(W\/)?("(\d{1,15})(?:-(?:gzip|zstd))?")/g), ([, weak, tag = '', version]) => ({
    isStrong: weak === undefined,
    tag,
    version: Number(version),
  }))

/** The versions that a strong `If-Match` allows; undefined when it allows any. */
export function readIfMatch(header: string | null): number[] | undefined {
  if (header === null || header.trim() === '*') return undefined
  return readEtags(header).flatMap(({ isStrong, version }) => (isStrong ? version : []))
}

/** The tag by which the caller knows this version, in whichever coding; undefined when it knows another or none. */
export function findKnownTag(ifNoneMatch: string | null, version: number): string | undefined {
  if (ifNoneMatch === null) return undefined
  if (ifNoneMatch.trim() === '*') return renderEtag(version)
  return readEtags(ifNoneMatch).find((each) => each.version === version)?.tag
}

export const renderMintedToken = ({ token, expiresAt }: MintedToken) => ({
  token,
  expires_at: isoTime(expiresAt),
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

export const renderMessage = (message: LoggedMessage) => ({
  message_id: message.id,
  ...renderShard(message.shard),
  gamer_id: message.player?.id ?? '',
  gamer_name: message.player?.name ?? '',
  message: message.text,
  original: message.original,
  time: isoTime(message.at),
  deleted: message.deletedAt !== undefined,
})

/** How many players one piece of an entry holds. */
const PLAYERS_A_PIECE = 500

/** An entry in pieces, since one number may seat a hundred thousand. */
function* renderListedShard({ channel, shard }: ListedShard): Generator<string> {
  const entry = JSON.stringify({
    channel_name: channel.name,
    channel_id: shard.number,
    max_count: channel.maxMembers,
    is_default: channel.isFallback,
    is_autoscaling: channel.isAutoscaling,
    players: [],
    last_chat_time: spacedTime(shard.lastChatAt ?? channel.createdAt),
    create_at: spacedTime(channel.createdAt),
  })
  if (shard.members.length === 0) return yield entry
  const players = entry.lastIndexOf('"players":[]') + '"players":['.length
  yield entry.slice(0, players)
  for (let start = 0; start < shard.members.length; start += PLAYERS_A_PIECE) {
    const slice = shard.members.slice(start, start + PLAYERS_A_PIECE)
    const piece = JSON.stringify(slice.map(({ id, name }) => ({ gamer_id: id, gamer_name: name })))
    yield (start === 0 ? '' : ',') + piece.slice(1, -1)
  }
  yield entry.slice(players)
}

const renderBan = (ban: Ban) => ({
  gamer_id: ban.playerId,
  count: ban.count,
  start_time: isoTime(ban.startsAt),
  end_time: isoTime(ban.endsAt),
})

/** An entry in pieces, since a list may have a hundred thousand expressions. */
export function* renderFilterList({ language, expressions }: Omit<FilterList, 'kind'>): Generator<string> {
  yield `{"language":${JSON.stringify(language)},"filters":[`
  let separator = ''
  for (const piece of chunksOf(expressions)) {
    yield separator + JSON.stringify(piece).slice(1, -1)
    separator = ','
  }
  yield ']}'
}

export const renderJudgement = (original: string, { text, verdict, hits }: FilterCheckResult) => ({
  text: original,
  filtered: text,
  verdict,
  hits,
})

const renderCatch = ({ count, samples }: CaughtMessages) => ({
  count,
  samples: samples.map(({ message, hits }) => ({
    message_id: message.id,
    gamer_id: message.player?.id ?? '',
    time: isoTime(message.at),
    text: message.original,
    hits,
  })),
})

export const renderBacktest = (backtest: Backtest) => ({
  backtest_id: backtest.id,
  state: backtest.state,
  language: backtest.language,
  days: backtest.days,
  scanned: backtest.scanned,
  total: backtest.total,
  judged: backtest.checked,
  newly_caught: renderCatch(backtest.newlyCaught),
  no_longer_caught: renderCatch(backtest.noLongerCaught),
  still_caught: renderCatch(backtest.stillCaught),
})

const renderReport = (report: Report) => ({
  report_id: report.id,
  to_gamer_id: report.reported.id,
  to_gamer_name: report.reported.name,
  from_gamer_id: report.reporter.id,
  from_gamer_name: report.reporter.name,
  message: report.message,
  keyword: report.keyword,
  reason: report.reason,
  status: report.status,
  value: report.outcome,
  update_at: spacedTime(report.updatedAt),
  create_at: spacedTime(report.createdAt),
})

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

export const banList: ListShape<Ban> = {
  name: 'bans',
  render: (ban) => [JSON.stringify(renderBan(ban))],
  position: ({ seq }) => [seq],
  isAfter: (ban, [seq]) => ban.seq < Number(seq),
  positionTypes: ['number'],
}

export const filterListList = (kind: FilterListKind): ListShape<FilterList> => ({
  name: kind,
  render: renderFilterList,
  position: ({ language }) => [languageKey(language)],
  isAfter: ({ language }, [key = '']) =>
    languageKey(language) !== EVERY_LANGUAGE && (key === EVERY_LANGUAGE || languageKey(language) > key),
  positionTypes: ['string'],
})

export const reportList: ListShape<Report> = {
  name: 'reports',
  render: (report) => [JSON.stringify(renderReport(report))],
  position: ({ id }) => [id],
  isAfter: (report, [id]) => report.id < Number(id),
  positionTypes: ['number'],
}

/** Reports before this id come next. */
export const readReportPosition = (position: Position | undefined) =>
  position?.[0] === undefined ? undefined : Number(position[0])

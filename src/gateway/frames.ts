import type { SayResult } from '../core/chat.ts'
import { PlayerError, type PlayerErrorDetails, type PlayerInput } from '../core/errors.ts'
import type { Ban, ChannelKey, Player, SequencedMessage, Shard, Timestamp } from '../core/model.ts'
import type { PresenceChange } from './presence-batcher.ts'
import { FrameError, type FrameId, GatewayError, type GatewayErrorKind } from './protocol.ts'

const CODES = {
  banned: 'CHAT_BAN',
  'channel-full': 'CHANNEL_FULL',
  'channel-not-found': 'CHANNEL_NOT_FOUND',
  'already-joined': 'ALREADY_JOIN_CHANNEL',
  'not-joined': 'NOT_JOIN_CHANNEL',
  'message-too-long': 'MESSAGE_TOO_LONG',
  'message-too-short': 'MESSAGE_TOO_SHORT',
  'message-filtered': 'MESSAGE_FILTERED',
  'message-spam': 'MESSAGE_SPAM',
  'own-message': 'NOT_MY_REPORT',
  'message-too-old': 'LIMIT_REPORT_MESSAGE_DAYS',
  'too-many-reports': 'TOO_MANY_REPORT',
  'too-many-groups': 'ALREADY_JOIN_CHANNEL',
  invalid: 'INVALID_PARAMETER',
  'not-connected': 'NOT_AUTHENTICATION',
  'bad-token': 'NOT_AUTHENTICATION',
  replaced: 'DUPLICATE_CONNECTION',
  busy: 'SERVER_BUSY',
  internal: 'UNKNOWN_ERROR',
} as const satisfies Record<GatewayErrorKind, string>

const MESSAGES: Readonly<Record<GatewayErrorKind, string>> = {
  banned: 'You are banned from chat.',
  'channel-full': 'The channel is full.',
  'channel-not-found': 'The channel was not found.',
  'already-joined': 'You are already in a channel of this group.',
  'not-joined': 'You are not in a channel of this group.',
  'message-too-long': 'The message is too long.',
  'message-too-short': 'The message is empty.',
  'message-filtered': 'The message contains forbidden words.',
  'message-spam': 'Too many requests. Slow down.',
  'own-message': 'You cannot report your own message.',
  'message-too-old': 'The message is too old to be reported.',
  'too-many-reports': 'Too many reports.',
  'too-many-groups': 'You have reached the maximum number of groups.',
  invalid: 'A parameter is missing or has an invalid value.',
  'not-connected': 'The first frame must be connect.',
  'bad-token': 'The token is not valid.',
  replaced: 'This player connected from another client.',
  busy: 'The server is overloaded. Try again later.',
  internal: 'An internal error occurred.',
}

const INPUTS: Readonly<Record<PlayerInput, string>> = {
  text: 'message',
  messageId: 'message_id',
  keyword: 'keyword',
  reason: 'reason',
}

const isoTime = (at: Timestamp) => `${new Date(at).toISOString().slice(0, 19)}Z`
const keyFields = ({ group, name }: ChannelKey) => ({ channel_group: group, channel_name: name })
const shardFields = (shard: Shard) => ({ ...keyFields(shard), channel_id: shard.number })
const playerFields = ({ id, name }: Player) => ({ gamer_id: id, gamer_name: name })

const messageFields = (message: SequencedMessage) => ({
  channel_group: message.shard.group,
  channel_name: message.shard.name,
  channel_id: message.shard.number,
  seq: message.seq,
  message_id: message.id,
  gamer_id: message.player?.id ?? '',
  gamer_name: message.player?.name ?? '',
  message: message.text,
  time: isoTime(message.at),
  system: message.player === undefined,
})

export const banFields = ({ endsAt, count }: Ban, remainSeconds: number) => ({
  end_time: isoTime(endsAt),
  remain_seconds: remainSeconds,
  count,
})

const encode = (fields: object) => JSON.stringify(fields)

/** Frames sent in reply to a request. */
export const replies = {
  connected: (id: FrameId, session: { id: string; player: Player; language: string; ban: object | null }) =>
    encode({
      type: 'connected',
      id,
      session_id: session.id,
      ...playerFields(session.player),
      language: session.language,
      ban: session.ban,
    }),
  joined: (
    id: FrameId,
    snapshot: {
      shard: Shard
      maxMembers: number
      members: readonly Player[]
      memberCount: number
      /** Encoded by `HistoryEncoder`. */
      messages: string
      seq: number
      epoch: string
      recovered?: boolean
    },
  ) => {
    const { seq, epoch, recovered } = snapshot
    const members = encode({
      type: 'joined',
      id,
      ...shardFields(snapshot.shard),
      max_count: snapshot.maxMembers,
      players: snapshot.members.map(playerFields),
      player_count: snapshot.memberCount,
    })
    const position = encode(recovered === undefined ? { seq, epoch } : { seq, epoch, recovered })
    return `${members.slice(0, -1)},"messages":${snapshot.messages},${position.slice(1)}`
  },
  players: (
    id: FrameId,
    page: { shard: Shard; members: readonly Player[]; memberCount: number; cursor: string | undefined },
  ) =>
    encode({
      type: 'players',
      id,
      ...shardFields(page.shard),
      players: page.members.map(playerFields),
      player_count: page.memberCount,
      ...(page.cursor !== undefined && { cursor: page.cursor }),
    }),
  left: (id: FrameId, group: string) => encode({ type: 'left', id, channel_group: group }),
  said: (id: FrameId, { message, isFiltered: filtered, hits }: SayResult) => {
    const fields = {
      type: 'said',
      id,
      message_id: message.id,
      seq: message.seq,
      message: message.text,
      filtered,
    }
    return encode(hits === undefined ? fields : { ...fields, hits })
  },
  reported: (id: FrameId, reportId: number) => encode({ type: 'reported', id, report_id: reportId }),
  pong: (id: FrameId) => encode({ type: 'pong', id }),
  error: (id: FrameId, thrown: unknown) => {
    const { kind, details, property } = describe(thrown)
    return encode({
      type: 'error',
      id,
      code: CODES[kind],
      message: MESSAGES[kind],
      ...(property !== undefined && { property }),
      ...(details.channel !== undefined && targetFields(details.channel)),
      ...(details.remainSeconds !== undefined && { remain_seconds: details.remainSeconds }),
      ...(details.retryAfterMs !== undefined && { retry_after_ms: details.retryAfterMs }),
      ...(details.hits !== undefined && { hits: details.hits }),
    })
  },
}

/** Messages of which the encoded form is kept. */
const MAX_ENCODED = 10_000

/** Encodes the history of a channel number, each message once for all players who join. */
export class HistoryEncoder {
  #encoded = new WeakMap<SequencedMessage, string>()
  #size = 0

  encode(messages: readonly SequencedMessage[]): string {
    return `[${messages.map((message) => this.#encoded.get(message) ?? this.#add(message)).join()}]`
  }

  #add(message: SequencedMessage): string {
    if (this.#size++ === MAX_ENCODED) {
      this.#encoded = new WeakMap()
      this.#size = 1
    }
    const text = encode(messageFields(message))
    this.#encoded.set(message, text)
    return text
  }
}

/** Encodes the messages of players, the most frequent frame: formats the time only when the second has changed. */
export class MessageEncoder {
  #second = Number.NaN
  #time = ''

  encode(message: SequencedMessage): string {
    const { shard, player } = message
    const second = Math.floor(message.at / 1000)
    if (second !== this.#second) {
      this.#second = second
      this.#time = isoTime(message.at)
    }
    return encode({
      type: 'message',
      channel_group: shard.group,
      channel_name: shard.name,
      channel_id: shard.number,
      seq: message.seq,
      message_id: message.id,
      gamer_id: player?.id ?? '',
      gamer_name: player?.name ?? '',
      message: message.text,
      time: this.#time,
      system: player === undefined,
    })
  }
}

/** Frames sent without a request. */
export const pushes = {
  messageDeleted: (shard: Shard, messageId: string) =>
    encode({ type: 'message_deleted', ...shardFields(shard), message_id: messageId }),
  playerJoined: (shard: Shard, player: Player) =>
    encode({ type: 'player_joined', ...shardFields(shard), ...playerFields(player) }),
  playerLeft: (shard: Shard, player: Player) =>
    encode({ type: 'player_left', ...shardFields(shard), ...playerFields(player) }),
  playersChanged: ({ shard, players, memberCount }: PresenceChange) =>
    encode({
      type: 'players_changed',
      ...shardFields(shard),
      ...(players !== undefined && {
        joined: players.joined.map(playerFields),
        left: players.left.map(playerFields),
      }),
      player_count: memberCount,
    }),
  banned: (ban: Ban, remainSeconds: number) => encode({ type: 'banned', ...banFields(ban, remainSeconds) }),
  banLifted: () => encode({ type: 'ban_lifted' }),
  moved: (from: Shard, to: Shard) => encode({ type: 'moved', from: shardFields(from), to: shardFields(to) }),
  channelDeleted: (shard: Shard) => encode({ type: 'channel_deleted', ...shardFields(shard) }),
  goingAway: (reconnectInMs: number) => encode({ type: 'going_away', reconnect_in_ms: reconnectInMs }),
}

const targetFields = ({ number, ...key }: NonNullable<PlayerErrorDetails['channel']>) => ({
  ...keyFields(key),
  ...(number !== undefined && { channel_id: number }),
})

interface ErrorDescription {
  readonly kind: GatewayErrorKind
  readonly details: PlayerErrorDetails
  readonly property: string | undefined
}

function describe(thrown: unknown): ErrorDescription {
  if (thrown instanceof PlayerError) {
    const { kind, details } = thrown
    return { kind, details, property: details.input && INPUTS[details.input] }
  }
  if (thrown instanceof FrameError) return { kind: 'invalid', details: {}, property: thrown.property }
  return { kind: thrown instanceof GatewayError ? thrown.kind : 'internal', details: {}, property: undefined }
}

import { PlayerError, type PlayerErrorKind, type RefusalDetails } from '../core/errors.ts'
import type { Ban, ChannelKey, Player, SequencedMessage, Shard, Timestamp } from '../core/model.ts'

/** What a client chooses to know its answer by. */
export type FrameId = string | number | null

export type ClientFrame =
  | {
      readonly type: 'connect'
      readonly id: FrameId
      readonly token: string
      readonly language: string | undefined
    }
  | {
      readonly type: 'join'
      readonly id: FrameId
      readonly group: string
      readonly name: string | undefined
      readonly number: number | undefined
    }
  | { readonly type: 'leave'; readonly id: FrameId; readonly group: string }
  | { readonly type: 'say'; readonly id: FrameId; readonly group: string; readonly text: string }
  | {
      readonly type: 'resume'
      readonly id: FrameId
      readonly group: string
      readonly name: string
      readonly number: number
      readonly epoch: string
      readonly seq: number
    }
  | {
      readonly type: 'report'
      readonly id: FrameId
      readonly messageId: string
      readonly keyword: string
      readonly reason: string
    }
  | { readonly type: 'ping'; readonly id: FrameId }

/** 4000 to 4099: come back after a while. 4100 to 4199: don't. */
export const CLOSE = {
  draining: 4001,
  'connect-timeout': 4002,
  slow: 4008,
  'bad-token': 4101,
  replaced: 4102,
  protocol: 4103,
} as const

export type CloseReason = keyof typeof CLOSE

/** Refusals that only the door makes. */
export type GatewayErrorKind = PlayerErrorKind | 'not-connected' | 'bad-token' | 'internal'

const CODES = {
  banned: 'CHAT_BAN',
  'channel-full': 'CHANNEL_FULL',
  'channel-unknown': 'CHANNEL_NOT_FOUND',
  'joined-already': 'ALREADY_JOIN_CHANNEL',
  'not-joined': 'NOT_JOIN_CHANNEL',
  'message-too-long': 'MESSAGE_TOO_LONG',
  'message-too-short': 'MESSAGE_TOO_SHORT',
  'message-filtered': 'MESSAGE_FILTERED',
  'message-spam': 'MESSAGE_SPAM',
  'own-message': 'NOT_MY_REPORT',
  'message-too-old': 'LIMIT_REPORT_MESSAGE_DAYS',
  'too-many-reports': 'TOO_MANY_REPORT',
  invalid: 'INVALID_PARAMETER',
  'not-connected': 'NOT_AUTHENTICATION',
  'bad-token': 'NOT_AUTHENTICATION',
  internal: 'UNKNOWN_ERROR',
} as const satisfies Record<GatewayErrorKind, string>

const MESSAGES: Readonly<Record<GatewayErrorKind, string>> = {
  banned: 'You are banned from chat.',
  'channel-full': 'The channel is full.',
  'channel-unknown': 'The channel was not found.',
  'joined-already': 'You are in a channel of this group already.',
  'not-joined': 'You are not in a channel of this group.',
  'message-too-long': 'The message is too long.',
  'message-too-short': 'The message is empty.',
  'message-filtered': 'The message has forbidden words.',
  'message-spam': 'Too many messages.',
  'own-message': 'You cannot report yourself.',
  'message-too-old': 'The message is too old to be reported.',
  'too-many-reports': 'You have reported too often today.',
  invalid: 'A parameter is missing or has an invalid value.',
  'not-connected': 'The first frame must be connect.',
  'bad-token': 'The token is not valid.',
  internal: 'An internal error occurred.',
}

/** A frame that has no sense. The connection goes on; the client is told. */
export class FrameError extends Error {
  override name = 'FrameError'
  readonly id: FrameId

  constructor(id: FrameId) {
    super('invalid frame')
    this.id = id
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Throws `FrameError` for anything that is not a frame of the protocol. */
export function decodeFrame(text: string): ClientFrame {
  const fields = parseFields(text)
  const id = readId(fields)
  const need = <T>(value: T | undefined): T => {
    if (value === undefined) throw new FrameError(id)
    return value
  }
  const group = () => need(readText(fields['channel_group']))
  switch (fields['type']) {
    case 'connect':
      return {
        type: 'connect',
        id,
        token: need(readText(fields['token'])),
        language: readText(fields['language']),
      }
    case 'join': {
      const number = fields['channel_id'] ?? undefined
      return {
        type: 'join',
        id,
        group: group(),
        name: readText(fields['channel_name']),
        number: number === undefined ? undefined : need(readNumber(number)),
      }
    }
    case 'leave':
      return { type: 'leave', id, group: group() }
    case 'say':
      return { type: 'say', id, group: group(), text: need(asText(fields['message'])) }
    case 'resume':
      return {
        type: 'resume',
        id,
        group: group(),
        name: need(readText(fields['channel_name'])),
        number: need(readNumber(fields['channel_id'])),
        epoch: need(readText(fields['epoch'])),
        seq: need(readCount(fields['seq'])),
      }
    case 'report':
      return {
        type: 'report',
        id,
        messageId: need(readText(fields['message_id'])),
        keyword: need(readText(fields['keyword'])),
        reason:
          fields['reason'] === undefined || fields['reason'] === null ? '' : need(asText(fields['reason'])),
      }
    case 'ping':
      return { type: 'ping', id }
    default:
      throw new FrameError(id)
  }
}

function parseFields(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  } catch {}
  throw new FrameError(null)
}

const MAX_ID_LENGTH = 64

function readId({ id }: Fields): FrameId {
  if (typeof id === 'string' && id.length <= MAX_ID_LENGTH) return id
  return typeof id === 'number' && Number.isFinite(id) ? id : null
}

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
const readText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const readNumber = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
const readCount = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined

const isoTime = (at: Timestamp) => `${new Date(at).toISOString().slice(0, 19)}Z`
const keyFields = ({ group, name }: ChannelKey) => ({ channel_group: group, channel_name: name })
const shardFields = (shard: Shard) => ({ ...keyFields(shard), channel_id: shard.number })
const playerFields = ({ id, name }: Player) => ({ gamer_id: id, gamer_name: name })

const messageFields = (message: SequencedMessage) => ({
  ...shardFields(message.shard),
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

/** What the server answers. */
export const answers = {
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
    arrival: {
      shard: Shard
      maxMembers: number
      members: readonly Player[]
      messages: readonly SequencedMessage[]
      seq: number
      epoch: string
      recovered?: boolean
    },
  ) =>
    encode({
      type: 'joined',
      id,
      ...shardFields(arrival.shard),
      max_count: arrival.maxMembers,
      players: arrival.members.map(playerFields),
      messages: arrival.messages.map(messageFields),
      seq: arrival.seq,
      epoch: arrival.epoch,
      ...(arrival.recovered !== undefined && { recovered: arrival.recovered }),
    }),
  left: (id: FrameId, group: string) => encode({ type: 'left', id, channel_group: group }),
  said: (id: FrameId, { id: messageId, seq, text }: SequencedMessage, isFiltered: boolean) =>
    encode({ type: 'said', id, message_id: messageId, seq, message: text, filtered: isFiltered }),
  reported: (id: FrameId, reportId: number) => encode({ type: 'reported', id, report_id: reportId }),
  pong: (id: FrameId) => encode({ type: 'pong', id }),
  error: (id: FrameId, thrown: unknown) => {
    const { kind, details } = describe(thrown)
    return encode({
      type: 'error',
      id,
      code: CODES[kind],
      message: MESSAGES[kind],
      ...(details.remainSeconds !== undefined && { remain_seconds: details.remainSeconds }),
      ...(details.retryAfterMs !== undefined && { retry_after_ms: details.retryAfterMs }),
    })
  },
}

/** What the server says unasked. */
export const pushes = {
  message: (message: SequencedMessage) => encode({ type: 'message', ...messageFields(message) }),
  playerJoined: (shard: Shard, player: Player) =>
    encode({ type: 'player_joined', ...shardFields(shard), ...playerFields(player) }),
  playerLeft: (shard: Shard, player: Player) =>
    encode({ type: 'player_left', ...shardFields(shard), ...playerFields(player) }),
  banned: (ban: Ban, remainSeconds: number) => encode({ type: 'banned', ...banFields(ban, remainSeconds) }),
  banLifted: () => encode({ type: 'ban_lifted' }),
  moved: (from: Shard, to: Shard) => encode({ type: 'moved', from: shardFields(from), to: shardFields(to) }),
  channelDeleted: (shard: Shard) => encode({ type: 'channel_deleted', ...shardFields(shard) }),
  goingAway: (reconnectInMs: number) => encode({ type: 'going_away', reconnect_in_ms: reconnectInMs }),
}

/** Thrown by the door itself. */
export class GatewayError extends Error {
  override name = 'GatewayError'
  readonly kind: GatewayErrorKind

  constructor(kind: GatewayErrorKind) {
    super(kind)
    this.kind = kind
  }
}

/** Whether it is a refusal, and not a failure of ours. */
export const isRefusal = (thrown: unknown) =>
  thrown instanceof PlayerError || thrown instanceof GatewayError || thrown instanceof FrameError

function describe(thrown: unknown): { kind: GatewayErrorKind; details: RefusalDetails } {
  if (thrown instanceof PlayerError) return thrown
  if (thrown instanceof GatewayError) return { kind: thrown.kind, details: {} }
  return { kind: thrown instanceof FrameError ? 'invalid' : 'internal', details: {} }
}

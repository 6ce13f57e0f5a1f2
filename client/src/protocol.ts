/** Error codes of the server; the last four are the client's own. */
export type ErrorCode =
  | 'NOT_AUTHENTICATION'
  | 'INVALID_PARAMETER'
  | 'CHAT_BAN'
  | 'MESSAGE_TOO_LONG'
  | 'MESSAGE_TOO_SHORT'
  | 'MESSAGE_FILTERED'
  | 'MESSAGE_SPAM'
  | 'CHANNEL_FULL'
  | 'CHANNEL_NOT_FOUND'
  | 'NOT_JOIN_CHANNEL'
  | 'ALREADY_JOIN_CHANNEL'
  | 'TOO_MANY_REPORT'
  | 'NOT_MY_REPORT'
  | 'LIMIT_REPORT_MESSAGE_DAYS'
  | 'DUPLICATE_CONNECTION'
  | 'SERVER_BUSY'
  | 'UNKNOWN_ERROR'
  | 'DISCONNECTED'
  | 'TIMEOUT'
  | 'QUEUE_FULL'
  | 'CLOSED'

export class ParleyError extends Error {
  override name = 'ParleyError'
  readonly code: ErrorCode
  /** Set for `CHAT_BAN`. */
  readonly remainSeconds: number | undefined
  /** Set for `MESSAGE_SPAM`. */
  readonly retryAfterMs: number | undefined
  /** Set for `MESSAGE_FILTERED` if the server reports hits. */
  readonly hits: readonly FilterHit[] | undefined
  /** Set for `INVALID_PARAMETER`: the invalid field of the frame. */
  readonly property: string | undefined
  /** Set for `CHANNEL_FULL`: the requested channel. */
  readonly channel: RequestedChannel | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    const { channelGroup, channelName, channelId } = details
    this.property = details.property
    this.channel =
      channelGroup === undefined || channelName === undefined
        ? undefined
        : { channelGroup, channelName, channelId }
    this.code = code
    this.remainSeconds = details.remainSeconds
    this.retryAfterMs = details.retryAfterMs
    this.hits = details.hits
  }
}

/** Without `channelId` if the server was to pick the channel number. */
export interface RequestedChannel {
  readonly channelGroup: string
  readonly channelName: string
  readonly channelId: number | undefined
}

interface ErrorDetails {
  readonly remainSeconds?: number
  readonly retryAfterMs?: number
  readonly hits?: readonly FilterHit[]
  readonly property?: string
  readonly channelGroup?: string
  readonly channelName?: string
  readonly channelId?: number
}

export interface Player {
  readonly gamerId: string
  readonly gamerName: string
}

export interface Ban {
  readonly endTime: Date
  readonly remainSeconds: number
  readonly count: number
}

export interface Session extends Player {
  readonly sessionId: string
  readonly language: string
  readonly ban: Ban | null
}

/** Identifies a channel number. */
export interface ChannelRef {
  readonly channelGroup: string
  readonly channelName: string
  readonly channelId: number
}

export interface Message extends ChannelRef, Player {
  readonly seq: number
  readonly messageId: string
  readonly message: string
  readonly time: Date
  /** Sent by the operators, not by a player. */
  readonly system: boolean
}

export interface Channel extends ChannelRef {
  readonly maxCount: number
  /** The 200 players who joined first. `ParleyClient.players` lists all. */
  readonly players: readonly Player[]
  readonly playerCount: number
  /** Recent messages, oldest first; after a resume, the missed ones. */
  readonly messages: readonly Message[]
  readonly seq: number
  readonly epoch: string
}

/** Up to 200 members of a channel number, in the order in which they joined. */
export interface PlayersPage extends ChannelRef {
  readonly players: readonly Player[]
  readonly playerCount: number
}

export interface SayResult {
  readonly messageId: string
  readonly seq: number
  /** The filtered text, as other players see it. */
  readonly message: string
  readonly filtered: boolean
  /** The filter's matches, if the server reports them. */
  readonly hits?: readonly FilterHit[]
}

/** A match of a word-list expression, in UTF-16 code units of the trimmed text. */
export interface FilterHit {
  readonly start: number
  readonly end: number
  readonly expression: string
  /** The language of the word list; `all` for the list of all languages. */
  readonly language: string
}

export interface PlayerCountEvent extends ChannelRef {
  readonly playerCount: number
}

/** Joins and leaves of one second in a large channel. Very large ones name no players. */
export interface PlayersChanged extends PlayerCountEvent {
  readonly joined?: readonly Player[]
  readonly left?: readonly Player[]
}

export interface PlayerEvent extends ChannelRef, Player {}

export interface MovedEvent {
  readonly from: ChannelRef
  readonly to: Channel
}

export interface MessageDeletedEvent extends ChannelRef {
  readonly messageId: string
}

/** A frame about one channel number. */
export type ChannelFrame =
  | ({ readonly type: 'message' } & Message)
  | ({ readonly type: 'player_joined' | 'player_left' } & PlayerEvent)
  | ({ readonly type: 'players_changed' } & PlayersChanged)
  | ({ readonly type: 'channel_deleted' } & ChannelRef)
  | ({ readonly type: 'message_deleted' } & MessageDeletedEvent)

/** Frames from the server, with names in camelCase. */
export type ServerFrame =
  | ChannelFrame
  | ({ readonly type: 'connected' } & Session)
  | ({ readonly type: 'banned' } & Ban)
  | { readonly type: 'ban_lifted' }
  /** Followed immediately by a `joined` without an id. */
  | { readonly type: 'moved'; readonly from: ChannelRef }
  | { readonly type: 'going_away'; readonly reconnectInMs: number }
  | ({ readonly type: 'joined'; readonly id: string | null } & Channel)
  | { readonly type: 'players' | 'left' | 'said' | 'reported' | 'pong'; readonly id: string }
  | ErrorFrame

export interface ErrorFrame extends ErrorDetails {
  readonly type: 'error'
  readonly id?: string | null
  readonly code: ErrorCode
  readonly message: string
}

export interface ClientFrame {
  readonly type: 'connect' | 'join' | 'players' | 'leave' | 'say' | 'report' | 'resume' | 'ping'
  readonly [field: string]: unknown
}

export const toError = (frame: ErrorFrame) => new ParleyError(frame.code, frame.message, frame)

type Body<Frame> = Frame extends unknown ? Omit<Frame, 'type' | 'id'> : never

export function bodyOf<Frame extends { readonly type: string; readonly id?: unknown }>(
  frame: Frame,
): Body<Frame> {
  const { type: _type, id: _id, ...body } = frame
  return body as Body<Frame>
}

export function encode(frame: ClientFrame): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(frame).map(([name, value]) => [toSnake(name), value])),
  )
}

/** Returns undefined for anything but a frame: a newer server may send what this client does not know. */
export function decode(data: unknown): ServerFrame | undefined {
  if (typeof data !== 'string') return undefined
  try {
    const frame = decodeValue('', JSON.parse(data))
    return typeof frame === 'object' && frame !== null && 'type' in frame ? (frame as ServerFrame) : undefined
  } catch {
    return undefined
  }
}

const TIME_FIELDS: ReadonlySet<string> = new Set(['time', 'end_time'])

function decodeValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => decodeValue('', each))
  if (typeof value === 'string' && TIME_FIELDS.has(name)) return new Date(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toCamel(key), decodeValue(key, inner)]),
  )
}

const toCamel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

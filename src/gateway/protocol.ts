import { PlayerError, type PlayerErrorKind } from '../core/errors.ts'
import { isLanguageCode, MAX_NAME_BYTES, normalizeName } from '../core/text.ts'

/** Chosen by the client to match a reply to its request. */
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
  | {
      readonly type: 'players'
      readonly id: FrameId
      readonly group: string
      readonly cursor: string | undefined
    }
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

/** 4000 to 4099: reconnect with backoff. 4100 to 4199: do not reconnect. */
export const CLOSE = {
  draining: 4001,
  'connect-timeout': 4002,
  slow: 4008,
  flooding: 4009,
  'bad-token': 4101,
  replaced: 4102,
  protocol: 4103,
} as const

export type CloseReason = keyof typeof CLOSE

/** Error kinds of the core, and those that only the gateway raises. */
export type GatewayErrorKind =
  | PlayerErrorKind
  | 'not-connected'
  | 'bad-token'
  | 'replaced'
  | 'busy'
  | 'internal'

/** An invalid frame. The reply names the invalid property, and the connection stays open. */
export class FrameError extends Error {
  override name = 'FrameError'
  readonly id: FrameId
  /** Undefined when the text is not a JSON object. */
  readonly property: string | undefined

  constructor(id: FrameId, property?: string) {
    super(`invalid frame: ${property ?? 'not an object'}`)
    this.id = id
    this.property = property
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Throws `FrameError` unless the text is a valid frame. */
export function decodeFrame(text: string): ClientFrame {
  const fields = parseFields(text)
  const id = readId(fields)
  const need = <T>(property: string, read: (value: unknown) => T | undefined): T => {
    const value = read(fields[property])
    if (value === undefined) throw new FrameError(id, property)
    return value
  }
  const optional = <T>(property: string, read: (value: unknown) => T | undefined): T | undefined =>
    (fields[property] ?? undefined) === undefined ? undefined : need(property, read)
  const group = () => need('channel_group', readName)
  switch (fields['type']) {
    case 'connect':
      return {
        type: 'connect',
        id,
        token: need('token', readText),
        language: optional('language', readLanguage),
      }
    case 'join':
      return {
        type: 'join',
        id,
        group: group(),
        name: optional('channel_name', readName),
        number: optional('channel_id', readNumber),
      }
    case 'leave':
      return { type: 'leave', id, group: group() }
    case 'players':
      return { type: 'players', id, group: group(), cursor: optional('cursor', readText) }
    case 'say':
      return { type: 'say', id, group: group(), text: need('message', asText) }
    case 'resume':
      return {
        type: 'resume',
        id,
        group: group(),
        name: need('channel_name', readName),
        number: need('channel_id', readNumber),
        epoch: need('epoch', readText),
        seq: need('seq', readCount),
      }
    case 'report':
      return {
        type: 'report',
        id,
        messageId: need('message_id', readText),
        keyword: need('keyword', readText),
        reason: optional('reason', asText) ?? '',
      }
    case 'ping':
      return { type: 'ping', id }
    default:
      throw new FrameError(id, 'type')
  }
}

/** Reads only the id, for a frame that is rejected unparsed. Null if there is none. */
export function decodeId(text: string): FrameId {
  try {
    return readId(parseFields(text))
  } catch {
    return null
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
const readLanguage = (value: unknown) =>
  typeof value === 'string' && isLanguageCode(value) ? value : undefined
/** Normalized as channel names are stored. */
const readName = (value: unknown) => {
  const name = typeof value === 'string' ? normalizeName(value, MAX_NAME_BYTES) : ''
  return name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES ? name : undefined
}
const readNumber = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
const readCount = (value: unknown) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined

/** An error that the gateway itself raises. */
export class GatewayError extends Error {
  override name = 'GatewayError'
  readonly kind: GatewayErrorKind

  constructor(kind: GatewayErrorKind) {
    super(kind)
    this.kind = kind
  }
}

/** Whether the client caused the error, as opposed to a failure of the server. */
export const isClientError = (thrown: unknown) =>
  thrown instanceof PlayerError || thrown instanceof GatewayError || thrown instanceof FrameError

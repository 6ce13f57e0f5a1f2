import type { Frame } from '../support/player.ts'

const ERROR_CODES = new Set(
  (
    'NOT_AUTHENTICATION INVALID_PARAMETER CHAT_BAN MESSAGE_TOO_LONG MESSAGE_TOO_SHORT MESSAGE_FILTERED ' +
    'MESSAGE_SPAM CHANNEL_FULL CHANNEL_NOT_FOUND NOT_JOIN_CHANNEL ALREADY_JOIN_CHANNEL TOO_MANY_REPORT ' +
    'NOT_MY_REPORT LIMIT_REPORT_MESSAGE_DAYS DUPLICATE_CONNECTION'
  ).split(' '),
)
/** Fields of each error code; `?` marks optional ones. */
const DETAILS: Record<string, string> = {
  CHAT_BAN: 'remain_seconds',
  MESSAGE_SPAM: 'retry_after_ms',
  INVALID_PARAMETER: 'property?',
  CHANNEL_FULL: 'channel_group channel_name channel_id?',
}
const SUCCESS: Record<string, string> = {
  connect: 'type=connected id session_id gamer_id gamer_name language ban',
  join: 'type=joined id channel_group channel_name channel_id max_count players player_count messages seq epoch',
  resume:
    'type=joined id channel_group channel_name channel_id max_count players player_count messages seq epoch recovered',
  players: 'type=players id channel_group channel_name channel_id players player_count',
  leave: 'type=left id channel_group',
  say: 'type=said id message_id seq message filtered',
  report: 'type=reported id report_id',
  ping: 'type=pong id',
}
export const MESSAGE_KEYS =
  'channel_group channel_name channel_id seq message_id gamer_id gamer_name message time system'

/** The fields of a request that its reply depends on. */
export interface ParsedFrame {
  readonly type: unknown
  readonly id: unknown
  readonly message: unknown
}

/** Parses a request. An id that is not a short string or a number becomes null, as in the reply. */
export function parseRequest(text: string): ParsedFrame {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const { type, id, message } = value as Record<string, unknown>
      const isId = (typeof id === 'string' && id.length <= 64) || Number.isFinite(id)
      return { type, id: isId ? id : null, message }
    }
  } catch {}
  return { type: undefined, id: null, message: undefined }
}

export const hasKeys = (frame: object, keys: string) =>
  Object.keys(frame).sort().join(' ') === keys.split(' ').sort().join(' ')

/** Returns what is wrong with a reply, or undefined. */
export function findReplyError(request: ParsedFrame, reply: Frame): string | undefined {
  // `===` because -0 is returned as 0.
  if (reply.id !== request.id) return `id ${JSON.stringify(reply.id)}`
  if (reply.type === 'error') {
    const keys = `type id code message ${DETAILS[reply.code] ?? ''}`.trim().split(' ')
    const present = keys.filter((key) => !key.endsWith('?') || Object.hasOwn(reply, key.slice(0, -1)))
    const isSound = hasKeys(reply, present.map((key) => key.replace('?', '')).join(' '))
    return isSound && ERROR_CODES.has(reply.code) && typeof reply.message === 'string'
      ? undefined
      : 'not a valid error'
  }
  const [type = '', ...keys] = (SUCCESS[String(request.type)] ?? '').split(' ')
  if (`type=${reply.type}` !== type || !hasKeys(reply, ['type', ...keys].join(' ')))
    return 'not the expected reply'
  if (reply.type === 'said' && reply.message !== String(request.message).trim()) return 'wrong message text'
  const messages: Frame[] = reply.type === 'joined' ? reply.messages : []
  return messages.every((each) => hasKeys(each, MESSAGE_KEYS)) ? undefined : 'not a valid message'
}

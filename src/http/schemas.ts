import { z } from 'zod'
import { packExpressions } from '../core/expressions.ts'
import {
  isLanguageCode,
  isMessageText,
  isName,
  isPlainText,
  LANGUAGE_CODE,
  normalizeName,
} from '../core/text.ts'
import type { RequestErrorKind } from './errors.ts'

/** The bounds of what a request may hold. */
export interface InputLimits {
  readonly nameBytes: number
  readonly strictNames: boolean
  readonly gamerIdBytes: number
  readonly nicknameBytes: number
  readonly defaultMaxCount: number
  readonly maxCount: number
  readonly banDays: number
  readonly expressionsPerLanguage: number
  readonly expressionCharacters: number
  readonly messageBytes: number
  readonly messageDays: number
  readonly bodyBytes: number
}

/** Of one request. */
const MAX_TEXTS = 1000
const DEFAULT_BACKTEST_DAYS = 7
const MAX_BACKTEST_ID_BYTES = 128

const DEFAULT_TOKEN_SECONDS = 3600
const MAX_TOKEN_SECONDS = 2_592_000
const MAX_MESSAGE_ID_BYTES = 128

const STRICT_NAME = /^[a-z0-9-]{4,48}$/
const RESERVED_GROUPS = new Set(['language', 'country', 'countrycode', 'guild', 'whisper'])

/** The fields of the management API. Each says how it is shown in the OpenAPI document. */
function createFields(limits: InputLimits) {
  const isChannelName = limits.strictNames ? (text: string) => STRICT_NAME.test(text) : isName
  const isGroupName = (text: string) =>
    isChannelName(text) && !(limits.strictNames && RESERVED_GROUPS.has(text))
  const nameSchema = limits.strictNames ? { pattern: STRICT_NAME.source } : upToBytes(limits.nameBytes)
  return {
    channelGroup: name(limits.nameBytes, isGroupName).meta({
      ...nameSchema,
      description: 'Open channel group.',
    }),
    channelName: name(limits.nameBytes, isChannelName).meta({ ...nameSchema, description: 'Channel name.' }),
    channelType: number(isOneOf(1)).meta({
      const: 1,
      description: 'Channel type: 1, the open channel.',
    }),
    channelNumber: number(isWhole(0, Number.MAX_SAFE_INTEGER)).meta({
      type: 'integer',
      minimum: 0,
      description: 'Channel number; 0 or absent for every number of the channel.',
    }),
    maxCount: number(isWhole(1, limits.maxCount)).meta({
      type: 'integer',
      minimum: 1,
      maximum: limits.maxCount,
      description: 'Maximum number of members of each channel number.',
    }),
    isDefault: z.boolean().meta({ description: 'Makes it the FALLBACK channel of its group.' }),
    isAutoscaling: z.boolean().meta({ description: 'Whether the next number opens when all are full.' }),
    gamerId: name(limits.gamerIdBytes).meta({
      ...upToBytes(limits.gamerIdBytes),
      description: "The player's unique id.",
    }),
    gamerName: name(limits.nicknameBytes).meta({
      ...upToBytes(limits.nicknameBytes),
      description: 'The name that other players see.',
    }),
    expiresIn: number(isWhole(1, MAX_TOKEN_SECONDS)).meta({
      type: 'integer',
      minimum: 1,
      maximum: MAX_TOKEN_SECONDS,
      description: 'Seconds until the token expires.',
    }),
    days: number((days) => days > 0 && days <= limits.banDays).meta({
      exclusiveMinimum: 0,
      maximum: limits.banDays,
      description: 'Days of restriction; 0.5 is twelve hours.',
    }),
    language: text(Number.POSITIVE_INFINITY, isLanguageCode).meta({
      pattern: LANGUAGE_CODE.source,
      description: 'A language code, or `all`.',
    }),
    filters: expressions(limits),
    messageId: text(MAX_MESSAGE_ID_BYTES, (id) => id !== '' && isPlainText(id)).meta({
      ...upToBytes(MAX_MESSAGE_ID_BYTES),
      description: 'The id that players know the message by.',
    }),
    loggedDays: number((days) => days > 0 && days <= limits.messageDays).meta({
      exclusiveMinimum: 0,
      maximum: limits.messageDays,
      description: 'Days of the message log to cover; fractions are allowed.',
    }),
    backtestId: text(MAX_BACKTEST_ID_BYTES, (id) => id !== '' && isPlainText(id)).meta({
      ...upToBytes(MAX_BACKTEST_ID_BYTES),
      description: 'Id of the back-test. Default: the newest.',
    }),
    texts: texts(limits),
    message: message(limits.messageBytes).meta({
      ...upToBytes(limits.messageBytes),
      description: 'Message text.',
    }),
  }
}

/** What each operation takes. */
export function createInputs(limits: InputLimits) {
  const field = createFields(limits)
  const group = z.object({ channel_group: field.channelGroup })
  const channelKey = group.extend({ channel_name: field.channelName })
  const player = z.object({ gamer_id: field.gamerId })
  return {
    nothing: z.object({}),
    group,
    channelKey,
    newChannel: channelKey.extend({
      max_count: field.maxCount.default(limits.defaultMaxCount),
      is_default: field.isDefault.default(false),
      is_autoscaling: field.isAutoscaling.default(true),
    }),
    changedChannel: channelKey.extend({
      max_count: field.maxCount.optional(),
      is_default: field.isDefault.optional(),
      is_autoscaling: field.isAutoscaling.optional(),
    }),
    player,
    ban: player.extend({ days: field.days }),
    playerToken: player.extend({
      gamer_name: field.gamerName,
      language: field.language.optional(),
      expires_in: field.expiresIn.default(DEFAULT_TOKEN_SECONDS),
    }),
    filterList: z.object({ language: field.language, filters: field.filters }),
    messageKey: z.object({ message_id: field.messageId }),
    filterCheck: z.object({
      language: field.language,
      texts: field.texts,
      filters: field.filters.optional(),
    }),
    backtest: z.object({
      language: field.language,
      filters: field.filters,
      days: field.loggedDays.default(Math.min(DEFAULT_BACKTEST_DAYS, limits.messageDays)),
    }),
    backtestKey: z.object({ backtest_id: field.backtestId.optional() }),
    systemMessage: z.object({
      channel_type: field.channelType,
      ...channelKey.shape,
      channel_id: field.channelNumber.optional(),
      message: field.message,
    }),
  }
}

export type Inputs = ReturnType<typeof createInputs>

const isMessage = (text: string) => text !== '' && isMessageText(text)
const isOneOf = (value: number) => (other: number) => other === value
const isWhole = (min: number, max: number) => (value: number) =>
  Number.isInteger(value) && value >= min && value <= max

/**
 * Bytes are what the server counts, and a schema can count characters only. The pattern allows what fits whatever its
 * characters are: so many of ASCII, half as many of two bytes, a third of the others of the first plane, a quarter of any.
 */
function upToBytes(max: number, min = 1) {
  const characters = ['[\\u0000-\\u007f]', '[\\u0000-\\u07ff]', '[\\u0000-\\uffff]', '[\\s\\S]']
  const tiers = characters.flatMap((each, index) => {
    const fitting = Math.floor(max / (index + 1))
    return fitting < min ? [] : `${each}{${min},${fitting}}`
  })
  return { minLength: min, maxLength: max, 'x-max-bytes': max, pattern: `^(?:${tiers.join('|')})$` }
}

const refuse = (refusal: RequestErrorKind) => ({ code: 'custom', params: { refusal } }) as const

const text = (maxBytes: number, isValid: (text: string) => boolean) =>
  z.string().superRefine(bounded(maxBytes, isValid))

const bounded =
  (maxBytes: number, isValid: (text: string) => boolean) =>
  (value: string, context: z.core.$RefinementCtx<string>) => {
    if (Buffer.byteLength(value) > maxBytes) context.addIssue(refuse('too-long'))
    else if (!isValid(value)) context.addIssue(refuse('invalid'))
  }

/** Measured as it is delivered, without white space at either end. */
const message = (maxBytes: number) =>
  z.string().superRefine((value, context) => bounded(maxBytes, isMessage)(value.trim(), context))

/** Normalized on input, so that two spellings of a name are the same name. */
function name(maxBytes: number, isValid: (text: string) => boolean = isName) {
  return z
    .string()
    .overwrite((value) => normalizeName(value, maxBytes))
    .superRefine(bounded(maxBytes, isValid))
}

function number(isValid: (value: number) => boolean) {
  return z.number().superRefine((value, context) => {
    if (!isValid(value)) context.addIssue(refuse('invalid'))
  })
}

/**
 * An array of strings, judged by hand: a schema for the elements would report every bad one, and a body has room for
 * millions. The first bad element decides, and no more elements are looked at than the array may have.
 */
function strings<T>(
  maxItems: number,
  judge: (text: string) => RequestErrorKind | undefined,
  make: (list: readonly string[]) => T,
) {
  return z.unknown().transform((value, context): T => {
    const list = isStrings(value, maxItems) ? value : undefined
    const refusal = list === undefined ? 'not-strings' : judgeAll(list, maxItems, judge)
    if (list !== undefined && refusal === undefined) return make(list)
    context.addIssue(refuse(refusal ?? 'not-strings'))
    return z.NEVER
  })
}

/** Looks at one element more than the array may have; a longer one is refused whatever the rest is. */
function isStrings(value: unknown, maxItems: number): value is readonly string[] {
  if (!Array.isArray(value)) return false
  const looked = Math.min(value.length, maxItems + 1)
  for (let index = 0; index < looked; index++) if (typeof value[index] !== 'string') return false
  return true
}

function judgeAll(
  list: readonly string[],
  maxItems: number,
  judge: (text: string) => RequestErrorKind | undefined,
): RequestErrorKind | undefined {
  if (list.length > maxItems) return 'too-long'
  for (const each of list) {
    const refusal = judge(each)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function expressions({ expressionsPerLanguage, expressionCharacters }: InputLimits) {
  const judge = (text: string) => {
    if (hasMoreThan(expressionCharacters, text)) return 'too-long'
    return text.trim() !== '' && isPlainText(text) ? undefined : 'invalid'
  }
  return strings(expressionsPerLanguage, judge, packExpressions).meta({
    type: 'array',
    items: { type: 'string', minLength: 1, maxLength: expressionCharacters, pattern: '\\S' },
    maxItems: expressionsPerLanguage,
    description: 'Expressions, a word or phrase each. One leading or trailing `*` opens that side.',
  })
}

function texts({ messageBytes }: InputLimits) {
  const judge = (text: string) => {
    if (Buffer.byteLength(text) > messageBytes) return 'too-long'
    return text.isWellFormed() ? undefined : 'invalid'
  }
  return strings(MAX_TEXTS, judge, (list) => list).meta({
    type: 'array',
    items: { type: 'string', ...upToBytes(messageBytes, 0) },
    maxItems: MAX_TEXTS,
    description: 'Texts as players would say them.',
  })
}

/** Counts code points, and only where the cheaper count of units does not decide. */
const hasMoreThan = (characters: number, text: string) =>
  text.length > characters * 2 || (text.length > characters && [...text].length > characters)

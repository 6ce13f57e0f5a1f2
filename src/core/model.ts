import type { Expressions } from './expressions.ts'

/** Milliseconds since the epoch, UTC. */
export type Timestamp = number

export interface ChannelKey {
  readonly group: string
  readonly name: string
}

/**
 * Distinguishes a channel from earlier ones of the same name: a channel that is deleted and created again gets a new
 * incarnation, and with it new seats, a new history and a new epoch.
 */
export interface ChannelIdentity extends ChannelKey {
  readonly incarnation: number
}

export const channelIdentity = ({ group, name, incarnation }: ChannelIdentity): ChannelIdentity => ({
  group,
  name,
  incarnation,
})

export interface ChannelSettings {
  /** Seats in each channel number. */
  readonly maxMembers: number
  /** Takes players of the group who cannot get a seat elsewhere. At most one channel per group. */
  readonly isFallback: boolean
  /** Opens a new channel number when all others are full. */
  readonly isAutoscaling: boolean
}

/** A channel as operators define it. Players join its channel numbers (`Shard`), which open automatically. */
export interface Channel extends ChannelIdentity, ChannelSettings {
  readonly createdAt: Timestamp
}

/** A channel number: one numbered copy of a channel. Number 1 always exists. */
export interface Shard extends ChannelIdentity {
  readonly number: number
}

export interface Player {
  readonly id: string
  readonly name: string
}

/** An open channel number and its members. */
export interface ShardRoster extends Shard {
  readonly members: readonly Player[]
}

export interface ChatMessage {
  readonly id: string
  readonly shard: Shard
  /** Undefined for system messages. */
  readonly player: Player | undefined
  /** The masked text that players see. */
  readonly text: string
  /** The text before masking. */
  readonly original: string
  /** The sender's language, which selected the filter lists. Undefined for system messages. */
  readonly language: string | undefined
  /** Filter hits in the original. Shown to operators, and to the sender if configured. */
  readonly hits: readonly FilterHit[]
  readonly at: Timestamp
}

/** A message with its position in its channel number's sequence. A new epoch means that the sequence started over. */
export interface SequencedMessage extends ChatMessage {
  readonly seq: number
  readonly epoch: string
}

/** A message as stored in the log, for operators. */
export interface LoggedMessage extends SequencedMessage {
  /** Undefined unless the message was deleted. */
  readonly deletedAt: Timestamp | undefined
}

export interface Ban {
  /** Increases with every ban, across all players. */
  readonly seq: number
  readonly playerId: string
  /** Number of bans ever applied to this player, including this one. */
  readonly count: number
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
}

/** A `forbidden` list holds expressions to mask or block, an `allowed` list the words and phrases exempt from that. */
export const FILTER_LIST_KINDS = ['forbidden', 'allowed'] as const
export type FilterListKind = (typeof FILTER_LIST_KINDS)[number]

export interface FilterList {
  readonly kind: FilterListKind
  /** `all` or a language code, as last written. Compared by `languageKey`. */
  readonly language: string
  readonly expressions: Expressions
}

/** A range of a text that matches a forbidden expression. */
export interface FilterHit {
  /** Offset in the original, in UTF-16 code units. */
  readonly start: number
  readonly end: number
  readonly expression: string
  /** The list's language. */
  readonly language: string
  /** How the text matches the expression. Hits logged by earlier versions have none. */
  readonly rule?: FilterRule
}

/** The rules of the profanity filter, from the most to the least literal. */
export const FILTER_RULES = ['word', 'open', 'inflection', 'compound', 'disguise', 'split'] as const
export type FilterRule = (typeof FILTER_RULES)[number]

/** Normalizes a language code for comparison. */
export const languageKey = (language: string) => language.toLowerCase().replaceAll('_', '-')

export const ALL_LANGUAGES = 'all'

/** Whether a list applies to messages in a language: it is for that language, for a parent (`ko` for `ko-KR`), or for `all`. */
export function listApplies(messageLanguage: string, { language }: Pick<FilterList, 'language'>): boolean {
  const [key, list] = [languageKey(messageLanguage), languageKey(language)]
  return list === ALL_LANGUAGES || key === list || key.startsWith(`${list}-`)
}

export const REPORT_STATUS = { open: 1, processed: 2 } as const
export const REPORT_OUTCOME = { none: 0, chatBan: 1, suspension: 2, permanentSuspension: 3 } as const

/** A player's report of a message. A player can report a message only once. */
export interface Report {
  readonly id: number
  readonly reported: Player
  readonly reporter: Player
  readonly message: string
  readonly messageId: string
  readonly keyword: string
  readonly reason: string
  readonly createdAt: Timestamp
  readonly status: number
  readonly outcome: number
  readonly updatedAt: Timestamp
}

/** A message in a report's context. */
export type ContextMessage = Omit<LoggedMessage, 'hits'>

export interface NewReport extends Omit<Report, 'id' | 'status' | 'outcome' | 'updatedAt'> {
  /** Messages around the reported one, oldest first. Only the first report of a message stores its context. */
  readonly context: readonly ContextMessage[]
}

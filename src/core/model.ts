import type { Expressions } from './expressions.ts'

/** Milliseconds since the epoch, UTC. */
export type Timestamp = number

export interface ChannelKey {
  readonly group: string
  readonly name: string
}

/**
 * Tells a channel from every other that ever had its name: deleted and created again, it has another incarnation, and with it
 * other seats, another history and another epoch.
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
  /** Seats in each number of the channel. */
  readonly maxMembers: number
  /** Takes the players of its group that have nowhere else to go. At most one channel of a group. */
  readonly isFallback: boolean
  /** Opens the next number when all are full. */
  readonly isAutoscaling: boolean
}

/** What an operator defines. Players sit in its numbers (`Shard`), which open by themselves. */
export interface Channel extends ChannelIdentity, ChannelSettings {
  readonly createdAt: Timestamp
}

/** One number of a channel. Number 1 always exists. */
export interface Shard extends ChannelIdentity {
  readonly number: number
}

export interface Player {
  readonly id: string
  readonly name: string
}

/** A number as it stands: who sits there, and when someone last spoke. */
export interface ShardRoster extends Shard {
  readonly members: readonly Player[]
  readonly lastChatAt: Timestamp | undefined
}

/** What someone said in a number of a channel. */
export interface ChatMessage {
  readonly id: string
  readonly shard: Shard
  /** Undefined for what the system says. */
  readonly player: Player | undefined
  /** As players see it. */
  readonly text: string
  /** As it was written. */
  readonly original: string
  /** Of the player who wrote it, which chose the lists. Undefined for what the system says. */
  readonly language: string | undefined
  /** What the filter found in the original. For operators, and for the one who wrote it where that is wished. */
  readonly hits: readonly FilterHit[]
  readonly at: Timestamp
}

/** A message with its place in the sequence of its number. A new epoch says that a sequence began anew. */
export interface SequencedMessage extends ChatMessage {
  readonly seq: number
  readonly epoch: string
}

/** A message as the log keeps it, for operators. */
export interface LoggedMessage extends SequencedMessage {
  /** When it was taken from the players; undefined while it was not. */
  readonly deletedAt: Timestamp | undefined
}

export interface Ban {
  /** Rises with each ban that is applied, to whichever player. */
  readonly seq: number
  readonly playerId: string
  /** Bans ever applied to this player, this one included. */
  readonly count: number
  readonly startsAt: Timestamp
  readonly endsAt: Timestamp
}

/** A list says what is forbidden, or in which words and phrases nothing is. */
export const FILTER_LIST_KINDS = ['forbidden', 'allowed'] as const
export type FilterListKind = (typeof FILTER_LIST_KINDS)[number]

export interface FilterList {
  readonly kind: FilterListKind
  /** `all` or a language code, as last written. Compared by `languageKey`. */
  readonly language: string
  readonly expressions: Expressions
}

/** Where a text has what an expression of a list forbids. */
export interface FilterHit {
  /** In UTF-16 units of the original. */
  readonly start: number
  readonly end: number
  readonly expression: string
  /** Of the list. */
  readonly language: string
}

/** Two spellings of a language are the same when their keys are. */
export const languageKey = (language: string) => language.toLowerCase().replaceAll('_', '-')

export const EVERY_LANGUAGE = 'all'

/** Whether what is said in `spoken` goes through the list: that of the language, of a parent (`ko` for `ko-KR`), or `all`. */
export function listApplies(spoken: string, { language }: Pick<FilterList, 'language'>): boolean {
  const [key, list] = [languageKey(spoken), languageKey(language)]
  return list === EVERY_LANGUAGE || key === list || key.startsWith(`${list}-`)
}

export const REPORT_STATUS = { open: 1, processed: 2 } as const
export const REPORT_OUTCOME = { none: 0, chatBan: 1, suspension: 2, permanentSuspension: 3 } as const

/** A player's report of a message. A player reports a message once. */
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

/** A message of a report's context: what operators read, without what the filter made of it. */
export type ContextMessage = Omit<LoggedMessage, 'hits'>

export interface NewReport extends Omit<Report, 'id' | 'status' | 'outcome' | 'updatedAt'> {
  /** What was said around the message, oldest first. Of several reports of a message the first one's is kept. */
  readonly context: readonly ContextMessage[]
}

import type { Change } from '../events.ts'
import type {
  Ban,
  Channel,
  ChannelKey,
  ChannelSettings,
  ContextMessage,
  FilterList,
  FilterListKind,
  LoggedMessage,
  NewReport,
  Report,
  SequencedMessage,
  Shard,
  Timestamp,
} from '../model.ts'
import type { ChannelHistory } from './bus.ts'

/**
 * Durable facts. A read sees every write that was acknowledged before it was asked for, and never delays a write. Each method is one atomic operation; a promise that resolves means the fact survives a
 * crash of the machine. Unknown things are `undefined` or an outcome, never an exception. When nothing can
 * be stored now (full disk, lost database) a method throws `ChatError('unavailable')` and nothing has changed.
 *
 * Writes that change what nodes hold in memory give back `changes`, for `Journal.commit` to spread.
 */
export interface Store extends ChannelStore, BanStore, FilterStore, ReportStore, MessageStore {
  /** All that a node holds in memory, as of one moment. */
  readSnapshot(at: Timestamp): Promise<Snapshot>
  /** For a write that stores nothing else: gives back the outcome that the key was first remembered with. */
  remember<T extends string>(
    outcome: T,
    idempotency: Idempotency,
  ): Promise<{ readonly outcome: T; readonly repeated: boolean }>
  /** Resolves when the store can answer; throws otherwise. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface ChannelStore {
  /**
   * `taken` leaves the existing channel as it is. A new one gets an incarnation that no channel had before. A fallback channel takes the flag from the group's former
   * one in the same step.
   */
  insertChannel(
    channel: NewChannel,
    quota: ChannelQuota,
    idempotency?: Idempotency,
  ): Promise<Committed<ChannelInsertion>>
  updateChannel(update: ChannelUpdate, idempotency?: Idempotency): Promise<Committed<ChannelUpdateOutcome>>
  /** `numbers` and incarnation come back with the outcome, so that a repeated call learns what the first one deleted. */
  deleteChannel(
    deletion: ChannelDeletion,
    idempotency?: Idempotency,
  ): Promise<Committed<ChannelDeletionOutcome>>
}

export interface BanStore {
  /** Replaces a ban in force. Counts every ban that the player ever had. */
  putBan(ban: NewBan, idempotency?: Idempotency): Promise<Committed<Ban>>
  /** Ends the ban in force, if there is one. Gives back whether there was. */
  liftBan(playerId: string, at: Timestamp, idempotency?: Idempotency): Promise<Committed<boolean>>
}

export interface FilterStore {
  /**
   * Replaces one language's list of a kind whole; `stale` when `expectedVersions` are given and the newest edit of the
   * kind is none of them. Quotas are of each kind.
   */
  replaceFilterList(edit: FilterListEdit, idempotency?: Idempotency): Promise<Committed<FilterListOutcome>>
}

export interface ReportStore {
  /**
   * Ids ascend from 1 and are never reused. `known` when the reporter has reported the message before, which changes
   * nothing; `limit` when the reporter has made `quota.reports` since `quota.since`.
   */
  insertReport(report: NewReport, quota: ReportQuota): Promise<ReportInsertion>
  /** The id of a reporter's report of a message. */
  findReport(reporterId: string, messageId: string): Promise<number | undefined>
  /** What was said around a message when it was first reported, oldest first. */
  readContext(messageId: string): Promise<ContextMessage[]>
  /** Newest first, ids below `before` only. */
  listReports(page: { readonly before: number | undefined; readonly limit: number }): Promise<Report[]>
}

/** The log of what was said. Kept for some days; players never wait for it. */
export interface MessageStore extends SequenceStore {
  /** Keeps how far they bring the sequences of their numbers, in the same step. */
  appendMessages(messages: readonly SequencedMessage[]): Promise<void>
  findMessage(id: string): Promise<LoggedMessage | undefined>
  /** Marks a message as deleted and keeps it, text included. Of several calls the first one's time counts. */
  deleteMessage(id: string, at: Timestamp): Promise<LoggedMessage | undefined>
  /** The message and up to `each` messages before and after it in its number, oldest first. */
  listAround(message: SequencedMessage, each: number): Promise<LoggedMessage[]>
  /** Messages since a moment, newest first; those said before a message where one is given. */
  listMessages(page: MessagePage): Promise<LoggedMessage[]>
  /** How many messages there are since a moment. Stops counting at `limit`. */
  countMessages(since: Timestamp, limit: number): Promise<number>
  /** Deletes at most `limit` messages that are older, and as many sequences that ended before; gives back the larger count. */
  pruneMessages(before: Timestamp, limit: number): Promise<number>
}

/** Where the sequences of channel numbers have come to, so that a planned restart can go on with them. */
export interface SequenceStore {
  /**
   * Called once before the first message is appended. Gives back the lineage that sequences are in from now on: that of the
   * last process when it sealed its sequences, else a new one.
   */
  openSequences(): Promise<string>
  /** Everything that was said is appended: the next process may go on where this one ends. */
  sealSequences(): Promise<void>
  /** The sequence of a number with its newest messages, undefined when the current lineage has none. */
  readSequence(shard: Shard, messages: number): Promise<ChannelHistory | undefined>
  /** When a player last spoke in the numbers of a group, in a fixed order; those behind `after` only. */
  listLastChatTimes(page: LastChatTimePage): Promise<LastChatTime[]>
}

export interface LastChatTime {
  readonly shard: Shard
  readonly at: Timestamp
}

export interface LastChatTimePage {
  readonly group: string
  readonly after: Shard | undefined
  readonly limit: number
}

export interface MessagePage {
  readonly since: Timestamp
  readonly before: Pick<SequencedMessage, 'at' | 'id'> | undefined
  readonly limit: number
}

export interface ReportQuota {
  readonly reports: number
  readonly since: Timestamp
}

export type ReportInsertion =
  | { readonly outcome: 'inserted' | 'known'; readonly id: number }
  | { readonly outcome: 'limit' }

export interface Snapshot {
  readonly version: number
  readonly channels: readonly Channel[]
  /** Bans that end after the asked moment, in the order they were applied. */
  readonly bans: readonly Ban[]
  readonly filterLists: readonly FilterList[]
  /** The version of the newest change of any filter list of the kind, 0 when there was none. */
  readonly filterVersions: Readonly<Record<FilterListKind, number>>
}

/**
 * The outcome of a write. `version` is that of the newest change a reader of the outcome must know of: the write's own
 * where it changed something, and the same again for a write that is repeated.
 */
export interface Committed<T> {
  readonly value: T
  readonly version: number
  /** Empty when nothing changed, and when the outcome is one that was remembered. */
  readonly changes: readonly Change[]
}

/**
 * Makes a write repeatable: the first call with a key is carried out, later ones are given its outcome until
 * `expiresAt`. Key and outcome are committed together with the write. The same key with another fingerprint
 * throws `ChatError('key-reused')`.
 */
export interface Idempotency {
  readonly key: string
  readonly fingerprint: string
  readonly at: Timestamp
  readonly expiresAt: Timestamp
}

export interface ChannelQuota {
  readonly groups: number
  readonly channels: number
}

export type ChannelInsertion =
  | { readonly outcome: 'inserted' | 'taken'; readonly channel: Channel }
  | { readonly outcome: 'limit' }

export type NewChannel = Omit<Channel, 'incarnation'>

export interface ChannelUpdate {
  readonly key: ChannelKey
  readonly settings: Partial<ChannelSettings>
  /** Refuses to leave the group without its FALLBACK; another channel may still take the flag. */
  readonly protectFallback: boolean
}

/** Undefined when there is no such channel. */
export type ChannelUpdateOutcome = Channel | 'protected' | undefined

export interface ChannelDeletion {
  readonly key: ChannelKey
  readonly numbers: readonly number[]
  readonly protectFallback: boolean
}

export type ChannelDeletionOutcome =
  | { readonly outcome: 'deleted'; readonly numbers: readonly number[]; readonly incarnation: number }
  | { readonly outcome: 'unknown' | 'protected' }

export type NewBan = Omit<Ban, 'seq' | 'count'>

export interface FilterListEdit {
  readonly list: FilterList
  readonly expectedVersions: readonly number[] | undefined
  readonly quota: { readonly languages: number; readonly expressions: number }
}

export type FilterListOutcome = 'replaced' | 'stale' | 'limit'

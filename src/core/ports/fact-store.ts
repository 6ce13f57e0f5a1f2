import type { CallContext } from '../context.ts'
import type { Change } from '../events.ts'
import type {
  Ban,
  Channel,
  ChannelKey,
  ChannelSettings,
  ContextMessage,
  FilterList,
  NewReport,
  Report,
  Timestamp,
} from '../model.ts'

/**
 * Durable storage of channels, bans, filter lists and reports. Each method is one atomic operation, and a write that
 * resolves survives a crash of the machine. A read sees every write acknowledged before the read was issued, and never
 * delays a write. A missing record is reported as `undefined` or an outcome, never as an exception. If the store cannot
 * be used (disk full, database lost), methods throw `ChatError('unavailable')` and change nothing.
 *
 * Every write runs in one transaction with everything that its context asks for. Writes that affect the in-memory state
 * of nodes return `changes`, which `Journal.commit` announces.
 */
export interface FactStore extends ChannelStore, BanStore, FilterStore, ReportStore, ChangeStore {
  /** Records an outcome for a call that writes nothing else. A repeated key returns the outcome first recorded for it. */
  remember(outcome: string, context: CallContext): Promise<Committed<string>>
  /** Throws if the store cannot write. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The changes to the in-memory state of nodes. */
export interface ChangeStore {
  /** Version of the newest change, 0 if there was none. */
  readVersion(): Promise<number>
  /**
   * Up to `limit` changes with versions above `after`, in order and without gaps; undefined if the first of them were
   * deleted, because changes are kept for a limited time. A change of a filter list contains the list as it is now.
   */
  readChanges(after: number, limit: number): Promise<readonly Change[] | undefined>
}

export interface ChannelStore {
  /**
   * With `taken`, the existing channel is unchanged. A new channel gets an incarnation never used before. Inserting a
   * fallback channel clears the flag of the group's previous one atomically.
   */
  insertChannel(
    channel: NewChannel,
    quota: ChannelQuota,
    context: CallContext,
  ): Promise<Committed<ChannelInsertion>>
  updateChannel(update: ChannelUpdate, context: CallContext): Promise<Committed<ChannelUpdateOutcome>>
  /** The outcome includes `numbers` and the incarnation, so that a repeated call learns what the first one deleted. */
  deleteChannel(deletion: ChannelDeletion, context: CallContext): Promise<Committed<ChannelDeletionOutcome>>
  /** In a fixed order, starting after `after`. */
  listChannels(page: ChannelPage): Promise<readonly Channel[]>
}

export interface BanStore {
  /** Replaces an active ban. The count includes all earlier bans of the player. */
  putBan(ban: NewBan, context: CallContext): Promise<Committed<Ban>>
  /** Returns whether there was an active ban. */
  liftBan(playerId: string, at: Timestamp, context: CallContext): Promise<Committed<boolean>>
  /** Bans that are active at a time, in the order of their ends and of `seq`, starting after `after`. */
  listActiveBans(page: BanPage): Promise<readonly Ban[]>
}

export interface FilterStore {
  /**
   * Replaces the whole list of a language. Returns `stale` if `expectedVersions` are given and do not include the version
   * of the kind's newest edit. Quotas apply to each kind separately.
   */
  replaceFilterList(edit: FilterListEdit, context: CallContext): Promise<Committed<FilterListOutcome>>
  /** In a fixed order, starting after `after`. */
  listFilterLists(page: FilterListPage): Promise<readonly StoredFilterList[]>
}

export interface ReportStore {
  /**
   * Ids ascend from 1 and are never reused. Returns `known` and changes nothing if the reporter already reported the
   * message, `limit` if the reporter filed `quota.reports` since `quota.since`.
   */
  insertReport(
    report: NewReport,
    quota: ReportQuota,
    context: CallContext,
  ): Promise<Committed<ReportInsertion>>
  /** The id of the reporter's report of the message. */
  findReport(reporterId: string, messageId: string): Promise<number | undefined>
  /** The messages around a message at the time of its first report, oldest first. */
  readContext(messageId: string): Promise<ContextMessage[]>
  /** Newest first, with ids below `before`. */
  listReports(page: ReportPage): Promise<Report[]>
}

export interface ReportPage {
  readonly before: number | undefined
  readonly limit: number
}

export interface ReportQuota {
  readonly reports: number
  readonly since: Timestamp
}

export type ReportInsertion =
  | { readonly outcome: 'inserted' | 'known'; readonly id: number }
  | { readonly outcome: 'limit' }

export interface ChannelPage {
  readonly after: ChannelKey | undefined
  readonly limit: number
}

export interface BanPage {
  readonly at: Timestamp
  readonly after: Pick<Ban, 'endsAt' | 'seq'> | undefined
  readonly limit: number
}

export interface FilterListPage {
  readonly after: Pick<FilterList, 'kind' | 'language'> | undefined
  readonly limit: number
}

export interface StoredFilterList {
  readonly list: FilterList
  /** Version of the list's newest edit. */
  readonly version: number
}

/**
 * The outcome of a write. A node must have applied `version` before it returns the outcome to a client: the version of
 * the write's own changes, also if the write is repeated.
 */
export interface Committed<T> {
  readonly value: T
  readonly version: number
  /** Empty if nothing changed or the write was repeated. */
  readonly changes: readonly Change[]
  /** Whether this is the outcome of an earlier write with the same idempotency key. */
  readonly repeated: boolean
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
  /** Rejects updates that would leave the group without a FALLBACK. Another channel can still take over the flag. */
  readonly protectFallback: boolean
}

/** Undefined if the channel does not exist. */
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

import type { Database } from 'bun:sqlite'
import type { Change } from '../../core/events.ts'
import {
  type Ban,
  type Channel,
  type ChannelKey,
  type ChannelSettings,
  languageKey,
  type NewReport,
  REPORT_OUTCOME,
  REPORT_STATUS,
  type Report,
  type Timestamp,
} from '../../core/model.ts'
import type {
  ChannelDeletion,
  ChannelDeletionOutcome,
  ChannelInsertion,
  ChannelQuota,
  FilterListEdit,
  FilterListOutcome,
  NewBan,
  Snapshot,
} from '../../core/store.ts'
import {
  type BanRow,
  type ChannelRow,
  type FilterRow,
  type ReportRow,
  readBan,
  readChannel,
  readReport,
} from './rows.ts'

/** A change before it has a version. */
type Draft = Change extends infer C ? (C extends Change ? Omit<C, 'version'> : never) : never

/** Gives a change its version and keeps it for the outcome of the command. */
export type RecordChange = (draft: Draft) => Change

/** Every write of the store, run inside a transaction. Each calls `record` for what nodes must learn. */
export function createWrites(db: Database, record: RecordChange) {
  const channels = channelStatements(db)
  const bans = banStatements(db)
  const filters = filterStatements(db)
  const insertReport = db.query<ReportRow, (string | number)[]>(
    `INSERT INTO report (reported_id, reported_name, reporter_id, reporter_name, message, keyword, reason,
       status, outcome, updated_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
  )

  const set = (channel: Channel) => {
    channels.put.run(
      channel.group,
      channel.name,
      channel.maxMembers,
      Number(channel.isFallback),
      Number(channel.isAutoscaling),
      channel.createdAt,
    )
    record({ kind: 'channel-set', channel })
    return channel
  }
  const clearFallback = (group: string) => {
    const former = channels.fallback.get(group)
    if (former !== null) set({ ...readChannel(former), isFallback: false })
  }
  const find = ({ group, name }: ChannelKey) => {
    const row = channels.find.get(group, name)
    return row === null ? undefined : readChannel(row)
  }

  return {
    insertChannel(channel: Channel, quota: ChannelQuota): ChannelInsertion {
      const existing = find(channel)
      if (existing !== undefined) return { outcome: 'taken', channel: existing }
      const { total, siblings, groups } = channels.count.get(channel.group) ?? NO_CHANNELS
      if (total >= quota.channels || (siblings === 0 && groups >= quota.groups)) return { outcome: 'limit' }
      if (channel.isFallback) clearFallback(channel.group)
      return { outcome: 'inserted', channel: set(channel) }
    },

    updateChannel(key: ChannelKey, settings: Partial<ChannelSettings>): Channel | undefined {
      const existing = find(key)
      if (existing === undefined) return undefined
      if (settings.isFallback === true && !existing.isFallback) clearFallback(key.group)
      return set({ ...existing, ...settings })
    },

    deleteChannel({ key, numbers, protectFallback }: ChannelDeletion): ChannelDeletionOutcome {
      const existing = find(key)
      if (existing === undefined) return { outcome: 'unknown' }
      if (existing.isFallback && protectFallback) return { outcome: 'protected' }
      channels.remove.run(key.group, key.name)
      record({ kind: 'channel-deleted', key })
      return { outcome: 'deleted', numbers }
    },

    putBan({ playerId, startsAt, endsAt }: NewBan): Ban {
      bans.endFormer.run(startsAt, playerId)
      const row = bans.insert.get(playerId, playerId, startsAt, endsAt)
      if (row === null) throw new Error('The ban was not inserted.')
      const ban = readBan(row)
      record({ kind: 'ban-set', ban })
      return ban
    },

    liftBan(playerId: string, at: Timestamp): boolean {
      if (bans.lift.run(at, playerId, at).changes === 0) return false
      record({ kind: 'ban-lifted', playerId })
      return true
    },

    replaceFilterList({ list, expectedVersions, quota }: FilterListEdit): FilterListOutcome {
      const key = languageKey(list.language)
      const { version, others, expressions } = filters.totals.get(key) ?? NO_FILTERS
      if (expectedVersions !== undefined && !expectedVersions.includes(version)) return 'stale'
      if (others >= quota.languages || expressions + list.expressions.length > quota.expressions)
        return 'limit'
      const change = record({ kind: 'filter-list-set', list })
      filters.put.run(
        key,
        list.language,
        JSON.stringify(list.expressions),
        list.expressions.length,
        change.version,
      )
      return 'replaced'
    },

    insertReport(report: NewReport): Report {
      const { reported, reporter, message, keyword, reason, createdAt } = report
      const row = insertReport.get(
        ...[reported.id, reported.name, reporter.id, reporter.name, message, keyword, reason],
        ...[REPORT_STATUS.open, REPORT_OUTCOME.none, createdAt, createdAt],
      )
      if (row === null) throw new Error('The report was not inserted.')
      return readReport(row)
    },

    remember: (outcome: string): string => outcome,
  }
}

/** Every read of the store. */
export function createReads(db: Database) {
  const reports = db.query<ReportRow, [number, number]>(
    'SELECT * FROM report WHERE id < ? ORDER BY id DESC LIMIT ?',
  )
  const snapshot = db.transaction((at: Timestamp): Snapshot => {
    const lists = db.query<FilterRow, []>('SELECT * FROM filter_list').all()
    return {
      version: readVersion(db),
      channels: db.query<ChannelRow, []>('SELECT * FROM channel').all().map(readChannel),
      bans: db
        .query<BanRow, [number]>('SELECT * FROM ban WHERE ended_at IS NULL AND ends_at > ? ORDER BY seq')
        .all(at)
        .map(readBan),
      filterLists: lists.map((row) => ({ language: row.language, expressions: JSON.parse(row.expressions) })),
      filterVersion: Math.max(0, ...lists.map((row) => row.version)),
    }
  })
  return {
    readSnapshot: (at: Timestamp): Snapshot => snapshot(at),
    listReports: (before: number, limit: number): Report[] => reports.all(before, limit).map(readReport),
    check: (): boolean => db.query('SELECT 1').get() !== null,
  }
}

export const readVersion = (db: Database): number =>
  db.query<{ version: number }, []>('SELECT version FROM control').get()?.version ?? 0

export type Writes = ReturnType<typeof createWrites>
export type Reads = ReturnType<typeof createReads>

const NO_CHANNELS = { total: 0, siblings: 0, groups: 0 }
const NO_FILTERS = { version: 0, others: 0, expressions: 0 }

const channelStatements = (db: Database) => ({
  find: db.query<ChannelRow, [string, string]>(
    'SELECT * FROM channel WHERE channel_group = ? AND channel_name = ?',
  ),
  fallback: db.query<ChannelRow, [string]>(
    'SELECT * FROM channel WHERE channel_group = ? AND is_fallback = 1',
  ),
  count: db.query<typeof NO_CHANNELS, [string]>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE channel_group = ?) AS siblings,
       count(DISTINCT channel_group) AS groups FROM channel`,
  ),
  put: db.query<null, [string, string, number, number, number, number]>(
    `INSERT INTO channel VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (channel_group, channel_name) DO UPDATE SET
       max_members = excluded.max_members, is_fallback = excluded.is_fallback, is_autoscaling = excluded.is_autoscaling`,
  ),
  remove: db.query<null, [string, string]>(
    'DELETE FROM channel WHERE channel_group = ? AND channel_name = ?',
  ),
})

const banStatements = (db: Database) => ({
  endFormer: db.query<null, [number, string]>(
    'UPDATE ban SET ended_at = min(ends_at, ?) WHERE player_id = ? AND ended_at IS NULL',
  ),
  insert: db.query<BanRow, [string, string, number, number]>(
    `INSERT INTO ban (player_id, count, starts_at, ends_at)
       VALUES (?, (SELECT ifnull(max(count), 0) + 1 FROM ban WHERE player_id = ?), ?, ?) RETURNING *`,
  ),
  lift: db.query<null, [number, string, number]>(
    'UPDATE ban SET ended_at = ? WHERE player_id = ? AND ended_at IS NULL AND ends_at > ?',
  ),
})

const filterStatements = (db: Database) => ({
  totals: db.query<typeof NO_FILTERS, [string]>(
    `SELECT ifnull(max(version), 0) AS version, count(*) FILTER (WHERE other) AS others,
       ifnull(sum(expression_count) FILTER (WHERE other), 0) AS expressions
     FROM (SELECT version, expression_count, language_key <> ? AS other FROM filter_list)`,
  ),
  put: db.query<null, [string, string, string, number, number]>(
    'INSERT OR REPLACE INTO filter_list VALUES (?, ?, ?, ?, ?)',
  ),
})

import type { Database } from 'bun:sqlite'
import type { Channel, ChannelKey } from '../../../core/model.ts'
import type {
  ChannelDeletion,
  ChannelDeletionOutcome,
  ChannelInsertion,
  ChannelQuota,
  ChannelUpdate,
  ChannelUpdateOutcome,
  NewChannel,
} from '../../../core/store.ts'
import { type ChannelRow, readChannel } from '../rows.ts'
import type { RecordChange } from './record.ts'

export function channelWrites(db: Database, record: RecordChange) {
  const statements = prepare(db)

  const set = (channel: Channel) => {
    statements.put.run(
      channel.group,
      channel.name,
      channel.maxMembers,
      Number(channel.isFallback),
      Number(channel.isAutoscaling),
      channel.createdAt,
      channel.incarnation,
    )
    record({ kind: 'channel-set', channel })
    return channel
  }
  const clearFallback = (group: string) => {
    const former = statements.fallback.get(group)
    if (former !== null) set({ ...readChannel(former), isFallback: false })
  }
  const nextIncarnation = () => statements.countCreation.get()?.channels_created ?? 0
  const find = ({ group, name }: ChannelKey) => {
    const row = statements.find.get(group, name)
    return row === null ? undefined : readChannel(row)
  }

  return {
    insertChannel(channel: NewChannel, quota: ChannelQuota): ChannelInsertion {
      const existing = find(channel)
      if (existing !== undefined) return { outcome: 'taken', channel: existing }
      const { total, siblings, groups } = statements.count.get(channel.group) ?? NO_CHANNELS
      if (total >= quota.channels || (siblings === 0 && groups >= quota.groups)) return { outcome: 'limit' }
      if (channel.isFallback) clearFallback(channel.group)
      return { outcome: 'inserted', channel: set({ ...channel, incarnation: nextIncarnation() }) }
    },

    updateChannel({ key, settings, protectFallback }: ChannelUpdate): ChannelUpdateOutcome {
      const existing = find(key)
      if (existing === undefined) return undefined
      if (protectFallback && existing.isFallback && settings.isFallback === false) return 'protected'
      if (settings.isFallback === true && !existing.isFallback) clearFallback(key.group)
      return set({ ...existing, ...settings })
    },

    deleteChannel({ key, numbers, protectFallback }: ChannelDeletion): ChannelDeletionOutcome {
      const existing = find(key)
      if (existing === undefined) return { outcome: 'unknown' }
      if (existing.isFallback && protectFallback) return { outcome: 'protected' }
      statements.remove.run(key.group, key.name)
      record({ kind: 'channel-deleted', key })
      return { outcome: 'deleted', numbers, incarnation: existing.incarnation }
    },
  }
}

const NO_CHANNELS = { total: 0, siblings: 0, groups: 0 }

const prepare = (db: Database) => ({
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
  put: db.query<null, [string, string, number, number, number, number, number]>(
    `INSERT INTO channel VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (channel_group, channel_name) DO UPDATE SET
       max_members = excluded.max_members, is_fallback = excluded.is_fallback, is_autoscaling = excluded.is_autoscaling`,
  ),
  countCreation: db.query<{ channels_created: number }, []>(
    'UPDATE control SET channels_created = channels_created + 1 RETURNING channels_created',
  ),
  remove: db.query<null, [string, string]>(
    'DELETE FROM channel WHERE channel_group = ? AND channel_name = ?',
  ),
})

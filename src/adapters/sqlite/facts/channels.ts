import type { Database } from 'bun:sqlite'
import type { Channel, ChannelKey } from '../../../core/model.ts'
import type {
  ChannelDeletion,
  ChannelDeletionOutcome,
  ChannelInsertion,
  ChannelPage,
  ChannelQuota,
  ChannelUpdate,
  ChannelUpdateOutcome,
  NewChannel,
} from '../../../core/ports/fact-store.ts'
import type { RecordChange } from './record.ts'
import { type ChannelRow, readChannel } from './rows.ts'

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
      const isNewGroup = statements.sibling.get(channel.group) === null
      const { channels, channel_groups } = statements.totals.get() ?? NO_CHANNELS
      if (channels >= quota.channels || (isNewGroup && channel_groups >= quota.groups))
        return { outcome: 'limit' }
      statements.addToTotals.run(1, Number(isNewGroup))
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
      statements.addToTotals.run(-1, statements.sibling.get(key.group) === null ? -1 : 0)
      record({ kind: 'channel-deleted', key })
      return { outcome: 'deleted', numbers, incarnation: existing.incarnation }
    },
  }
}

export function channelReads(db: Database) {
  const list = db.query<ChannelRow, [string, string, number]>(
    `SELECT * FROM channel WHERE (channel_group, channel_name) > (?, ?) ORDER BY channel_group, channel_name LIMIT ?`,
  )
  return {
    listChannels: ({ after, limit }: ChannelPage): Channel[] =>
      list.all(after?.group ?? '', after?.name ?? '', limit).map(readChannel),
  }
}

const NO_CHANNELS = { channels: 0, channel_groups: 0 }

const prepare = (db: Database) => ({
  find: db.query<ChannelRow, [string, string]>(
    'SELECT * FROM channel WHERE channel_group = ? AND channel_name = ?',
  ),
  fallback: db.query<ChannelRow, [string]>(
    'SELECT * FROM channel WHERE channel_group = ? AND is_fallback = 1',
  ),
  sibling: db.query<{ found: number }, [string]>(
    'SELECT 1 AS found FROM channel WHERE channel_group = ? LIMIT 1',
  ),
  totals: db.query<typeof NO_CHANNELS, []>('SELECT channels, channel_groups FROM control'),
  addToTotals: db.query<null, [number, number]>(
    'UPDATE control SET channels = channels + ?, channel_groups = channel_groups + ?',
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

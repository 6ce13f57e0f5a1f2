import type { Database } from 'bun:sqlite'
import type { Ban, Timestamp } from '../../../core/model.ts'
import type { BanPage, NewBan } from '../../../core/ports/fact-store.ts'
import { WithAttachments } from '../envelope.ts'
import { type BanValues, encodeBans } from './ban-page.ts'
import type { RecordChange } from './record.ts'
import { type BanRow, readBan } from './rows.ts'

export function banWrites(db: Database, record: RecordChange) {
  const statements = prepare(db)
  return {
    putBan({ playerId, startsAt, endsAt }: NewBan): Ban {
      statements.endFormer.run(startsAt, playerId)
      const row = statements.insert.get(playerId, playerId, startsAt, endsAt)
      if (row === null) throw new Error('The ban was not inserted.')
      const ban = readBan(row)
      record({ kind: 'ban-set', ban })
      return ban
    },

    liftBan(playerId: string, at: Timestamp): boolean {
      if (statements.lift.run(at, playerId, at).changes === 0) return false
      record({ kind: 'ban-lifted', playerId })
      return true
    },
  }
}

export function banReads(db: Database) {
  const withSameEnd = db.query<BanRow, [number, number, number]>(ACTIVE_BANS.withSameEnd)
  const withLaterEnd = db.query<BanRow, [number, number]>(ACTIVE_BANS.withLaterEnd)
  return {
    /** Returns the number of bans, which are attached. */
    listActiveBans({ at, after, limit }: BanPage): WithAttachments<number> {
      const rows =
        after === undefined ? [] : (withSameEnd.values(after.endsAt, after.seq, limit) as BanValues[])
      if (rows.length < limit)
        rows.push(...(withLaterEnd.values(after?.endsAt ?? at, limit - rows.length) as BanValues[]))
      return new WithAttachments(rows.length, encodeBans(rows))
    },
  }
}

const SELECT_ACTIVE = 'SELECT seq, player_id, count, starts_at, ends_at FROM ban WHERE ended_at IS NULL'

/** Read from an index alone, so that ended bans add nothing to the cost. */
export const ACTIVE_BANS = {
  withSameEnd: `${SELECT_ACTIVE} AND ends_at = ? AND seq > ? ORDER BY seq LIMIT ?`,
  withLaterEnd: `${SELECT_ACTIVE} AND ends_at > ? ORDER BY ends_at, seq LIMIT ?`,
}

const prepare = (db: Database) => ({
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

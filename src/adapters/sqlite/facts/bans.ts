import type { Database } from 'bun:sqlite'
import type { Ban, Timestamp } from '../../../core/model.ts'
import type { BanPage, NewBan } from '../../../core/ports/fact-store.ts'
import { WithAttachments } from '../envelope.ts'
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

type BanValues = [seq: number, playerId: string, count: number, startsAt: number, endsAt: number]

/** The numbers of a ban in a page, besides the player's id. */
const NUMBERS_PER_BAN = 4

export function banReads(db: Database) {
  const withSameEnd = db.query<BanRow, [number, number, number]>(ACTIVE_BANS.withSameEnd)
  const withLaterEnd = db.query<BanRow, [number, number]>(ACTIVE_BANS.withLaterEnd)
  return {
    /** Returns the numbers as one array, since JSON would cost four times as much. */
    listActiveBans({ at, after, limit }: BanPage): WithAttachments<string[]> {
      const rows =
        after === undefined ? [] : (withSameEnd.values(after.endsAt, after.seq, limit) as BanValues[])
      if (rows.length < limit)
        rows.push(...(withLaterEnd.values(after?.endsAt ?? at, limit - rows.length) as BanValues[]))
      const numbers = new Float64Array(rows.length * NUMBERS_PER_BAN)
      for (const [index, [rowSeq, , count, startsAt, rowEnd]] of rows.entries())
        numbers.set([rowSeq, count, startsAt, rowEnd], index * NUMBERS_PER_BAN)
      return new WithAttachments(
        rows.map(([, playerId]) => playerId),
        { numbers },
      )
    },
  }
}

/** The counterpart of `listActiveBans`. */
export const readBanColumns = (playerIds: readonly string[], numbers: Float64Array): Ban[] =>
  playerIds.map((playerId, index) => {
    const at = index * NUMBERS_PER_BAN
    return {
      seq: numbers[at] ?? 0,
      playerId,
      count: numbers[at + 1] ?? 0,
      startsAt: numbers[at + 2] ?? 0,
      endsAt: numbers[at + 3] ?? 0,
    }
  })

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

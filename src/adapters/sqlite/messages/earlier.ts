import type { Database } from 'bun:sqlite'
import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { LoggedMessage, Timestamp } from '../../../core/model.ts'
import type { MessagePage } from '../../../core/ports/message-store.ts'
import { openDatabase } from '../database.ts'
import { syncFolder } from './day-writer.ts'
import { type MessageColumns, readColumns } from './message-columns.ts'
import { EARLIER_MIGRATIONS, LAST_EARLIER_SCHEMA, SEQUENCE_MIGRATIONS } from './migrations.ts'

/** The file in which earlier versions kept all messages, beside the folder of the message log. */
export const earlierPath = (folder: string) => path.join(path.dirname(folder), 'messages.db')

const FORMAT = { isInitialized: false }

/** Copies the sequences out of the file of an earlier version. Its messages stay where they are until they expire. */
export function adoptEarlierSequences(folder: string, sequencesPath: string): void {
  const earlier = earlierPath(folder)
  if (existsSync(sequencesPath) || !existsSync(earlier)) return
  openDatabase(earlier, { ...FORMAT, migrations: EARLIER_MIGRATIONS.slice(0, LAST_EARLIER_SCHEMA) }).close()
  const unfinished = path.join(folder, 'unfinished.db')
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${unfinished}${suffix}`, { force: true })
  {
    using db = openDatabase(unfinished, { ...FORMAT, migrations: SEQUENCE_MIGRATIONS })
    db.query('ATTACH ? AS earlier').run(earlier)
    db.transaction(() => db.run(COPY_SEQUENCES))()
    db.run('DETACH earlier')
  }
  renameSync(unfinished, sequencesPath)
  syncFolder(folder)
}

const COPY_SEQUENCES = `
  DELETE FROM lineage;
  INSERT INTO lineage SELECT id, is_sealed FROM earlier.lineage;
  INSERT INTO sequence SELECT channel_group, channel_name, incarnation, number, lineage, epoch, seq, at, last_chat_at
    FROM earlier.sequence;
  INSERT INTO retraction SELECT epoch, id, deleted_at FROM earlier.message WHERE deleted_at IS NOT NULL;
`

/** Call this once the sequences have been copied: it removes them, so that no earlier version can continue them. */
export const openEarlier = (folder: string): Database =>
  openDatabase(earlierPath(folder), { ...FORMAT, migrations: EARLIER_MIGRATIONS })

interface EarlierRow extends MessageColumns {
  readonly id: string
  readonly original: string
  readonly at: number
  readonly hits: string
}

/** Reads of the messages of an earlier version. */
export function createEarlierReads(db: Database) {
  const find = db.query<EarlierRow, [string]>('SELECT * FROM message WHERE id = ?')
  const range = db.query<EarlierRow, [string, number, number]>(
    'SELECT * FROM message WHERE epoch = ? AND seq BETWEEN ? AND ? ORDER BY seq',
  )
  const newest = db.query<EarlierRow, [number, number]>(
    'SELECT * FROM message WHERE at >= ? ORDER BY at DESC, id DESC LIMIT ?',
  )
  const before = db.query<EarlierRow, [number, number, string, number]>(
    'SELECT * FROM message WHERE at >= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?',
  )
  const count = db.query<{ messages: number }, [number, number]>(
    'SELECT count(*) AS messages FROM (SELECT 1 FROM message WHERE at >= ? LIMIT ?)',
  )
  const newestAt = db.query<{ at: number | null }, []>('SELECT max(at) AS at FROM message')
  return {
    find(id: string): LoggedMessage | undefined {
      const row = find.get(id)
      return row === null ? undefined : readMessage(row)
    },
    range: (epoch: string, first: number, last: number): LoggedMessage[] =>
      range.all(epoch, first, last).map(readMessage),
    list({ since, before: cursor, limit }: MessagePage): LoggedMessage[] {
      const rows =
        cursor === undefined ? newest.all(since, limit) : before.all(since, cursor.at, cursor.id, limit)
      return rows.map(readMessage)
    },
    count: (since: Timestamp, limit: number): number => count.get(since, limit)?.messages ?? 0,
    newestAt: (): Timestamp => newestAt.get()?.at ?? 0,
  }
}

export type EarlierReads = ReturnType<typeof createEarlierReads>

const readMessage = (row: EarlierRow): LoggedMessage => ({
  ...readColumns(row),
  id: row.id,
  original: row.original,
  at: row.at,
  hits: JSON.parse(row.hits),
})

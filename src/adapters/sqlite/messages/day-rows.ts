import type { Database } from 'bun:sqlite'
import type { LoggedMessage, Shard, Timestamp } from '../../../core/model.ts'
import { sequenceFields } from './batch.ts'
import type { Day } from './days.ts'
import { firstKeyAt, idOf, type MessageKey, SLOTS, timeOf } from './keys.ts'
import { type MessageColumns, readColumns } from './message-columns.ts'

interface MessageRow extends MessageColumns {
  readonly key: number
  readonly tail: string
  readonly original: string | null
  readonly at: number | null
  readonly hits: string | null
}

/** `CROSS JOIN` keeps SQLite from reading the sequences first. */
const SELECT = 'SELECT * FROM message CROSS JOIN sequence ON sequence.id = message.sequence'

/** Reads of one day. */
export function createDayReads(db: Database, day: Day) {
  const find = db.query<MessageRow, [number, number, string]>(
    `${SELECT} WHERE key BETWEEN ? AND ? AND tail = ?`,
  )
  const newestFirst = db.query<MessageRow, [number, number, number]>(
    `${SELECT} WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT ?`,
  )
  const sequenceId = db.query<{ id: number }, (string | number)[]>(
    `SELECT id FROM sequence
       WHERE channel_group = ? AND channel_name = ? AND incarnation = ? AND number = ? AND epoch = ?`,
  )
  const range = db.query<MessageRow, [number, number, number]>(
    `${SELECT} WHERE sequence = ? AND seq BETWEEN ? AND ? ORDER BY seq`,
  )
  const total = db.query<{ messages: number }, []>('SELECT messages FROM total')
  const count = db.query<{ messages: number; last: number | null }, [number, number]>(
    'SELECT count(*) AS messages, max(key) AS last FROM (SELECT key FROM message WHERE key >= ? ORDER BY key LIMIT ?)',
  )
  const findRow = ({ key, tail }: MessageKey) => find.get(key, key + SLOTS - 1, tail)
  const read = (row: MessageRow) => readMessage(day, row)
  return {
    find(key: MessageKey): LoggedMessage | undefined {
      const row = findRow(key)
      return row === null ? undefined : read(row)
    },
    /** Messages from `since` to the one before `before`, newest first. */
    list(since: Timestamp | undefined, before: MessageKey | undefined, limit: number): LoggedMessage[] {
      const from = since === undefined ? 0 : firstKeyAt(since)
      const end = before === undefined ? Number.MAX_SAFE_INTEGER : (findRow(before)?.key ?? before.key)
      return newestFirst.all(from, end, limit).map(read)
    },
    /** Messages of a sequence by sequence number, ascending. */
    range(shard: Shard, epoch: string, first: number, last: number): LoggedMessage[] {
      const sequence = sequenceId.get(...sequenceFields(shard, epoch))
      return sequence === null ? [] : range.all(sequence.id, first, last).map(read)
    },
    total: (): number => total.get()?.messages ?? 0,
    /** Counts up to `limit` messages from a key on. `next` is undefined after the last one. */
    count(from: number, limit: number): { readonly messages: number; readonly next: number | undefined } {
      const { messages, last } = count.get(from, limit) ?? { messages: 0, last: null }
      return { messages, next: messages < limit || last === null ? undefined : last + 1 }
    },
  }
}

export type DayReads = ReturnType<typeof createDayReads>

const readMessage = (day: Day, row: MessageRow): LoggedMessage => ({
  ...readColumns(row),
  id: idOf(day, row.key, row.tail),
  original: row.original ?? row.text,
  at: row.at ?? timeOf(day, row.key),
  hits: row.hits === null ? [] : JSON.parse(row.hits),
})

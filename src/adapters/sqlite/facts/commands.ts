import type { Database } from 'bun:sqlite'
import type { FilterListKind, Timestamp } from '../../../core/model.ts'
import type { Snapshot } from '../../../core/ports/fact-store.ts'
import { readUncached } from '../database.ts'
import { WithTexts, withoutText } from '../envelope.ts'
import { banWrites } from './bans.ts'
import { channelWrites } from './channels.ts'
import { filterWrites } from './filters.ts'
import type { RecordChange } from './record.ts'
import { reportReads, reportWrites } from './reports.ts'
import { type BanRow, type ChannelRow, type FilterRow, readBan, readChannel, readFilterList } from './rows.ts'

/** The writes, run inside a transaction. Each calls `record` for every change to the in-memory state of nodes. */
export const createWrites = (db: Database, record: RecordChange) => ({
  ...channelWrites(db, record),
  ...banWrites(db, record),
  ...filterWrites(db, record),
  ...reportWrites(db),
  remember: (outcome: string): string => outcome,
  check: (): void => undefined,
})

/** The reads, each of which sees the data committed when it starts. */
export function createReads(db: Database) {
  const snapshot = db.transaction((at: Timestamp): Snapshot => {
    const lists = db.query<FilterRow, []>('SELECT * FROM filter_list').all()
    return {
      version: readVersion(db),
      channels: db.query<ChannelRow, []>('SELECT * FROM channel').all().map(readChannel),
      bans: db
        .query<BanRow, [number]>('SELECT * FROM ban WHERE ended_at IS NULL AND ends_at > ? ORDER BY seq')
        .all(at)
        .map(readBan),
      filterLists: lists.map(readFilterList),
      filterVersions: { forbidden: newest(lists, 'forbidden'), allowed: newest(lists, 'allowed') },
    }
  })
  return {
    /** Returns the texts of the lists separately. */
    readSnapshot(at: Timestamp): WithTexts<Snapshot> {
      const read = snapshot(at)
      const { filterLists } = read
      return new WithTexts(
        { ...read, filterLists: filterLists.map(withoutText) },
        filterLists.map(({ expressions }) => expressions.text),
      )
    },
    /** Throws if the root of a table is damaged. */
    inspect: (): void => readUncached(db.filename),
    ...reportReads(db),
  }
}

const newest = (lists: readonly FilterRow[], kind: FilterListKind) =>
  Math.max(0, ...lists.filter((row) => row.kind === kind).map((row) => row.version))

export const readVersion = (db: Database): number =>
  db.query<{ version: number }, []>('SELECT version FROM control').get()?.version ?? 0

export type FactWrites = ReturnType<typeof createWrites>
export type FactReads = ReturnType<typeof createReads>

import type { Database } from 'bun:sqlite'
import type { FilterListKind, Timestamp } from '../../core/model.ts'
import type { Snapshot } from '../../core/ports/store.ts'
import { banWrites } from './commands/bans.ts'
import { channelWrites } from './commands/channels.ts'
import { filterWrites } from './commands/filters.ts'
import type { RecordChange } from './commands/record.ts'
import { reportReads, reportWrites } from './commands/reports.ts'
import { readUncached } from './database.ts'
import { withoutText } from './envelope.ts'
import { type BanRow, type ChannelRow, type FilterRow, readBan, readChannel, readFilterList } from './rows.ts'

/** Every write of the store, run inside a transaction. Each calls `record` for changes that nodes must apply. */
export const createWrites = (db: Database, record: RecordChange) => ({
  ...channelWrites(db, record),
  ...banWrites(db, record),
  ...filterWrites(db, record),
  ...reportWrites(db),
  remember: (outcome: string): string => outcome,
})

/** Checks that the facts can be read. */
export const createChecks = (db: Database) => ({
  check: (): boolean => db.query('SELECT 1').get() !== null,
})

/** Every read of the facts. */
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
    /** Throws when the root page of a table is damaged. */
    inspect: (): void => readUncached(db.filename),
    ...reportReads(db),
  }
}

const newest = (lists: readonly FilterRow[], kind: FilterListKind) =>
  Math.max(0, ...lists.filter((row) => row.kind === kind).map((row) => row.version))

export const readVersion = (db: Database): number =>
  db.query<{ version: number }, []>('SELECT version FROM control').get()?.version ?? 0

/** The result of a read that has long texts. */
export class WithTexts<T> {
  readonly value: T
  readonly texts: readonly string[]

  constructor(value: T, texts: readonly string[]) {
    this.value = value
    this.texts = texts
  }
}

export type Writes = ReturnType<typeof createWrites>
export type Reads = ReturnType<typeof createReads>
export type Checks = ReturnType<typeof createChecks>

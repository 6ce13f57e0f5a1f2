import type { Database } from 'bun:sqlite'
import { readUncached } from '../database.ts'
import { banReads, banWrites } from './bans.ts'
import { changeReads } from './changes.ts'
import { channelReads, channelWrites } from './channels.ts'
import { filterReads, filterWrites } from './filters.ts'
import type { RecordChange } from './record.ts'
import { reportReads, reportWrites } from './reports.ts'

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
export const createReads = (db: Database) => ({
  ...channelReads(db),
  ...banReads(db),
  ...filterReads(db),
  ...reportReads(db),
  ...changeReads(db),
  /** Throws when the root page of a table is damaged. */
  inspect: (): void => readUncached(db.filename),
})

export type FactWrites = ReturnType<typeof createWrites>
export type FactReads = ReturnType<typeof createReads>

import { statSync } from 'node:fs'
import { lowerThreadPriority } from '../../../thread-priority.ts'
import { describeStorageError, openDatabase, openReadOnly, requireIntegrity } from '../database.ts'
import { SeparateExecutor } from '../executor.ts'
import { type OpenRequest, serveStore } from '../worker-host.ts'
import { createReads } from './commands.ts'
import { MISCOUNTED_LISTS } from './filters.ts'
import { FACT_MIGRATIONS } from './migrations.ts'
import { FactWriter } from './writer.ts'

declare const self: Worker

/** A larger file is checked while the server runs, except for the tables that affect behavior, which are checked at the start. */
const MAX_CHECKED_AT_START = 64 * 1024 * 1024
const CHECKED_LATER = ['report_context']

serveStore(self, (request) => {
  switch (request.mode) {
    case 'write':
      return openToWrite(request)
    case 'read':
      return openToRead(request.path)
    case 'verify':
      return verify(request.path)
  }
})

function openToWrite({ path, isInitialized }: OpenRequest) {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const needsVerification = size > MAX_CHECKED_AT_START
  const db = openDatabase(path, {
    migrations: FACT_MIGRATIONS,
    isInitialized,
    integrity: needsVerification ? { uncheckedTables: CHECKED_LATER } : {},
    inconsistencies: MISCOUNTED_LISTS,
  })
  return { executor: new FactWriter(db), needsVerification, close: () => db.close() }
}

function openToRead(path: string) {
  const db = openReadOnly(path)
  const reads = createReads(db)
  const inspect = () => {
    // The start of the server waits for reads, so the priority is lowered by the first inspection, which comes later.
    lowerThreadPriority()
    reads.inspect()
  }
  return { executor: new SeparateExecutor(db, { ...reads, inspect }), close: () => db.close() }
}

function verify(path: string) {
  lowerThreadPriority()
  using db = openReadOnly(path)
  try {
    requireIntegrity(db)
  } catch (thrown) {
    throw new Error(`The data file ${path}: ${describeStorageError(thrown)}`, { cause: thrown })
  }
  return { executor: new SeparateExecutor(db, {}), close: () => undefined }
}

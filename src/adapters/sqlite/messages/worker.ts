import { openDatabase, openReadOnly } from '../database.ts'
import { SeparateExecutor } from '../executor.ts'
import { serveStore } from '../worker-host.ts'
import { createMessageReads, createMessageWrites } from './log.ts'
import { MESSAGE_MIGRATIONS } from './migrations.ts'

declare const self: Worker

serveStore(self, ({ mode, path }) => (mode === 'write' ? openToWrite(path) : openToRead(path)))

/** Losing the log loses no decision, so an empty file is accepted and the start does not wait for an integrity check. */
function openToWrite(path: string) {
  const db = openDatabase(path, {
    migrations: MESSAGE_MIGRATIONS,
    isInitialized: false,
    checkIntegrity: false,
  })
  return { db, executor: new SeparateExecutor(db, createMessageWrites(db)) }
}

function openToRead(path: string) {
  const db = openReadOnly(path)
  return { db, executor: new SeparateExecutor(db, createMessageReads(db)) }
}

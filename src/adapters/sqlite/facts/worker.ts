import { openDatabase, openReadOnly } from '../database.ts'
import { SeparateExecutor } from '../executor.ts'
import { type OpenRequest, serveStore } from '../worker-host.ts'
import { createReads } from './commands.ts'
import { MISCOUNTED_LISTS } from './filters.ts'
import { FACT_MIGRATIONS } from './migrations.ts'
import { FactWriter } from './writer.ts'

declare const self: Worker

serveStore(self, ({ mode, ...request }) =>
  mode === 'write' ? openToWrite(request) : openToRead(request.path),
)

function openToWrite({ path, isInitialized }: Pick<OpenRequest, 'path' | 'isInitialized'>) {
  const db = openDatabase(path, {
    migrations: FACT_MIGRATIONS,
    isInitialized,
    checkIntegrity: true,
    inconsistencies: MISCOUNTED_LISTS,
  })
  return { executor: new FactWriter(db), close: () => db.close() }
}

function openToRead(path: string) {
  const db = openReadOnly(path)
  return { executor: new SeparateExecutor(db, createReads(db)), close: () => db.close() }
}

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase } from './database.ts'
import { FACT_MIGRATIONS } from './facts/migrations.ts'
import { DAY_MIGRATIONS, SEQUENCE_MIGRATIONS } from './messages/migrations.ts'

test.each([
  ['facts', FACT_MIGRATIONS],
  ['messages', DAY_MIGRATIONS],
  ['sequences', SEQUENCE_MIGRATIONS],
])('flushes every commit of the %s to the disk', (name, migrations) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'))
  const db = openDatabase(path.join(folder, `${name}.db`), {
    migrations,
    isInitialized: false,
    integrity: {},
  })
  const FULL = 2
  expect(db.query('PRAGMA synchronous').values()).toEqual([[FULL]])
  expect(db.query('PRAGMA journal_mode').values()).toEqual([['wal']])
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

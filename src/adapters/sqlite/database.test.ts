import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../test/support/server.ts'
import { openDatabase } from './database.ts'
import { FACT_MIGRATIONS } from './facts/migrations.ts'
import { DAY_MIGRATIONS, SEQUENCE_MIGRATIONS } from './messages/migrations.ts'

test.each([
  ['facts', FACT_MIGRATIONS],
  ['messages', DAY_MIGRATIONS],
  ['sequences', SEQUENCE_MIGRATIONS],
])('flushes every commit of the %s to the disk', (name, migrations) => {
  const folder = makeFolder()
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

test('rejects a file whose schema was changed by hand', () => {
  const folder = makeFolder()
  const file = path.join(folder, 'parley.db')
  const options = { migrations: ['CREATE TABLE ban (player TEXT); CREATE INDEX ban_player ON ban (player)'] }
  const open = () => openDatabase(file, { ...options, isInitialized: false }).close()
  open()
  open()
  {
    using db = new Database(file)
    db.run('DROP INDEX ban_player')
  }
  expect(open).toThrow('its schema is damaged or was changed by hand')
  rmSync(folder, { recursive: true, force: true })
})

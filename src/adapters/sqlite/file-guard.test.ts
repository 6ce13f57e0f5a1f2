import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FileGuard, FileLostError } from './file-guard.ts'

let folder: string
let file: string
let db: Database
let guard: FileGuard

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-test-'))
  file = path.join(folder, 'a.db')
  db = new Database(file, { create: true })
  db.run('PRAGMA journal_mode = WAL')
  db.run('CREATE TABLE t (text TEXT)')
  db.run(`INSERT INTO t SELECT hex(randomblob(2000)) FROM json_each(json_array(${'0,'.repeat(200)}0))`)
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  guard = await FileGuard.open([file], [])
})

afterEach(() => {
  db.close()
  guard.close()
  rmSync(folder, { recursive: true, force: true })
})

test('accepts a file that a VACUUM made smaller', async () => {
  const before = statSync(file).size
  db.run('DELETE FROM t')
  db.run('VACUUM')
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  expect(statSync(file).size).toBeLessThan(before)
  await guard.inspect()
})

test.each([0, 1, 8192])('detects a file truncated to %d bytes', async (size) => {
  truncateSync(file, size)
  expect(guard.inspect()).rejects.toThrow(FileLostError)
})

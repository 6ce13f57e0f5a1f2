import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../../test/support/server.ts'
import { findExcess, listMessageFiles } from './retention.ts'

test('the size of a day includes its WAL', () => {
  const root = makeFolder()
  const folder = path.join(root, 'messages')
  mkdirSync(folder)
  for (const [name, bytes] of Object.entries({
    '2026-11-14.db': 100,
    '2026-11-15.db': 100,
    '2026-11-15.db-wal': 50,
  }))
    writeFileSync(path.join(folder, name), Buffer.alloc(bytes))
  expect(listMessageFiles(folder).map(({ name, bytes }) => [name, bytes])).toEqual([
    ['2026-11-14', 100],
    ['2026-11-15', 150],
  ])
  const { files, keptBytes } = findExcess(folder, undefined, { before: 0, maxBytes: 249 })
  expect(files.map(({ name, reason }) => [name, reason])).toEqual([['2026-11-14', 'size']])
  expect(keptBytes).toBe(150)
  const none = findExcess(folder, undefined, { before: 0, maxBytes: 250 })
  expect(none).toEqual({ files: [], keptBytes: 250 })
  rmSync(root, { recursive: true, force: true })
})

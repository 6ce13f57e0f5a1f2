import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeFolder } from '../../../../test/support/server.ts'
import { FileCache } from './file-cache.ts'

test('keeps the 16 files open that were used last', () => {
  const folder = makeFolder()
  const pathOf = (key: number) => path.join(folder, `${key}.db`)
  const opened: number[] = []
  const createReads = (db: Database, key: number) => {
    opened.push(key)
    return { read: () => db.query<{ key: number }, []>('SELECT key FROM file').get()?.key }
  }
  const cache = new FileCache({ pathOf, createReads }, () => undefined)
  const keys = Array.from({ length: 17 }, (_, key) => key)
  for (const key of keys) {
    using db = new Database(pathOf(key), { create: true })
    db.run(`CREATE TABLE file AS SELECT ${key} AS key`)
  }
  const use = (...used: readonly number[]) => used.map((key) => cache.use(key, ({ read }) => read()))
  expect(use(...keys.slice(0, 16), 0, 16)).toEqual([...keys.slice(0, 16), 0, 16])
  expect(opened).toEqual(keys)
  // Only the second one was closed: the first was used again.
  expect(use(0, 2, 1)).toEqual([0, 2, 1])
  expect(opened).toEqual([...keys, 1])
  cache.closeAll()
  rmSync(folder, { recursive: true, force: true })
})

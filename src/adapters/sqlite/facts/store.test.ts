import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { makeFolder } from '../../../../test/support/server.ts'
import { testFactStore } from '../../fact-store.contract.ts'
import { databasePath } from '../data-folder.ts'
import { type FactStoreOptions, SqliteFactStore } from './store.ts'

const optionsFor = (folder: string): FactStoreOptions => ({
  path: databasePath(folder),
  isInitialized: false,
  observe: () => undefined,
  onFailure: (error) => {
    throw error
  },
})

testFactStore('SqliteFactStore', async () => {
  const folder = makeFolder()
  return {
    open: () => SqliteFactStore.open(optionsFor(folder)),
    remove: () => rm(folder, { recursive: true }),
  }
})

test('rejects calls in excess of the queue immediately, and runs the others', async () => {
  const folder = makeFolder()
  const store = await SqliteFactStore.open({ ...optionsFor(folder), maxQueued: 5 })
  const bans = Array.from({ length: 8 }, (_, index) =>
    store.putBan({ playerId: `p${index}`, startsAt: 0, endsAt: 1 }).then(
      () => 'stored',
      ({ kind }) => kind,
    ),
  )
  expect(await Promise.all(bans)).toEqual([...Array(5).fill('stored'), ...Array(3).fill('unavailable')])
  await store.putBan({ playerId: 'later', startsAt: 0, endsAt: 1 })
  await store.close()
  await rm(folder, { recursive: true })
})

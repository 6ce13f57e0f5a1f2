import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { makeFolder } from '../../../test/support/server.ts'
import { testStore } from '../store.contract.ts'
import { databasePath, messagesPath } from './data-folder.ts'
import type { QueueOptions } from './queue.ts'
import { SqliteStore } from './store.ts'

const optionsFor = (folder: string): QueueOptions => ({
  path: databasePath(folder),
  messagesPath: messagesPath(folder),
  isInitialized: false,
  observe: () => undefined,
  onFailure: (error) => {
    throw error
  },
})

testStore('SqliteStore', async () => {
  const folder = makeFolder()
  return {
    open: () => SqliteStore.open(optionsFor(folder)),
    remove: () => rm(folder, { recursive: true }),
  }
})

test('rejects calls over the queue limit immediately and completes the others', async () => {
  const folder = makeFolder()
  const store = await SqliteStore.open({ ...optionsFor(folder), maxQueued: 5 })
  const bans = Array.from({ length: 8 }, (_, index) =>
    store.putBan({ playerId: `p${index}`, startsAt: 0, endsAt: 1 }).then(
      () => 'taken',
      ({ kind }) => kind,
    ),
  )
  expect(await Promise.all(bans)).toEqual([...Array(5).fill('taken'), ...Array(3).fill('unavailable')])
  await store.putBan({ playerId: 'later', startsAt: 0, endsAt: 1 })
  await store.close()
  await rm(folder, { recursive: true })
})

import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { makeFolder } from '../../../../test/support/server.ts'
import { inTemporaryFolder } from '../../../../test/support/store.ts'
import { SYSTEM_CALL } from '../../../core/context.ts'
import { testFactStore } from '../../fact-store.contract.ts'
import { databasePath } from '../data-folder.ts'
import { type FactStoreOptions, openFactStore } from './store.ts'

const optionsFor = (folder: string): FactStoreOptions => ({
  path: databasePath(folder),
  isInitialized: false,
  observe: () => undefined,
  onFailure: (error) => {
    throw error
  },
})

testFactStore(
  'SqliteFactStore',
  inTemporaryFolder((folder) => openFactStore(optionsFor(folder))),
)

test('rejects calls in excess of the queue immediately, and runs the others', async () => {
  const folder = makeFolder()
  const store = await openFactStore({ ...optionsFor(folder), maxQueued: 5 })
  const bans = Array.from({ length: 8 }, (_, index) =>
    store.putBan({ playerId: `p${index}`, startsAt: 0, endsAt: 1 }, SYSTEM_CALL).then(
      () => 'stored',
      ({ kind }) => kind,
    ),
  )
  expect(await Promise.all(bans)).toEqual([...Array(5).fill('stored'), ...Array(3).fill('unavailable')])
  await store.putBan({ playerId: 'later', startsAt: 0, endsAt: 1 }, SYSTEM_CALL)
  await store.close()
  await rm(folder, { recursive: true })
})

test('reads again after its reader could not be started', async () => {
  const folder = makeFolder()
  let workers = 0
  const startWorker = () => {
    if (++workers === 2) throw new Error('too many threads')
    return new Worker(new URL('./worker.ts', import.meta.url).href)
  }
  const store = await openFactStore({ ...optionsFor(folder), startWorker, inspectEveryMs: 3_600_000 })
  expect(await store.readVersion().catch(({ kind }) => kind)).toBe('unavailable')
  expect(await store.readVersion()).toBe(0)
  await store.close()
  await rm(folder, { recursive: true })
})

import { rm } from 'node:fs/promises'
import { makeFolder } from '../../../test/support/server.ts'
import { testStore } from '../store.contract.ts'
import { databasePath, messagesPath } from './data-folder.ts'
import { SqliteStore } from './store.ts'

testStore('SqliteStore', async () => {
  const folder = makeFolder()
  return {
    open: () =>
      SqliteStore.open({
        path: databasePath(folder),
        messagesPath: messagesPath(folder),
        isUsed: false,
        observe: () => undefined,
        onFailure: (error) => {
          throw error
        },
      }),
    remove: () => rm(folder, { recursive: true }),
  }
})

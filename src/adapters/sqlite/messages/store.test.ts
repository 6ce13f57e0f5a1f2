import { rm } from 'node:fs/promises'
import { makeFolder } from '../../../../test/support/server.ts'
import { testMessageStore } from '../../message-store.contract.ts'
import { messagesPath } from '../data-folder.ts'
import { SqliteMessageStore } from './store.ts'

testMessageStore('SqliteMessageStore', async () => {
  const folder = makeFolder()
  const options = {
    path: messagesPath(folder),
    isInitialized: false,
    now: 0,
    observe: () => undefined,
    onFailure: (error: Error) => {
      throw error
    },
    onDamagedFile: (file: string) => {
      throw new Error(file)
    },
  }
  return {
    open: () => SqliteMessageStore.open(options),
    remove: () => rm(folder, { recursive: true }),
  }
})

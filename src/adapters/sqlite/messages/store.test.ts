import { rm } from 'node:fs/promises'
import { makeFolder } from '../../../../test/support/server.ts'
import { testMessageStore } from '../../message-store.contract.ts'
import { messagesPath } from '../data-folder.ts'
import { openMessageStore } from './store.ts'

testMessageStore('SqliteMessageStore', async () => {
  const folder = makeFolder()
  const options = {
    path: messagesPath(folder),
    isInitialized: false,
    observe: () => undefined,
    onFailure: (error: Error) => {
      throw error
    },
  }
  return {
    open: () => openMessageStore(options),
    remove: () => rm(folder, { recursive: true }),
  }
})

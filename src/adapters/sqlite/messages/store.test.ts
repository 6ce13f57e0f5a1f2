import { rm } from 'node:fs/promises'
import { openMessagesIn } from '../../../../test/support/message-store.ts'
import { makeFolder } from '../../../../test/support/server.ts'
import { testMessageStore } from '../../message-store.contract.ts'

testMessageStore('SqliteMessageStore', async () => {
  const folder = makeFolder()
  return {
    open: async () => (await openMessagesIn(folder)).store,
    remove: () => rm(folder, { recursive: true }),
  }
})

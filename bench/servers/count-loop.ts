/**
 * Preloaded into a server under test. A SIGUSR2 starts or stops counting the messages of the log, one count after
 * another; no request of the management API counts them all.
 */
import { SqliteMessageStore } from '../../src/adapters/sqlite/messages/store.ts'

const { open } = SqliteMessageStore
let isCounting = false

SqliteMessageStore.open = async (options) => {
  const store = await open.call(SqliteMessageStore, options)
  process.on('SIGUSR2', async () => {
    isCounting = !isCounting
    // Half a day more, so that messages are counted one by one, too.
    while (isCounting) await store.countMessages(Date.now() - 30.5 * 86_400_000, Number.MAX_SAFE_INTEGER)
  })
  return store
}

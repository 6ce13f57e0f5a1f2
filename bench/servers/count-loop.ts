/**
 * Preloaded into a server under test. A SIGUSR2 starts or stops counting all messages of the log, one count after
 * another; no request of the management API counts them all.
 */
import { SqliteStore } from '../../src/adapters/sqlite/store.ts'

const open = SqliteStore.open
let isCounting = false

SqliteStore.open = async (options) => {
  const store = await open.call(SqliteStore, options)
  process.on('SIGUSR2', async () => {
    isCounting = !isCounting
    while (isCounting) await store.countMessages(0, Number.MAX_SAFE_INTEGER)
  })
  return store
}

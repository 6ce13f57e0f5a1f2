/**
 * Preloaded into a server under test. A SIGUSR2 starts or stops counting all messages of the log, one count after
 * another; no request of the management API counts them all.
 */
import { StoreWorkers } from '../../src/adapters/sqlite/store-workers.ts'

const { open } = StoreWorkers
const COUNT = { name: 'countMessages', args: [0, Number.MAX_SAFE_INTEGER] }
let isCounting = false

StoreWorkers.open = async (options) => {
  const workers = await open.call(StoreWorkers, options)
  if (options.path.endsWith('messages.db')) {
    process.on('SIGUSR2', async () => {
      isCounting = !isCounting
      while (isCounting) await workers.read(COUNT)
    })
  }
  return workers
}

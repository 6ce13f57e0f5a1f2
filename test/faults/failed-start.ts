import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'

/** Fails to start and then does nothing: the process exits unless a worker or timer is left running. */
const log = createLogger('silent')
const onFailure = (error: Error) => {
  throw error
}
await startServer(readConfig({ flags: {}, env: process.env }), { log, onFailure }).then(
  () => process.stdout.write('started\n'),
  (thrown: Error) => process.stdout.write(`${thrown.message}\n`),
)

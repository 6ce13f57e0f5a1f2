import { readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/core/ports/clock.ts'
import { createLogger } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import { createCaller, TOKEN } from '../support/server.ts'

/** Takes the seed from TEST_SEED, or picks and prints one, so that every run can be repeated. */
export function chooseSeed(name: string): number {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 0x7fff_ffff))
  process.stdout.write(`${name}: TEST_SEED=${seed}\n`)
  return seed
}

/** Minimum number of cases for the long properties: a few thousand in `npm test`, a million in `npm run test:fuzz`. */
export const fuzzCases = Number(process.env['TEST_FUZZ_CASES'] ?? 4000)
/** No test timeout, because the number of cases is configurable; each request has its own timeout. */
export const NO_LIMIT = 2 ** 31 - 1

/** Starts a server in this process on a folder that outlives it, so that another can start on it. */
export async function startOn(folder: string, clock?: Clock) {
  const config = readConfig({
    flags: {},
    env: {
      PARLEY_DATA_DIR: folder,
      PARLEY_PORT: '0',
      PARLEY_MASTER_TOKEN: TOKEN,
      PARLEY_LOG_LEVEL: 'silent',
      PARLEY_RATE_LIMIT: 'off',
    },
  })
  const onFailure = (error: Error) => {
    throw error
  }
  const server = await startServer(config, {
    log: createLogger('silent'),
    onFailure,
    ...(clock && { ports: { clock } }),
  })
  return { call: createCaller(server.url.href), stop: () => server.stop() }
}

/** Log lines of level error and above. */
export const errorLines = (output: string) =>
  output.split('\n').filter((line) => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= 50)

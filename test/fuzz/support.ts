import { readConfig } from '../../src/config.ts'
import type { Clock } from '../../src/core/ports/clock.ts'
import { createLogger } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import { createCaller, TOKEN } from '../support/server.ts'

/** TEST_SEED repeats a run; the seed is printed so that every run can be repeated. */
export function chooseSeed(name: string): number {
  const seed = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 0x7fff_ffff))
  process.stdout.write(`${name}: TEST_SEED=${seed}\n`)
  return seed
}

/** How many cases the long properties try at least: a few in `npm test`, a million in `npm run test:fuzz`. */
export const fuzzCases = Number(process.env['TEST_FUZZ_CASES'] ?? 4000)
/** For tests whose length was asked for; what they wait for has limits of its own. */
export const NO_LIMIT = 2 ** 31 - 1

/** A server in this process on a folder that outlives it, so that another can start on the same one. */
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

/** The lines of a server's log that tell of an error. */
export const errorLines = (output: string) =>
  output.split('\n').filter((line) => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= 50)

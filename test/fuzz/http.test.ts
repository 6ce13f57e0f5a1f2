import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { makeFolder, startTestServer } from '../support/server.ts'
import { BODY_BYTES } from './bodies.ts'
import { show, WireClient } from './client.ts'
import { type CheckedRequest, findViolation } from './contract.ts'
import { malformed } from './malformed.ts'
import { requests, strangers } from './requests.ts'
import { chooseSeed, errorLines, fuzzCases, NO_LIMIT } from './support.ts'

const seed = chooseSeed('http')
const folder = makeFolder()
const RUNS_A_ROUND = 20
/** Limits the time for shrinking a counterexample. */
const ROUND_MS = 30_000

let server: ServerProcess
let client: WireClient

beforeAll(async () => {
  server = await spawnServer(folder, {
    PARLEY_MAX_BODY_BYTES: String(BODY_BYTES),
    PARLEY_MAX_GROUPS: '12',
    PARLEY_MAX_CHANNELS: '60',
    PARLEY_MAX_LANGUAGES: '20',
    PARLEY_IDLE_SECONDS: '60',
  })
  client = new WireClient(server.url)
})

afterAll(async () => {
  client.close()
  await server.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Sends at least `cases` requests in batches. Each round has its own seed, so that it can be repeated alone. */
async function fuzz<T>(
  cases: number,
  arbitrary: fc.Arbitrary<T>,
  batchSize: number,
  check: (batch: T[]) => Promise<void>,
) {
  const batches = fc.array(arbitrary, { minLength: 1, maxLength: batchSize, size: 'max' })
  let sent = 0
  const property = fc.asyncProperty(batches, async (batch) => {
    sent += batch.length
    await check(batch)
  })
  for (let round = 0; sent < cases; round++) {
    await fc.assert(property, {
      seed: seed + round,
      numRuns: Math.min(RUNS_A_ROUND, Math.ceil((2 * cases) / batchSize)),
      interruptAfterTimeLimit: ROUND_MS,
    })
    await clear()
  }
  return sent
}

async function requireConforming(checked: CheckedRequest): Promise<void> {
  const response = await client.send(checked.request).catch((thrown: Error) => thrown)
  const violation = response instanceof Error ? response.message : findViolation(checked, response)
  if (violation !== undefined)
    throw new Error(`${violation}\nto ${show(checked.request)}\nfrom ${Bun.inspect(response)}`)
}

/** Sends the batch concurrently and reports the first violation once all have completed. */
async function requireAllConforming(batch: readonly CheckedRequest[]): Promise<void> {
  const outcomes = await Promise.allSettled(batch.map(requireConforming))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Lifts every ban and deletes every channel, so that quotas are not reached and lists stay short. */
async function clear(): Promise<void> {
  for (const channel_group of (await server.call('GET', '/open_channel_groups')).json) {
    const query = new URLSearchParams({ channel_group })
    for (const { channel_name } of (await server.call('GET', `/open_channels?${query}`)).json)
      await server.call('DELETE', '/open_channels', { body: { channel_group, channel_name } })
  }
  for (const { gamer_id } of (await server.call('GET', '/block_user_list')).json)
    await server.call('DELETE', '/block_user_chat', { body: { gamer_id } })
}

/** Unchanged defaults show that no prototype was polluted. */
async function requireAlive(): Promise<void> {
  await clear()
  const key = { channel_group: 'a', channel_name: 'canary' }
  const made = await server.call('PUT', '/open_channels', { body: key })
  expect(made.json).toMatchObject({ ...key, max_count: 50, is_default: false })
  expect((await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'x' } })).json.code).toBe(400105)
  expect(process.kill(server.pid, 0)).toBe(true)
  expect((await fetch(new URL('/readyz', server.url))).status).toBe(200)
}

describe('a running server', () => {
  test(
    'responds to any request with a documented error or a valid success',
    async () => {
      const sent = await fuzz(fuzzCases, requests, 100, (batch) =>
        requireAllConforming(batch.map((request) => ({ request, credentials: 'right' }))),
      )
      expect(sent).toBeGreaterThanOrEqual(fuzzCases)
      await requireAlive()
      expect(errorLines(server.output())).toEqual([])
    },
    NO_LIMIT,
  )

  test(
    'responds to any unauthenticated request with the same error',
    async () => {
      // Few requests in large batches, because the server delays credential failures.
      await fuzz(fuzzCases / 40, strangers, 250, (batch) =>
        requireAllConforming(batch.map((request) => ({ request, credentials: 'wrong' }))),
      )
      await requireAlive()
      expect(errorLines(server.output())).toEqual([])
    },
    NO_LIMIT,
  )

  test(
    'responds to malformed HTTP with an error or closes the connection, and keeps serving',
    async () => {
      let seen = server.output().length
      await fuzz(fuzzCases / 2, malformed, 40, async (batch) => {
        const received = await Promise.all(batch.map((bytes) => client.sendRaw(bytes)))
        for (const [index, text] of received.entries()) {
          const bytes = batch[index]?.toString('latin1')
          const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
          const isSound = text === '' || (statuses.length > 0 && statuses.every((s) => s < 500 || s === 505))
          if (!isSound) throw new Error(`${JSON.stringify(text)}\nto ${JSON.stringify(bytes)}`)
        }
        expect((await server.call('GET', '/open_channel_groups')).status).toBe(200)
        const output = server.output()
        const errors = errorLines(output.slice(seen))
        seen = output.length
        if (errors.length > 0) throw new Error(`logged: ${errors[0]?.slice(0, 300)}`)
      })
      await requireAlive()
      expect(errorLines(server.output())).toEqual([])
    },
    NO_LIMIT,
  )

  test('stops cleanly afterwards', async () => {
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(errorLines(server.output())).toEqual([])
  })
})

test(
  'no request changes Object.prototype',
  async () => {
    const before = Reflect.ownKeys(Object.prototype)
    await using local = await startTestServer()
    const wire = new WireClient(local.url)
    await fc.assert(
      fc.asyncProperty(fc.array(requests, { minLength: 1, maxLength: 50, size: 'max' }), async (batch) => {
        await Promise.all(batch.map((request) => wire.send(request)))
        expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
      }),
      { seed, numRuns: 20 },
    )
    wire.close()
  },
  NO_LIMIT,
)

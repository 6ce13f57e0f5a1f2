/**
 * `npm run test:soak`: a crowd at full size. It takes minutes and measures time, so it is not part of `npm test`, where
 * `test/gateway/slow-readers.test.ts` and `test/gateway/crowd.test.ts` hold the same promises.
 */
import { expect, test } from 'bun:test'
import { temporaryFolder } from '../faults/support.ts'
import { findGaps, LightPlayer } from '../gateway/light-player.ts'
import { readDisconnects } from '../gateway/node.ts'
import {
  createChannel,
  kernelQueue,
  NO_CLOSE_FRAME,
  RawWebSocket,
  readMetric,
  residentBytes,
  spawnGateway,
} from '../gateway/support.ts'
import { signToken } from '../support/player.ts'

const READERS = 800
const SLEEPERS = 200
const MEGABYTE = 2 ** 20
const CUT_WITHIN_MS = 15_000
const LARGE = 'x'.repeat(14_000)
const PLACE = { channel_group: 'crowd', channel_name: 'a' }

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

async function enter(url: string, id: string, place: object = PLACE): Promise<LightPlayer> {
  const member = await LightPlayer.connect(url, id)
  const reply = await member.ask('join', place)
  if (reply.type !== 'joined') throw new Error(`${id}: ${JSON.stringify(reply)}`)
  return member
}

/** Joins and then stops reading. */
async function enterAndSleep(url: string, id: string): Promise<RawWebSocket> {
  const client = await RawWebSocket.open(url)
  await client.ask({ type: 'connect', id: 1, token: await signToken(id) })
  expect(await client.ask({ type: 'join', id: 2, ...PLACE })).toMatchObject({ type: 'joined' })
  client.pause()
  return client
}

/** Sends a large message from ten players; returns the time until each reader has received them all. */
async function speak(readers: readonly LightPlayer[]): Promise<number[]> {
  const startedAt = performance.now()
  const said = await Promise.all(
    readers.slice(0, 10).map((speaker) => speaker.ask('say', { channel_group: 'crowd', message: LARGE })),
  )
  const last = Math.max(...said.map(({ seq }) => seq))
  return Promise.all(
    readers.map(async (reader) => {
      await reader.until(() => reader.lastSeq >= last)
      return performance.now() - startedAt
    }),
  )
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!

test('disconnects two hundred of a thousand clients that never read, without delaying the others', async () => {
  using home = temporaryFolder()
  await using crowded = await spawnGateway(home.path, { PARLEY_MAX_MESSAGE_BYTES: '15000' })
  await createChannel(crowded, 'crowd', 'a', { max_count: READERS + SLEEPERS })
  const readers = await times(READERS, (index) => enter(crowded.url, `reader-${index}`))
  const unharmed: number[] = []
  for (let round = 0; round < 10; round++) unharmed.push(...(await speak(readers)))
  const sleepers = await times(SLEEPERS, (index) => enterAndSleep(crowded.url, `sleeper-${index}`))
  const ports = sleepers.map(({ localPort }) => localPort)
  const before = residentBytes(crowded.pid)
  const harmed: number[] = []
  let [peak, queued, stuckAt] = [before, 0, performance.now()]
  while ((await readMetric(crowded, 'parley_connections')) > READERS) {
    harmed.push(...(await speak(readers)))
    peak = Math.max(peak, residentBytes(crowded.pid))
    // While the kernel still buffers for them, the server cannot tell that they do not read.
    const now = kernelQueue(crowded.url, ports)
    if (now > queued) stuckAt = performance.now()
    queued = Math.max(queued, now)
    if (performance.now() - stuckAt > CUT_WITHIN_MS) throw new Error('The slow clients are not disconnected.')
  }
  expect(p99(harmed)).toBeLessThan(10 * p99(unharmed))
  expect((peak - before) / MEGABYTE).toBeLessThan(3 * SLEEPERS)
  expect(readDisconnects(await (await fetch(new URL('/metrics', crowded.url))).text())).toEqual({
    slow: SLEEPERS,
  })
  for (const sleeper of sleepers) sleeper.resume()
  const codes = await Promise.all(sleepers.map((sleeper) => sleeper.closed()))
  expect(codes.filter((code) => code !== 4008 && code !== NO_CLOSE_FRAME)).toEqual([])
  const rounds = (unharmed.length + harmed.length) / READERS
  for (const reader of readers) expect([reader.seqs.length, findGaps(reader.seqs)]).toEqual([10 * rounds, []])
  expect(await readMetric(crowded, 'parley_connections')).toBe(READERS)
  for (const reader of readers) reader.terminate()
}, 600_000)

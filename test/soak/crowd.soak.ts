/**
 * `npm run test:soak`: a crowd at full size. It takes minutes and measures time, so it is not part of `npm test`, where
 * `test/gateway/slow-readers.test.ts` and `test/gateway/crowd.test.ts` hold the same promises.
 */
import { expect, test } from 'bun:test'
import { temporaryFolder } from '../faults/support.ts'
import { findGaps, LightPlayer } from '../gateway/light-player.ts'
import { readDisconnects } from '../gateway/node.ts'
import { joinWithoutReading, NO_CLOSE_FRAME } from '../gateway/raw-websocket.ts'
import {
  createChannel,
  kernelQueue,
  readMetric,
  residentBytes,
  spawnGateway,
  times,
} from '../gateway/support.ts'

const READERS = 800
const SLEEPERS = 200
const MEGABYTE = 2 ** 20
const DISCONNECT_WITHIN_MS = 15_000
const LARGE = 'x'.repeat(14_000)
const CHANNEL = { channel_group: 'crowd', channel_name: 'a' }

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
  const readers = await times(READERS, (index) => LightPlayer.join(crowded.url, `reader-${index}`, CHANNEL))
  const unharmed: number[] = []
  for (let round = 0; round < 10; round++) unharmed.push(...(await speak(readers)))
  const sleepers = await times(SLEEPERS, (index) =>
    joinWithoutReading(crowded.url, `sleeper-${index}`, CHANNEL),
  )
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
    if (performance.now() - stuckAt > DISCONNECT_WITHIN_MS)
      throw new Error('The slow clients are not disconnected.')
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

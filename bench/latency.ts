import type { ChatLoad, ChatResult } from './chat-load.ts'
import { drive, SIDES } from './chat-sides.ts'
import type { DialectName } from './dialects.ts'
import { startWrites } from './paced-writes.ts'
import { type Measurement, median } from './support.ts'

const MEMBERS = 1000
const IN_FLIGHT = 16
const WRITES_PER_SECOND = 1000
const KEPT_SHARE = 0.95
const TARGET_MS = 20

type Found = ChatResult & { readonly writesPerSecond: number }

/** Latency at half of the burst throughput, with and without load on the management API. */
export async function measureLatency(seconds: number, rounds: number): Promise<Measurement[]> {
  const capacity = await run('parley', seconds, { kind: 'burst', speakers: IN_FLIGHT })
  const speech = { kind: 'rate', perSecond: capacity.perSecond / 2 / MEMBERS } as const
  const found = { quiet: [] as Found[], busy: [] as Found[], echo: [] as Found[] }
  for (let round = 0; round < rounds; round++) {
    found.quiet.push(await run('parley', seconds, speech))
    found.busy.push(await run('parley', seconds, speech, WRITES_PER_SECOND))
    found.echo.push(await run('topic-echo', seconds, speech))
  }
  const echoMs = median(found.echo.map(({ p99Ms }) => p99Ms))
  const members = MEMBERS.toLocaleString('en')
  const row = (results: readonly Found[], suffix: string, isKept: boolean): Measurement => {
    const figure = median(results.map(({ p99Ms }) => p99Ms))
    const { p50Ms, maxMs, perSecond } = results.find(({ p99Ms }) => p99Ms === figure)!
    return {
      what: `Latency from say to delivery at half capacity, ${members} members${suffix}: p99`,
      parley: `p50 ${p50Ms.toFixed(1)} ms, max ${maxMs.toFixed(1)} ms; ${count(perSecond)} of ${count(capacity.perSecond)} deliveries/s`,
      baseline: `bare Bun.serve at the same rate: p99 ${echoMs.toFixed(1)} ms`,
      figure,
      unit: 'ms',
      target: `≤ ${TARGET_MS}`,
      isMet: figure <= TARGET_MS && isKept,
    }
  }
  const writes = Math.min(...found.busy.map(({ writesPerSecond }) => writesPerSecond))
  return [
    row(found.quiet, '', true),
    row(found.busy, `, with ${count(writes)} bans/s`, writes >= KEPT_SHARE * WRITES_PER_SECOND),
  ]
}

async function run(
  dialect: DialectName,
  seconds: number,
  speech: ChatLoad['speech'],
  writesPerSecond = 0,
): Promise<Found> {
  const subject = await SIDES[dialect](MEMBERS)
  try {
    const writes = writesPerSecond > 0 ? await startWrites(subject.port, writesPerSecond) : undefined
    const load = { dialect, members: MEMBERS, channels: 1, warmSeconds: 1, seconds, speech }
    const found = await drive(subject, load)
    return { ...found, writesPerSecond: (await writes?.stop()) ?? 0 }
  } finally {
    await subject.stop()
  }
}

const count = (value: number) => Math.round(value).toLocaleString('en')

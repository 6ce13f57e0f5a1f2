import { cpuMs, type Measurement, median } from '../support.ts'
import type { CrowdProcess, Speech } from './crowd-process.ts'
import type { GrowthDialectName } from './dialects.ts'
import { atMost, count, type GrowthOptions, type Part } from './part.ts'
import { affordablePlayers, connectCrowd, describeSize, startChannels } from './sides.ts'

export const PLAYERS = 10_000
export const PER_CHANNEL = 50
export const PER_PLAYER = 0.15

const MAX_RATIO = 1.1
const MAX_P99_MS = 100

/** Players in channels of fifty who talk as players do. */
export const evening: Part = {
  name: 'evening',
  async measure({ isQuick }: GrowthOptions): Promise<Measurement[]> {
    const players = affordablePlayers(isQuick ? 1000 : PLAYERS, PER_CHANNEL)
    const [rounds, seconds] = isQuick ? [1, 4] : [3, 15]
    const found = { parley: [] as Evening[], bare: [] as Evening[] }
    for (let round = 0; round < rounds; round++) {
      found.parley.push(await spend('parley', players, seconds))
      found.bare.push(await spend('topic-channels', players, seconds))
    }
    const ratio = median(found.parley.map((parley, n) => parley.microseconds / found.bare[n]!.microseconds))
    const cost = (side: readonly Evening[]) => median(side.map(({ microseconds }) => microseconds)).toFixed(2)
    const p99 = median(found.parley.map(({ speech }) => speech.p99Ms))
    const bareP99 = median(found.bare.map(({ speech }) => speech.p99Ms))
    const size = describeSize(players, PLAYERS)
    const { speech } = found.parley.find(({ speech: { p99Ms } }) => p99Ms === p99)!
    return [
      atMost(MAX_RATIO, {
        what: `evening: server CPU per delivery, ${size}, ${PER_PLAYER} messages/s each, channels of ${PER_CHANNEL}`,
        parley: `${cost(found.parley)} µs`,
        baseline: `bare topics: ${cost(found.bare)} µs`,
        figure: ratio,
        unit: '× the baseline',
      }),
      atMost(MAX_P99_MS, {
        what: `evening: from say to delivery, ${size}: p99`,
        parley: describeSpeech(speech),
        baseline: `bare topics: p99 ${bareP99.toFixed(1)} ms`,
        figure: p99,
        unit: 'ms',
      }),
    ]
  },
}

interface Evening {
  readonly microseconds: number
  readonly speech: Speech
}

async function spend(dialect: GrowthDialectName, players: number, seconds: number): Promise<Evening> {
  const channels = players / PER_CHANNEL
  const server = await startChannels(dialect, channels, PER_CHANNEL)
  try {
    await using crowd = await connectCrowd({ dialect, port: server.port, members: players, channels })
    await speakFor(crowd, players * PER_PLAYER, seconds / 3)
    const before = cpuMs(server.pid)
    const speech = await speakFor(crowd, players * PER_PLAYER, seconds)
    const { deliveries, expected, disconnects } = speech
    if (deliveries !== expected || disconnects > 0)
      throw new Error(`${deliveries} of ${expected} deliveries arrived; ${disconnects} disconnects.`)
    return { microseconds: ((cpuMs(server.pid) - before) * 1000) / deliveries, speech }
  } finally {
    await server.stop()
  }
}

export async function speakFor(
  crowd: CrowdProcess,
  perSecond: number,
  seconds: number,
  drain = true,
): Promise<Speech> {
  await crowd.speak(perSecond)
  await Bun.sleep(seconds * 1000)
  return crowd.stopSpeaking(drain)
}

export const describeSpeech = ({
  deliveries,
  seconds,
  p50Ms,
  p99Ms,
  maxMs,
  driverCpuMs,
  driverStallMs,
}: Speech) =>
  `${count(deliveries / seconds)} deliveries/s, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, longest ` +
  `${maxMs.toFixed(0)} ms; driver ${Math.round(driverCpuMs / seconds / 10)} % of a core, stalled ${driverStallMs.toFixed(0)} ms at most`

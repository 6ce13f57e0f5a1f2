import { cpuMs, type Measurement, median } from '../support.ts'
import type { GrowthDialectName } from './dialects.ts'
import { atMost, count, type GrowthOptions, type Part } from './part.ts'
import { describeThreads, threadTimes, timeBetween } from './processor-time.ts'
import { connectCrowd, startChannels } from './sides.ts'

const TARGET_US = 45
const WARM_UP_MS = 4000

/** One message with one reader, its sender: what the whole path costs without the fan-out. */
export const messageCost: Part = {
  name: 'message cost',
  async measure({ isQuick }: GrowthOptions): Promise<Measurement[]> {
    const load = isQuick
      ? { players: 200, perSecond: 3000, seconds: 3 }
      : { players: 200, perSecond: 3000, seconds: 10 }
    const found = { parley: [] as Cost[], bare: [] as Cost[] }
    for (let round = 0; round < (isQuick ? 1 : 3); round++) {
      found.parley.push(await run('parley', load))
      found.bare.push(await run('topic-channels', load))
    }
    const figure = median(found.parley.map(({ microseconds }) => microseconds))
    const bare = median(found.bare.map(({ microseconds }) => microseconds))
    const { threads } = found.parley.find(({ microseconds }) => microseconds === figure)!
    return [
      atMost(TARGET_US, {
        what: `message cost: server CPU per message with one reader, ${count(load.perSecond)} messages/s`,
        parley: `user + kernel: ${threads}`,
        baseline: `bare topics: ${bare.toFixed(1)} µs`,
        figure,
        unit: 'µs',
      }),
    ]
  },
}

interface Cost {
  readonly microseconds: number
  readonly threads: string
}

async function run(
  dialect: GrowthDialectName,
  { players, perSecond, seconds }: { players: number; perSecond: number; seconds: number },
): Promise<Cost> {
  const server = await startChannels(dialect, players, 2)
  try {
    await using crowd = await connectCrowd({
      dialect,
      port: server.port,
      members: players,
      channels: players,
    })
    await crowd.speak(perSecond)
    await Bun.sleep(WARM_UP_MS)
    await crowd.stopSpeaking(true)
    const before = { cpu: cpuMs(server.pid), threads: threadTimes(server.pid) }
    await crowd.speak(perSecond)
    await Bun.sleep(seconds * 1000)
    const { messages, deliveries } = await crowd.stopSpeaking(true)
    if (deliveries !== messages) throw new Error(`${deliveries} of ${messages} messages were delivered.`)
    const threads = describeThreads(timeBetween(before.threads, threadTimes(server.pid)), messages)
    return { microseconds: ((cpuMs(server.pid) - before.cpu) * 1000) / messages, threads }
  } finally {
    await server.stop()
  }
}

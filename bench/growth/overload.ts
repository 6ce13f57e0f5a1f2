import type { Measurement, Subject } from '../support.ts'
import { BanProbe, type BanTimes, describeBans } from './ban-probe.ts'
import type { CrowdProcess, Speech } from './crowd-process.ts'
import { describeSpeech, PER_CHANNEL, PER_PLAYER, PLAYERS, speakFor } from './evening.ts'
import { MemoryWatch } from './memory-watch.ts'
import { atLeast, atMost, count, type GrowthOptions, type Part } from './part.ts'
import { threadTimes, timeBetween, totalMs } from './processor-time.ts'
import { affordablePlayers, connectCrowd, describeSize, startChannels } from './sides.ts'

/** The event loop is saturated when its thread is this busy, or when a higher rate brings no more deliveries. */
const SATURATED_SHARE = 0.9
const MIN_GROWTH = 1.05
const STEP = 1.25
const OVERLOAD = 2
const BANS_PER_SECOND = 10
const STAYING = 0.1

const MIN_SHARE_OF_BEST = 0.9
const MAX_P99_MS = 1000
const MAX_BAN_MS = 500
const MAX_MEMORY_RATIO = 1.1
const MAX_STORM_P99_MS = 300

/** Twice the load that saturates the server, then a reconnect of all but a tenth of its players. */
export const overload: Part = {
  name: 'overload',
  async measure({ isQuick }: GrowthOptions): Promise<Measurement[]> {
    const players = affordablePlayers(isQuick ? 1000 : PLAYERS, PER_CHANNEL)
    const channels = players / PER_CHANNEL
    // Admission control is at work, as it is when players reconnect in production.
    const server = await startChannels('parley', channels, PER_CHANNEL, {})
    try {
      const options = { dialect: 'parley', port: server.port, members: players, channels } as const
      await using crowd = await connectCrowd(options)
      const size = describeSize(players, PLAYERS)
      const saturation = await saturate(server, crowd, players * PER_PLAYER, isQuick ? 2 : 5)
      await speakFor(crowd, players * PER_PLAYER, 1)
      const overloaded = await runOverloaded(server, crowd, saturation, isQuick ? 5 : 20)
      await speakFor(crowd, players * PER_PLAYER, 2)
      return [
        ...describeOverload(size, saturation, overloaded),
        await measureStorm(crowd, players * PER_PLAYER, size),
      ]
    } finally {
      await server.stop()
    }
  },
}

interface Saturation {
  /** The lowest rate that saturated the server. */
  readonly messagesPerSecond: number
  readonly bestDeliveriesPerSecond: number
}

/**
 * Raises the rate until the event loop is saturated. Before each step the backlog of the last one is delivered, and a step
 * that saturates it is repeated, so that a busy moment of the machine does not count.
 */
async function saturate(
  { pid }: Subject,
  crowd: CrowdProcess,
  startRate: number,
  seconds: number,
): Promise<Saturation> {
  let best = 0
  const isSaturatedBy = async (rate: number, reached: number) => {
    await speakFor(crowd, startRate, 1)
    const before = threadTimes(pid)
    const { deliveries, seconds: passed } = await speakFor(crowd, rate, seconds, false)
    const [main] = timeBetween(before, threadTimes(pid)).filter(({ name }) => name === 'main')
    const perSecond = deliveries / passed
    best = Math.max(best, perSecond)
    return perSecond < MIN_GROWTH * reached || totalMs(main!) > SATURATED_SHARE * passed * 1000
  }
  for (let rate = startRate; ; rate *= STEP) {
    const reached = best
    if ((await isSaturatedBy(rate, reached)) && (await isSaturatedBy(rate, reached)))
      return { messagesPerSecond: rate, bestDeliveriesPerSecond: best }
  }
}

interface Overloaded {
  readonly speech: Speech
  readonly bans: BanTimes
  readonly memory: readonly [number, number]
}

async function runOverloaded(
  server: Subject,
  crowd: CrowdProcess,
  { messagesPerSecond }: Saturation,
  seconds: number,
): Promise<Overloaded> {
  using memory = new MemoryWatch(server.pid)
  const probe = new BanProbe(server.port, BANS_PER_SECOND)
  const speech = await speakFor(crowd, OVERLOAD * messagesPerSecond, seconds, false)
  const bans = await probe.stop()
  return { speech, bans, memory: memory.laterThirds }
}

function describeOverload(
  size: string,
  { messagesPerSecond, bestDeliveriesPerSecond: best }: Saturation,
  { speech, bans, memory: [earlier, later] }: Overloaded,
): Measurement[] {
  const name = `overload: ${size}, twice the ${count(messagesPerSecond)} messages/s that saturate the server`
  return [
    atLeast(MIN_SHARE_OF_BEST, {
      what: `${name}: deliveries`,
      parley: `${describeSpeech(speech)}; ${count(speech.messages / speech.seconds)} messages/s, ${count(speech.rejected / speech.seconds)} of them rejected, ${speech.disconnects} disconnects`,
      baseline: `at best: ${count(best)} deliveries/s`,
      figure: speech.deliveries / speech.seconds / best,
      unit: '× the best',
    }),
    atMost(MAX_P99_MS, {
      what: `${name}: from say to delivery, p99`,
      parley: '',
      figure: speech.p99Ms,
      unit: 'ms',
    }),
    atMost(MAX_MEMORY_RATIO, {
      what: `${name}: memory of the last third`,
      parley: `${later.toFixed(0)} MB`,
      baseline: `the second third: ${earlier.toFixed(0)} MB`,
      figure: later / earlier,
      unit: '× the baseline',
    }),
    atMost(MAX_BAN_MS, {
      what: `${name}: longest ban`,
      parley: describeBans(bans),
      figure: bans.maxMs,
      unit: 'ms',
    }),
  ]
}

async function measureStorm(crowd: CrowdProcess, perSecond: number, size: string): Promise<Measurement> {
  const quiet = await speakFor(crowd, perSecond, 3)
  await crowd.speak(perSecond)
  const { seconds } = await crowd.reconnect(STAYING)
  const storm = await crowd.stopSpeaking(false)
  return atMost(MAX_STORM_P99_MS, {
    what: `overload: nine tenths of ${size} reconnect: from say to delivery for the others, p99`,
    parley: `all back after ${seconds.toFixed(1)} s; ${describeSpeech(storm)}`,
    baseline: `before: p99 ${quiet.p99Ms.toFixed(0)} ms`,
    figure: storm.p99Ms,
    unit: 'ms',
  })
}

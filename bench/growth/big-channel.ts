import { channelName, GROUP } from '../dialects.ts'
import { call, type LoopStall, type Measurement, type Subject } from '../support.ts'
import { BanProbe, type BanTimes, describeBans } from './ban-probe.ts'
import { CrowdProcess } from './crowd-process.ts'
import { MemoryWatch } from './memory-watch.ts'
import { atLeast, atMost, count, type GrowthOptions, type Part } from './part.ts'
import {
  ADMIT_ALL,
  affordablePlayers,
  createChannel,
  describeSize,
  LOOP_WATCH,
  startGrowthServer,
} from './sides.ts'

const PLAYERS = 10_000
const BANS_PER_SECOND = 20

const MIN_JOINS_PER_SECOND = 1000
const MAX_STALL_MS = 50
const MAX_BAN_MS = 100
const MAX_MORE_MB = 200

/** One channel number that holds everybody: filled, then deleted, so that all members move to the FALLBACK. */
export const bigChannel: Part = {
  name: 'big channel',
  async measure({ isQuick }: GrowthOptions): Promise<Measurement[]> {
    const players = affordablePlayers(isQuick ? 1000 : PLAYERS, 1)
    const server = await startGrowthServer(ADMIT_ALL, [LOOP_WATCH])
    try {
      const { port } = server
      await createChannel(port, { channel_name: 'lobby', max_count: players, is_default: true })
      await createChannel(port, { channel_name: channelName(0), max_count: players })
      await using crowd = new CrowdProcess({ dialect: 'parley', port, members: players, channels: 1 })
      await server.longestStall()
      const { seconds } = await crowd.connect()
      const filling = { joinsPerSecond: players / seconds, stall: await server.longestStall() }
      await Bun.sleep(2000)
      const deletion = await deleteChannel(server, crowd, players)
      return describe(describeSize(players, PLAYERS), filling, deletion)
    } finally {
      await server.stop()
    }
  },
}

interface Deletion {
  readonly seconds: number
  readonly stall: LoopStall
  readonly bans: BanTimes
  readonly startMb: number
  readonly peakMb: number
}

/** Resolves when every member was moved. */
async function deleteChannel(server: Subject, crowd: CrowdProcess, players: number): Promise<Deletion> {
  using memory = new MemoryWatch(server.pid)
  await server.longestStall()
  const startedAt = performance.now()
  const moved = crowd.untilMoved(players)
  const key = { channel_group: GROUP, channel_name: channelName(0) }
  const deleted = call(server.port, 'DELETE', '/open_channels', key)
  const probe = new BanProbe(server.port, BANS_PER_SECOND)
  await Promise.all([deleted, moved])
  const seconds = (performance.now() - startedAt) / 1000
  const bans = await probe.stop()
  return {
    seconds,
    stall: await server.longestStall(),
    bans,
    startMb: memory.startMb,
    peakMb: memory.peakMb,
  }
}

function describe(
  size: string,
  filling: { readonly joinsPerSecond: number; readonly stall: LoopStall },
  { seconds, stall, bans, startMb, peakMb }: Deletion,
): Measurement[] {
  const name = `big channel: ${size} in one number`
  return [
    atLeast(MIN_JOINS_PER_SECOND, {
      what: `${name}, filled: connects and joins`,
      parley: '',
      figure: filling.joinsPerSecond,
      unit: '/s',
    }),
    stallRow(`${name}, filled`, filling.stall),
    stallRow(`${name}, deleted`, stall),
    atMost(MAX_BAN_MS, {
      what: `${name}, deleted: longest ban meanwhile`,
      parley: `all moved after ${seconds.toFixed(2)} s; ${describeBans(bans)}`,
      figure: bans.maxMs,
      unit: 'ms',
    }),
    atMost(MAX_MORE_MB, {
      what: `${name}, deleted: memory`,
      parley: `${count(peakMb)} MB`,
      baseline: `before: ${count(startMb)} MB`,
      figure: peakMb - startMb,
      unit: 'MB more',
    }),
  ]
}

const stallRow = (name: string, { cpuMs, wallMs }: LoopStall) =>
  atMost(MAX_STALL_MS, {
    what: `${name}: longest event-loop stall, CPU time`,
    parley: `wall clock ${wallMs.toFixed(0)} ms`,
    figure: cpuMs,
    unit: 'ms',
  })

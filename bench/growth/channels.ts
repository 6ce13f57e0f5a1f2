import { TestPlayer } from '../../test/support/player.ts'
import { channelName, GROUP } from '../dialects.ts'
import { type Measurement, median } from '../support.ts'
import { atMost, count, type GrowthOptions, type Part } from './part.ts'
import { SEEDED_GROUP, seededChannel } from './seed.ts'
import { connectCrowd, createChannel, startGrowthServer } from './sides.ts'

const MAX_RATIO = 2
const CHANNELS = 100_000
const NUMBERS = 2000
const EMPTY_GROUP = 'empty'
const SMALL_GROUP = 'small'
/** A join awaits the announcements of the channel that are being coalesced, such as that of the last leave. */
const PAUSE_MS = 20

const sizesOf = ({ isQuick }: GrowthOptions) =>
  isQuick
    ? { channels: 10_000, numbers: 200, rounds: 50 }
    : { channels: CHANNELS, numbers: NUMBERS, rounds: 300 }

const sizeOf = (size: number, wanted: number) =>
  size < wanted ? `${count(size)} (the target is for ${count(wanted)})` : count(size)

/** Channels that are created where there are many of them, against a folder without any. */
export const creation: Part = {
  name: 'creating a channel',
  async measure(options: GrowthOptions): Promise<Measurement[]> {
    const { channels, rounds } = sizesOf(options)
    const env = { PARLEY_MAX_CHANNELS: '1000000' }
    const folder = await options.folders.fill({ channels })
    const crowded = await startGrowthServer({ ...env, PARLEY_DATA_DIR: folder })
    const empty = await startGrowthServer(env)
    const times = { crowded: [] as number[], empty: [] as number[] }
    for (let n = 0; n < rounds; n++) {
      const channel = { channel_group: SEEDED_GROUP, channel_name: `created-${n}` }
      times.crowded.push(await time(() => createChannel(crowded.port, channel)))
      times.empty.push(await time(() => createChannel(empty.port, channel)))
    }
    await Promise.all([crowded.stop(), empty.stop()])
    const what = `creating a channel: ${count(rounds)} more than ${sizeOf(channels, CHANNELS)}, median`
    return [compareTimes(what, times.crowded, `the first ${count(rounds)}`, times.empty)]
  },
}

/** Joins of one player, who leaves again after each. */
export const joining: Part = {
  name: 'joining',
  async measure(options: GrowthOptions): Promise<Measurement[]> {
    const { channels, numbers, rounds } = sizesOf(options)
    const folder = await options.folders.fill({ channels })
    const env = { PARLEY_MAX_CHANNELS: '1000000', PARLEY_DATA_DIR: folder }
    const server = await startGrowthServer(env)
    const { port } = server
    try {
      await createChannel(port, { channel_name: channelName(0), max_count: 1 })
      await createChannel(port, { channel_group: EMPTY_GROUP, channel_name: 'empty', max_count: 1 })
      await using _seated = await connectCrowd({ dialect: 'parley', port, members: numbers, channels: 1 })
      using player = await TestPlayer.connect(`http://127.0.0.1:${port}`, 'joiner')
      const times = {
        first: [] as number[],
        channels: [] as number[],
        again: [] as number[],
        numbers: [] as number[],
      }
      for (let n = 0; n < rounds; n++) {
        // The first join of a channel reads its history, so both sides join channels that nobody has joined before.
        await createChannel(port, { channel_group: SMALL_GROUP, channel_name: `small-${n}` })
        times.first.push(await timeJoin(player, SMALL_GROUP, `small-${n}`))
        times.channels.push(
          await timeJoin(player, SEEDED_GROUP, seededChannel(n * Math.floor(channels / rounds))),
        )
        times.again.push(await timeJoin(player, EMPTY_GROUP, 'empty'))
        times.numbers.push(await timeJoin(player, GROUP, channelName(0)))
      }
      const inGroup = `joining: a group of ${sizeOf(channels, CHANNELS)} channels, median`
      const inChannel = `joining: a channel with ${sizeOf(numbers, NUMBERS)} full numbers, median`
      return [
        compareTimes(inGroup, times.channels, `a group of up to ${count(rounds)}`, times.first),
        compareTimes(inChannel, times.numbers, 'an empty channel', times.again),
      ]
    } finally {
      await server.stop()
    }
  },
}

async function timeJoin(player: TestPlayer, group: string, name: string): Promise<number> {
  player.frames.length = 0
  const passed = await time(async () => {
    const reply = await player.join(group, name)
    if (reply.type !== 'joined') throw new Error(JSON.stringify(reply))
  })
  await player.ask('leave', { channel_group: group })
  await Bun.sleep(PAUSE_MS)
  return passed
}

async function time(action: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await action()
  return performance.now() - startedAt
}

function compareTimes(
  what: string,
  times: readonly number[],
  against: string,
  baseline: readonly number[],
): Measurement {
  const [ms, baselineMs] = [median(times), median(baseline)]
  return atMost(MAX_RATIO, {
    what,
    parley: `${ms.toFixed(2)} ms`,
    baseline: `${against}: ${baselineMs.toFixed(2)} ms`,
    figure: ms / baselineMs,
    unit: '× the baseline',
  })
}

import path from 'node:path'
import { PLAYER_SECRET } from '../../test/support/player.ts'
import { channelName, GROUP } from '../dialects.ts'
import { maxFiles, OTHER_FILES } from '../idle-players.ts'
import { call, ROOT, type Subject, start, startParley } from '../support.ts'
import { type CrowdOptions, CrowdProcess } from './crowd-process.ts'
import type { GrowthDialectName } from './dialects.ts'

export const LOOP_WATCH = path.join(ROOT, 'bench/servers/loop-watch.ts')

/** Every client of a benchmark has the same address and speaks more often than a player. */
const SETTINGS = {
  PARLEY_PLAYER_SECRET: PLAYER_SECRET,
  PARLEY_FLOOD_LIMIT: 'off',
  PARLEY_CONNECTIONS_PER_ADDRESS: '0',
  PARLEY_PENDING_PER_ADDRESS: '0',
}

/** No limit on new connections, where filling channels is not what is measured or has to be as fast as it can. */
export const ADMIT_ALL = { PARLEY_CONNECTIONS_PER_SECOND: '1000000' }

export const startGrowthServer = (
  env: Record<string, string> = {},
  preloads: readonly string[] = [],
): Promise<Subject> =>
  startParley([...preloads.flatMap((file) => ['--preload', file]), 'src/main.ts', 'start'], {
    ...SETTINGS,
    ...env,
  })

/** A server with channels for a crowd, which are the topics that its members name in the bare one. */
export async function startChannels(
  dialect: GrowthDialectName,
  channels: number,
  maxCount: number,
  env: Record<string, string> = ADMIT_ALL,
): Promise<Subject> {
  if (dialect === 'topic-channels') return start(['bench/servers/topic-channels.ts'])
  const parley = await startGrowthServer(env)
  for (let n = 0; n < channels; n++)
    await createChannel(parley.port, { channel_name: channelName(n), max_count: maxCount })
  return parley
}

export const createChannel = (port: number, settings: { channel_name: string; [name: string]: unknown }) =>
  call(port, 'PUT', '/open_channels', { channel_group: GROUP, ...settings })

export async function connectCrowd(options: CrowdOptions): Promise<CrowdProcess> {
  const crowd = new CrowdProcess(options)
  await crowd.connect()
  return crowd
}

/** As many players as wanted, or as many as the open files of a process allow, in whole channels. */
export const affordablePlayers = (wanted: number, perChannel: number) =>
  Math.min(wanted, Math.floor((maxFiles() - OTHER_FILES) / perChannel) * perChannel)

/** Names the size, and says so when it is smaller than the target's. */
export const describeSize = (players: number, wanted: number) => {
  const size = `${players.toLocaleString('en')} players`
  return players < wanted ? `${size} (the target is for ${wanted.toLocaleString('en')})` : size
}

import { PLAYER_SECRET } from '../test/support/player.ts'
import type { ChatLoad, ChatResult } from './chat-load.ts'
import { channelName, type DialectName, GROUP } from './dialects.ts'
import { call, installPeer, median, ROOT, type Subject, start, startParley } from './support.ts'

export type ChatOptions = Omit<ChatLoad, 'dialect' | 'port' | 'pid' | 'channels'>

/** Starts Parley with open channels and without flood control. */
export async function startChat(channels: number, maxCount: number): Promise<Subject> {
  const parley = await startParley(undefined, {
    PARLEY_PLAYER_SECRET: PLAYER_SECRET,
    PARLEY_FLOOD_LIMIT: 'off',
    PARLEY_CONNECTIONS_PER_SECOND: '1000000',
    PARLEY_CONNECTIONS_PER_ADDRESS: '0',
    PARLEY_PENDING_PER_ADDRESS: '0',
  })
  for (let n = 0; n < channels; n++)
    await call(parley.port, 'PUT', '/open_channels', {
      channel_group: GROUP,
      channel_name: channelName(n),
      max_count: maxCount,
    })
  return parley
}

async function startSocketIo(): Promise<Subject> {
  await installPeer('socket.io')
  return start(['bench/peers/socket-io-server.mjs'], {}, 'node')
}

type StartSide = (members: number) => Promise<Subject>

/** Each starts with one channel for all members. */
export const SIDES: Record<DialectName, StartSide> = {
  parley: (members) => startChat(1, members),
  'topic-echo': () => start(['bench/servers/topic-echo.ts']),
  'socket.io': startSocketIo,
}

/** Runs the load from a process of its own. Throws if a delivery is missing. */
export async function drive(
  { port, pid }: Subject,
  load: Omit<ChatLoad, 'port' | 'pid'>,
): Promise<ChatResult> {
  const child = Bun.spawn([process.execPath, 'bench/chat-load.ts', JSON.stringify({ ...load, port, pid })], {
    cwd: ROOT,
    stdout: 'pipe',
  })
  const output = await child.stdout.text()
  if ((await child.exited) !== 0) throw new Error(`The load on ${load.dialect} failed.`)
  return JSON.parse(output)
}

/** Runs the same load on one channel of each server in turns. Returns the median figure of each. */
export async function compareChats(
  rounds: number,
  options: ChatOptions,
  figure: (result: ChatResult) => number,
) {
  const results: Record<DialectName, ChatResult[]> = { parley: [], 'topic-echo': [], 'socket.io': [] }
  for (let round = 0; round < rounds; round++) {
    for (const [dialect, startSide] of Object.entries(SIDES) as [DialectName, StartSide][]) {
      const subject = await startSide(options.members)
      try {
        results[dialect].push(await drive(subject, { ...options, dialect, channels: 1 }))
      } finally {
        await subject.stop()
      }
    }
  }
  const middle = (side: DialectName) => median(results[side].map(figure))
  return { parley: middle('parley'), topicEcho: middle('topic-echo'), socketIo: middle('socket.io') }
}

import { PLAYER_SECRET } from '../test/support/player.ts'
import type { ChatLoad, ChatResult } from './chat-load.ts'
import { channelName, type DialectName, GROUP } from './dialects.ts'
import { call, installPeer, median, ROOT, type Subject, start, startParley } from './support.ts'

export type ChatWish = Omit<ChatLoad, 'dialect' | 'port' | 'pid' | 'channels'>

/** A Parley where players may say what they like as often as they like, with open channels. */
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

/** Each with one channel for all members. */
export const SIDES: Record<DialectName, StartSide> = {
  parley: (members) => startChat(1, members),
  'topic-echo': () => start(['bench/servers/topic-echo.ts']),
  'socket.io': startSocketIo,
}

/** Drives a server from a process of its own. Throws when a delivery is missing. */
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

/** One channel, the same load on each side in turns; the results by side, in the order of `figure`. */
export async function compareChats(rounds: number, wish: ChatWish, figure: (result: ChatResult) => number) {
  const results: Record<DialectName, ChatResult[]> = { parley: [], 'topic-echo': [], 'socket.io': [] }
  for (let round = 0; round < rounds; round++) {
    for (const [dialect, startSide] of Object.entries(SIDES) as [DialectName, StartSide][]) {
      const subject = await startSide(wish.members)
      try {
        results[dialect].push(await drive(subject, { ...wish, dialect, channels: 1 }))
      } finally {
        await subject.stop()
      }
    }
  }
  const middle = (side: DialectName) => median(results[side].map(figure))
  return { parley: middle('parley'), topicEcho: middle('topic-echo'), socketIo: middle('socket.io') }
}

import type { ParleyClient } from '../../client/src/index.ts'
import { plural } from './format.ts'
import type { Room } from './room.ts'

export interface Context {
  readonly client: ParleyClient
  readonly room: Room
  readonly tell: (line: string) => void
  readonly quit: () => void
}

interface Command {
  readonly usage: string
  readonly about: string
  readonly run: (words: readonly string[], context: Context) => Promise<void> | void
}

const COMMANDS: Readonly<Record<string, Command>> = {
  '/who': { usage: '/who', about: 'list the players in the channel', run: listPlayers },
  '/join': { usage: '/join GROUP[/CHANNEL]', about: 'join another channel', run: join },
  '/leave': { usage: '/leave', about: 'leave the channel', run: leave },
  '/report': {
    usage: '/report [N] [KEYWORD]',
    about: 'report the latest message of another player, or the Nth latest',
    run: report,
  },
  '/help': { usage: '/help', about: 'list the commands', run: help },
  '/quit': { usage: '/quit', about: 'quit', run: (_, { quit }) => quit() },
}

/** Runs a line that starts with "/" as a command; sends any other line as a message. */
export async function runLine(line: string, context: Context): Promise<void> {
  const { client, room, tell } = context
  const [name = '', ...words] = line.split(/\s+/)
  if (line.startsWith('/')) {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command === undefined) tell(`! Unknown command ${name}. /help lists the commands.`)
    else await command.run(words, context)
  } else if (room.channel === undefined) tell('! You are not in a channel: /join GROUP')
  else await client.say(room.channel.channelGroup, line)
}

/** Lists one page: more names would fill the screen. */
async function listPlayers(_: readonly string[], { client, room, tell }: Context): Promise<void> {
  if (room.channel === undefined) return tell('* You are not in a channel')
  const { value: page } = await client.players(room.channel.channelGroup).next()
  if (page === undefined) return
  const names = page.players.map(({ gamerName }) => gamerName).sort()
  const others = page.playerCount - names.length
  tell(`* Here: ${names.join(', ')}${others > 0 ? ` and ${plural(others, 'other player')}` : ''}`)
}

async function join([where]: readonly string[], { client, room, tell }: Context): Promise<void> {
  const [channelGroup = '', ...rest] = (where ?? '').split('/')
  if (channelGroup === '') return tell('! Usage: /join GROUP or /join GROUP/CHANNEL')
  const channelName = rest.join('/')
  const before = room.channel
  // A player can be in one channel per group, so leave the old one first.
  if (before?.channelGroup === channelGroup) await client.leave(channelGroup)
  const channel = await client.join({ channelGroup, ...(channelName !== '' && { channelName }) })
  if (before !== undefined && before.channelGroup !== channelGroup) await client.leave(before.channelGroup)
  room.enter(channel)
}

async function leave(_: readonly string[], { client, room, tell }: Context): Promise<void> {
  if (room.channel === undefined) return tell('! You are not in a channel')
  await client.leave(room.channel.channelGroup)
  room.leave('* You left')
}

async function report(words: readonly string[], { client, room, tell }: Context): Promise<void> {
  const fromBottom = Number(words.find((word) => /^\d{1,3}$/.test(word)) ?? 1)
  const keyword = words.find((word) => /^\D/.test(word)) ?? 'ETC'
  const line = room.findLine(Math.max(1, fromBottom))
  if (line === undefined) return tell('! No such message from another player')
  const { reportId } = await client.report(line.messageId, keyword.toUpperCase(), '')
  tell(`* Reported "${line.message}" by ${line.gamerName}, report ${reportId}`)
}

function help(_: readonly string[], { tell }: Context): void {
  for (const { usage, about } of Object.values(COMMANDS)) tell(`  ${usage.padEnd(24)}${about}`)
}

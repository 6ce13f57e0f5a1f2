/**
 * `npm run chat -- --name Mina`: a chat client for the terminal, connected to the local server. It mints its own player
 * token with the master token in the data folder. `--url` and `--management` connect to another server.
 */
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { ParleyClient } from '../client/src/index.ts'
import { localUrl } from '../src/commands/local-url.ts'
import { readConfig } from '../src/config.ts'
import { Backend, InvalidTokenError } from './chat/backend.ts'
import { runLine } from './chat/commands.ts'
import { describeDuration, describeError } from './chat/format.ts'
import { Room } from './chat/room.ts'

const USAGE = `npm run chat -- [--name NAME] [--group GROUP] [--channel CHANNEL] [--language CODE]
  --name        player name (default: Player)
  --group       channel group to join (default: global)
  --channel     channel to join; created if it does not exist (default: server-1)
  --language    language of the player (default: en)
  --url         URL of another server, such as http://127.0.0.1:4140
  --management  URL of its management API, if that is on a separate port
Type a message and press Enter to send it. /help lists the commands.`

const values = readFlags()
if (values.help) {
  process.stdout.write(`${USAGE}\n`)
  process.exit(0)
}

const config = readConfig({ flags: {}, env: process.env })
const { listen } = config
const backend = new Backend(
  new URL(values.management ?? values.url ?? localUrl(listen.admin ?? listen)),
  config,
)
const gateway = new URL('/gateway/v1', values.url ?? localUrl(listen))
gateway.protocol = gateway.protocol.replace('http', 'ws')
const isTerminal = process.stdout.isTTY === true
const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: isTerminal })
// Reading starts now, so that lines typed before the channel is joined are not lost.
const lines = terminal[Symbol.asyncIterator]()
let hasChannel = false
let isQuitting = false
const GOING_AWAY = 4001

const client = new ParleyClient({
  url: gateway.href,
  language: values.language,
  backoff: { baseMs: 500, maxMs: 5000 },
  token: async () => {
    try {
      if (!hasChannel) await backend.createChannel(values.group, values.channel)
      hasChannel = true
      return await backend.mintToken(values.name, values.language)
    } catch (thrown) {
      if (thrown instanceof InvalidTokenError) fail(thrown.message)
      throw thrown
    }
  },
})

const showBan = (remainSeconds: number) =>
  tell(`! You are banned for ${describeDuration(remainSeconds)}. You can read messages but not send any.`)

client.on('banned', ({ remainSeconds }) => showBan(remainSeconds))
client.on('banLifted', () => tell('! Your ban has ended. You can send messages again.'))
client.on('disconnected', ({ code, reason, retryInMs }) => {
  const why =
    code === GOING_AWAY ? 'The server is shutting down' : reason.replace(/^Error: /, '') || 'Disconnected'
  tell(`! ${why}. Retrying in ${describeDuration(Math.ceil(retryInMs / 1000))}.`)
})
client.on('closed', ({ code, reason, error }) => {
  if (!isQuitting) fail(`Closed by the server: ${code} ${error?.message ?? reason}`)
})

const room = new Room(client, tell)
client.on('connected', ({ gamerId, gamerName, ban }) => {
  room.self = { gamerId, gamerName }
  if (ban !== null) showBan(ban.remainSeconds)
})

await client.connect()
await client
  .join({ channelGroup: values.group, channelName: values.channel })
  .then((channel) => room.enter(channel))
  .catch((thrown) => tell(`! ${describeError(thrown)} /join another channel.`))

if (isTerminal) terminal.prompt()
for await (const line of lines) {
  // The typed line is erased: the message comes back as everybody sees it.
  if (isTerminal && !line.startsWith('/')) process.stdout.write('\u001b[1A\r\u001b[K')
  const context = { client, room, tell, quit }
  if (line.trim() !== '')
    await runLine(line.trim(), context).catch((thrown: unknown) => tell(`! ${describeError(thrown)}`))
  if (isTerminal) terminal.prompt()
}
quit()

function readFlags() {
  try {
    return parseArgs({
      options: {
        name: { type: 'string', default: 'Player' },
        group: { type: 'string', default: 'global' },
        channel: { type: 'string', default: 'server-1' },
        language: { type: 'string', default: 'en' },
        url: { type: 'string' },
        management: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (thrown) {
    return fail(`${thrown instanceof Error ? thrown.message : thrown}\n\n${USAGE}`)
  }
}

/** Prints a line above the one being typed. */
function tell(line: string): void {
  process.stdout.write(isTerminal ? `\r\u001b[K${line}\n` : `${line}\n`)
  if (isTerminal) terminal.prompt(true)
}

function quit(): never {
  isQuitting = true
  client.close()
  process.exit(0)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/**
 * `npm run chat -- --name Mina`: a player at the terminal, on a server of this machine. It mints itself a token with the
 * master token of the data folder. Type to talk; `/report [KEYWORD]` reports the last message of someone else, `/who`
 * lists who is here, `/quit` leaves.
 */
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { type Message, ParleyClient, ParleyError } from '../client/src/index.ts'
import { readSecret } from '../src/adapters/sqlite/data-folder.ts'
import { readConfig } from '../src/config.ts'

const { values } = parseArgs({
  options: {
    name: { type: 'string', default: 'Player' },
    group: { type: 'string', default: 'global' },
    channel: { type: 'string', default: 'server-1' },
    language: { type: 'string', default: 'en' },
    url: { type: 'string' },
  },
})

const config = readConfig({ flags: {}, env: process.env })
const url = values.url ?? `http://127.0.0.1:${config.listen.port}`
const masterToken = config.masterTokens[0] ?? readSecret(config.dataDir, 'master-token')
if (masterToken === undefined) fail(`There is no master token in ${config.dataDir}: start the server first.`)

async function manage(method: string, path: string, body: object): Promise<{ token: string }> {
  const headers = { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json; charset=utf8' }
  const response = await fetch(`${url}/chat/v1${path}`, {
    method,
    headers,
    body: JSON.stringify(body),
  }).catch(() => fail(`No server answers at ${url}: run "npm start" in another terminal.`))
  if (!response.ok) fail(`${method} ${path}: ${await response.text()}`)
  return (await response.json()) as { token: string }
}

/** Made on the first visit; a channel that is there already, whatever its settings, will do. */
await fetch(`${url}/chat/v1/open_channels`, {
  method: 'PUT',
  headers: { Authorization: `Bearer ${masterToken}` },
  body: JSON.stringify({ channel_group: values.group, channel_name: values.channel, is_default: true }),
}).catch(() => fail(`No server answers at ${url}: run "npm start" in another terminal.`))

const client = new ParleyClient({
  url: `${url.replace(/^http/, 'ws')}/gateway/v1`,
  language: values.language,
  token: async () =>
    (await manage('POST', '/player_tokens', { gamer_id: values.name.toLowerCase(), gamer_name: values.name }))
      .token,
})

let lastOfOthers: Message | undefined
const players = new Map<string, string>()

client.on('message', (message) => {
  if (!message.system && message.gamerName !== values.name) lastOfOthers = message
  tell(message.system ? `*** ${message.message}` : `${message.gamerName}: ${message.message}`)
})
client.on('playerJoined', ({ gamerId, gamerName }) => {
  players.set(gamerId, gamerName)
  if (gamerName !== values.name) tell(`* ${gamerName} has come`)
})
client.on('playerLeft', ({ gamerId, gamerName }) => {
  players.delete(gamerId)
  tell(`* ${gamerName} has gone`)
})
client.on('banned', ({ remainSeconds, count }) =>
  tell(`! You are banned for ${remainSeconds} s (ban number ${count})`),
)
client.on('banLifted', () => tell('! You may talk again'))
client.on('moved', ({ to }) => tell(`! You were moved to ${to.channelName} ${to.channelId}`))
client.on('channelDeleted', ({ channelName }) => tell(`! The channel ${channelName} is gone`))
client.on('gap', () => tell('! Something may be missing here'))
client.on('disconnected', ({ retryInMs }) =>
  tell(`! Disconnected; back in ${Math.ceil((retryInMs ?? 0) / 1000)} s`),
)
let isLeaving = false
client.on('closed', ({ code, reason }) => {
  if (!isLeaving) fail(`Closed: ${code} ${reason}`)
})

await client.connect()
const place = await client.join({ channelGroup: values.group, channelName: values.channel })
for (const { gamerId, gamerName } of place.players) players.set(gamerId, gamerName)
for (const { gamerName, message } of place.messages) tell(`${gamerName || '***'}: ${message}`)
tell(
  `* You are ${values.name} in ${place.channelName} ${place.channelId}, with ${place.players.length - 1} others`,
)

const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' })
terminal.prompt()
terminal.on('close', leave)
for await (const line of terminal) {
  await act(line.trim()).catch((thrown: unknown) => tell(`! ${describe(thrown)}`))
  terminal.prompt()
}

async function act(line: string): Promise<void> {
  const [command, keyword = 'ETC'] = line.split(/\s+/)
  if (line === '') return
  if (command === '/quit') leave()
  else if (command === '/who') tell(`* ${[...players.values()].join(', ')}`)
  else if (command === '/report') await report(keyword)
  else await client.say(values.group, line)
}

async function report(keyword: string): Promise<void> {
  if (lastOfOthers === undefined) return tell('! Nobody else has said anything yet')
  const { reportId } = await client.report(lastOfOthers.messageId, keyword.toUpperCase(), '')
  tell(`* Reported "${lastOfOthers.message}" of ${lastOfOthers.gamerName} as number ${reportId}`)
}

function describe(thrown: unknown): string {
  if (!(thrown instanceof ParleyError)) return String(thrown)
  const wait = thrown.remainSeconds === undefined ? '' : ` (${thrown.remainSeconds} s left)`
  return `${thrown.code}: ${thrown.message}${wait}`
}

function tell(line: string): void {
  process.stdout.write(`\r${line}\n`)
}

function leave(): never {
  isLeaving = true
  client.close()
  process.exit(0)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

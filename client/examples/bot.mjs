// Replies to "!ping" in a channel. Runs on Node 20 or later and on Bun:
//
//   CHAT_PLAYER_TOKEN=… node bot.mjs global plaza
//
// Node 22 and later have a global WebSocket. On Node 20, install the package "ws".
import process from 'node:process'
import { ParleyClient, ParleyError } from 'parley-client'

const WebSocket = globalThis.WebSocket ?? (await import('ws')).WebSocket
const { CHAT_GATEWAY: url = 'ws://127.0.0.1:4140/gateway/v1', CHAT_PLAYER_TOKEN: token = '' } = process.env
const [channelGroup = 'global', channelName] = process.argv.slice(2)
const log = (line) => process.stdout.write(`${line}\n`)

const client = new ParleyClient({ url, token, WebSocket })

client.on('message', async ({ gamerName, message, system }) => {
  log(system ? `* ${message}` : `<${gamerName}> ${message}`)
  if (system || message !== '!ping') return
  try {
    await client.say(channelGroup, `pong, ${gamerName}`)
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    log(`(not sent: ${error.code})`)
  }
})
client.on('gap', ({ reason }) => log(`(messages may be missing: ${reason})`))
client.on('disconnected', ({ code, retryInMs }) =>
  log(`(disconnected, ${code}; next attempt in ${Math.round(retryInMs)} ms)`),
)
client.on('closed', ({ code, error }) => log(`(closed, ${code} ${error?.code ?? ''})`))

process.once('SIGINT', () => client.close())

const { gamerName } = await client.connect()
const channel = await client.join({ channelGroup, ...(channelName !== undefined && { channelName }) })
log(`${gamerName} joined ${channel.channelName} ${channel.channelId} with ${channel.players.length} players`)

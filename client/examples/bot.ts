/** Answers `!ping` in a channel: PARLEY_PLAYER_TOKEN=… bun client/examples/bot.ts global plaza */
import { ParleyClient, ParleyError } from '../src/index.ts'

const [channelGroup = 'global', channelName] = process.argv.slice(2)
const url = process.env['PARLEY_GATEWAY'] ?? 'ws://127.0.0.1:4140/gateway/v1'
const log = (line: string) => process.stdout.write(`${line}\n`)

const client = new ParleyClient({ url, token: process.env['PARLEY_PLAYER_TOKEN'] ?? '' })

client.on('message', async ({ gamerName, message, system }) => {
  log(system ? `* ${message}` : `<${gamerName}> ${message}`)
  if (system || message !== '!ping') return
  try {
    await client.say(channelGroup, `pong, ${gamerName}`)
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    log(`not said: ${error.code}`)
  }
})
client.on('gap', ({ reason }) => log(`(something may be missing: ${reason})`))
client.on('disconnected', ({ code, retryInMs }) =>
  log(`(lost, ${code}; back in ${Math.round(retryInMs)} ms)`),
)
client.on('closed', ({ code, error }) => log(`(closed, ${code} ${error?.code ?? ''})`))

const { gamerName } = await client.connect()
const channel = await client.join({ channelGroup, ...(channelName !== undefined && { channelName }) })
log(`${gamerName} sits in ${channel.channelName} ${channel.channelId} with ${channel.players.length} players`)
process.once('SIGINT', () => void client.close())

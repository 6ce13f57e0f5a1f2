import { expect, test } from 'bun:test'
import { type ClientEvents, ParleyClient } from '../../client/src/index.ts'
import { temporaryFolder } from '../faults/support.ts'
import { PLAYER_SECRET, signToken } from '../support/player.ts'
import { spawnServer } from '../support/process.ts'

const TIMEOUT_MS = 60_000
const ENV = { PARLEY_PLAYER_SECRET: PLAYER_SECRET, PARLEY_FLOOD_LIMIT: 'off' }

const clientOf = (url: string, id: string) =>
  new ParleyClient({ url: `${url.replace('http', 'ws')}gateway/v1`, token: () => signToken(id) })

const next = <Name extends keyof ClientEvents>(client: ParleyClient, name: Name) =>
  new Promise<ClientEvents[Name]>((resolve) => {
    const off = client.on(name, (event: ClientEvents[Name]) => {
      off()
      resolve(event)
    })
  })

test(
  'the SDK chats with a real server, reports a deleted message, reconnects after kill -9 and reports the gap',
  async () => {
    using folder = temporaryFolder()
    const server = await spawnServer(folder.path, ENV)
    await server.call('PUT', '/open_channels', { body: { channel_group: 'g', channel_name: 'a' } })
    const [mina, joon] = [clientOf(server.url, 'mina'), clientOf(server.url, 'joon')]
    await Promise.all([mina.connect(), joon.connect()])
    await mina.join({ channelGroup: 'g', channelName: 'a' })
    await joon.join({ channelGroup: 'g', channelName: 'a' })
    const heard = next(joon, 'message')
    await mina.say('g', 'before')
    const before = await heard
    expect(before).toMatchObject({ message: 'before', gamerId: 'mina', seq: 1 })
    const deleted = next(joon, 'messageDeleted')
    await server.call('DELETE', `/messages/${before.messageId}`)
    expect(await deleted).toEqual({
      channelGroup: 'g',
      channelName: 'a',
      channelId: 1,
      messageId: before.messageId,
    })

    const gaps = [next(mina, 'gap'), next(joon, 'gap')]
    await server.kill('SIGKILL')
    await using again = await spawnServer(folder.path, { ...ENV, PARLEY_PORT: new URL(server.url).port })
    expect((await Promise.all(gaps)).map(({ channelGroup }) => channelGroup)).toEqual(['g', 'g'])
    const later = next(joon, 'message')
    await mina.say('g', 'after')
    expect(await later).toMatchObject({ message: 'after', gamerId: 'mina' })

    expect(await again.kill('SIGTERM')).toBe(0)
    mina.close()
    joon.close()
  },
  TIMEOUT_MS,
)

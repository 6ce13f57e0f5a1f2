import { describe, expect, test } from 'bun:test'
import { type Channel, type ClientEvents, ParleyClient } from '../../client/src/index.ts'
import { type Frame, PLAYER_SECRET, signToken, TestPlayer } from '../support/player.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { readMessageTexts, temporaryFolder } from './support.ts'

const TIMEOUT_MS = 120_000
const ENV = { PARLEY_PLAYER_SECRET: PLAYER_SECRET, PARLEY_FLOOD_LIMIT: 'off' }
const KEY = { channel_group: 'g', channel_name: 'a' }

const start = (folder: string) => spawnServer(folder, ENV)
const create = (server: ServerProcess, settings: object = {}) =>
  server.call('PUT', '/open_channels', { body: { ...KEY, ...settings } })
const textsOf = ({ messages }: Frame) => messages.map(({ message }: Frame) => message)

async function join(server: ServerProcess, id: string) {
  const player = await TestPlayer.connect(server.url, id)
  return { player, joined: await player.join('g', 'a') }
}

const resume = async (server: ServerProcess, id: string, { channel_id, epoch }: Frame, seq: number) => {
  const player = await TestPlayer.connect(server.url, id)
  return { player, reply: await player.ask('resume', { ...KEY, channel_id, epoch, seq }) }
}

const lastChatTimes = async (server: ServerProcess): Promise<string[]> =>
  (await server.call('GET', '/open_channels?channel_group=g')).json.map(
    ({ last_chat_time }: Frame) => last_chat_time,
  )

const timeOf = (shown: string) => Date.parse(`${shown.replace(' ', 'T')}Z`)

describe('a planned restart', () => {
  test(
    'keeps recent messages, seq, epoch and last_chat_time',
    async () => {
      using folder = temporaryFolder()
      const server = await start(folder.path)
      await create(server)
      const { player: mina, joined } = await join(server, 'mina')
      const ids: string[] = []
      for (let i = 1; i <= 55; i++) ids.push((await mina.say('g', `m${i}`)).message_id)
      await server.call('DELETE', `/messages/${ids[29]}`)
      const before = await lastChatTimes(server)
      expect(await server.kill('SIGTERM')).toBe(0)

      await using again = await start(folder.path)
      expect(await lastChatTimes(again)).toEqual(before)
      const { player: joon, joined: seen } = await join(again, 'joon')
      expect(seen).toMatchObject({ epoch: joined.epoch, seq: 55 })
      expect(textsOf(seen)).toEqual(
        Array.from({ length: 50 }, (_, i) => `m${i + 6}`).filter((text) => text !== 'm30'),
      )
      const { player, reply } = await resume(again, 'mina', joined, 53)
      expect(reply).toMatchObject({ recovered: true, seq: 55, epoch: joined.epoch })
      expect(textsOf(reply)).toEqual(['m54', 'm55'])
      expect(await player.push('message_deleted')).toMatchObject({ message_id: ids[29] })
      expect(await player.say('g', 'after')).toMatchObject({ seq: 56 })
      expect(await joon.push('message')).toMatchObject({ message: 'after', seq: 56 })
      const tooOld = await resume(again, 'old', joined, 4)
      expect(tooOld.reply).toMatchObject({ recovered: false })
    },
    TIMEOUT_MS,
  )

  test(
    'lets members resume in every channel number, even a silent one, and no one else',
    async () => {
      using folder = temporaryFolder()
      const server = await start(folder.path)
      await create(server, { max_count: 1 })
      const seats = [await join(server, 'p1'), await join(server, 'p2'), await join(server, 'p3')]
      await seats[1]!.player.say('g', 'in number 2')
      expect(await server.kill('SIGTERM')).toBe(0)

      await using again = await start(folder.path)
      const stranger = await resume(again, 'stranger', { channel_id: 3, epoch: 'guessed' }, 0)
      expect(stranger.reply).toMatchObject({ type: 'error', code: 'CHANNEL_NOT_FOUND' })
      for (const [index, seq] of [
        [2, 0],
        [1, 1],
        [0, 0],
      ] as const) {
        const { joined } = seats[index]!
        const { reply } = await resume(again, `p${index + 1}`, joined, seq)
        expect(reply).toMatchObject({
          channel_id: index + 1,
          epoch: joined.epoch,
          recovered: true,
          messages: [],
        })
      }
    },
    TIMEOUT_MS,
  )

  test(
    'does not restore the history of a channel deleted before it',
    async () => {
      using folder = temporaryFolder()
      const server = await start(folder.path)
      await create(server)
      const { player, joined } = await join(server, 'mina')
      await player.say('g', 'old words')
      await server.call('DELETE', '/open_channels', { body: KEY })
      expect(await server.kill('SIGTERM')).toBe(0)
      await using again = await start(folder.path)
      await create(again)
      const created = (await again.call('GET', '/open_channels?channel_group=g')).json[0]
      expect(created.last_chat_time).toBe(created.create_at)
      const { joined: seen } = await join(again, 'mina')
      expect([seen.messages, seen.seq, seen.epoch === joined.epoch]).toEqual([[], 0, false])
    },
    TIMEOUT_MS,
  )

  test(
    'causes no gap for SDK clients, which receive the messages they missed',
    async () => {
      using folder = temporaryFolder()
      const server = await start(folder.path)
      await create(server)
      const clients = [await sdkPlayer(server, 'mina'), await sdkPlayer(server, 'joon')]
      await clients[0]!.client.say('g', 'before')
      expect(await server.kill('SIGTERM')).toBe(0)
      await using again = await spawnServer(folder.path, { ...ENV, PARLEY_PORT: new URL(server.url).port })
      const { player: fast } = await join(again, 'fast')
      await fast.say('g', 'meanwhile')
      for (const { resumed } of clients) expect(await resumed).toMatchObject({ recovered: true })
      await clients[1]!.client.say('g', 'after')
      for (const { messages, hasHeard, gaps, client } of clients) {
        await hasHeard('after')
        expect(messages).toEqual(['before', 'meanwhile', 'after'])
        expect(gaps).toEqual([])
        await client.close()
      }
    },
    TIMEOUT_MS,
  )
})

describe('a crash', () => {
  test(
    'starts a new epoch, reports recovered: false on resume, and keeps last_chat_time to the second',
    async () => {
      using folder = temporaryFolder()
      const server = await start(folder.path)
      await create(server)
      const { player: mina, joined } = await join(server, 'mina')
      await mina.say('g', 'said')
      const [before = ''] = await lastChatTimes(server)
      await logged(folder.path, 1)
      await server.kill('SIGKILL')

      const second = await start(folder.path)
      const [after = ''] = await lastChatTimes(second)
      expect(Math.abs(timeOf(after) - timeOf(before))).toBeLessThanOrEqual(1000)
      const { reply } = await resume(second, 'mina', joined, 1)
      expect(reply).toMatchObject({ type: 'joined', recovered: false, seq: 0, messages: [] })
      expect(reply.epoch).not.toBe(joined.epoch)
      expect(await second.kill('SIGTERM')).toBe(0)

      await using third = await start(folder.path)
      const { joined: seen } = await join(third, 'joon')
      expect([seen.epoch, seen.seq]).toEqual([reply.epoch, 0])
    },
    TIMEOUT_MS,
  )

  test(
    'after a planned restart is still detected',
    async () => {
      using folder = temporaryFolder()
      const server = await start(folder.path)
      await create(server)
      const { player: mina, joined } = await join(server, 'mina')
      await mina.say('g', 'one')
      expect(await server.kill('SIGTERM')).toBe(0)
      const second = await start(folder.path)
      const { player, reply } = await resume(second, 'mina', joined, 1)
      expect(reply.recovered).toBe(true)
      await player.say('g', 'two')
      await second.kill('SIGKILL')
      await using third = await start(folder.path)
      const resumed = await resume(third, 'mina', joined, 2)
      expect(resumed.reply.recovered).toBe(false)
    },
    TIMEOUT_MS,
  )
})

/** Resolves when at least `count` messages are in the log on disk. */
async function logged(folder: string, count: number): Promise<void> {
  while (readMessageTexts(folder).length < count) await new Promise((resolve) => setImmediate(resolve))
}

/** A player connected through the SDK, with the events it received. */
async function sdkPlayer(server: ServerProcess, id: string) {
  const url = `${server.url.replace('http', 'ws')}gateway/v1`
  const client = new ParleyClient({ url, token: () => signToken(id) })
  const messages: string[] = []
  const gaps: ClientEvents['gap'][] = []
  let changed = Promise.withResolvers<void>()
  client.on('message', ({ message }) => {
    messages.push(message)
    changed.resolve()
    changed = Promise.withResolvers()
  })
  client.on('gap', (gap) => gaps.push(gap))
  const resumed = new Promise<Channel>((resolve) => client.on('resumed', resolve))
  await client.connect()
  await client.join({ channelGroup: 'g', channelName: 'a' })
  const hasHeard = async (text: string) => {
    while (!messages.includes(text)) await changed.promise
  }
  return { client, messages, gaps, resumed, hasHeard }
}

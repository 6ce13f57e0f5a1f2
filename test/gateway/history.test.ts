import { describe, expect, test } from 'bun:test'
import type { Frame } from '../support/player.ts'
import { shareServer } from './support.ts'

const s = shareServer()

const key = () => ({ channel_group: s.group, channel_name: 'a' })
const create = () => s.call('PUT', '/open_channels', { body: { ...key(), max_count: 1 } })
const remove = (headers: Record<string, string> = {}) =>
  s.call('DELETE', '/open_channels', { body: key(), headers })
const members = async () =>
  (await s.call('GET', `/open_channels?channel_group=${s.group}`)).json.map(
    ({ channel_id, players }: Frame) => [channel_id, players.length],
  )

describe('a channel that is deleted and recreated', () => {
  test('starts empty in a new epoch, in every channel number', async () => {
    await s.createGroup({ name: 'a', max_count: 1 })
    using mina = await s.connect('mina')
    using joon = await s.connect('joon')
    const former = [await mina.join(s.group, 'a'), await joon.join(s.group, 'a')]
    expect(former.map(({ channel_id }) => channel_id)).toEqual([1, 2])
    await mina.say(s.group, 'old words in number 1')
    await joon.say(s.group, 'old words in number 2')
    await remove()
    for (const player of [mina, joon]) await player.push('channel_deleted')
    await create()
    for (const [index, player] of [mina, joon].entries()) {
      const again = await player.join(s.group, 'a')
      expect(again).toMatchObject({ type: 'joined', channel_id: index + 1, messages: [], seq: 0 })
      expect(again.epoch).not.toBe(former[index]?.epoch)
    }
    expect(await mina.say(s.group, 'new words')).toMatchObject({ seq: 1 })
  })

  test('reports an incomplete recovery to a player who resumes the old one', async () => {
    await s.createGroup({ name: 'a', max_count: 1 })
    using mina = await s.connect('mina')
    const { epoch } = await mina.join(s.group, 'a')
    await mina.say(s.group, 'old words')
    await remove()
    await mina.push('channel_deleted')
    await create()
    const resumed = await mina.ask('resume', { ...key(), channel_id: 1, epoch, seq: 1 })
    expect(resumed).toMatchObject({ type: 'joined', recovered: false, messages: [], seq: 0 })
  })

  test('does not contain messages sent while the old one was being deleted', async () => {
    await s.createGroup({ name: 'a', max_count: 1 })
    using mina = await s.connect('mina')
    await mina.join(s.group, 'a')
    // Fewer at a time than the server queues for a connection.
    const speak = async () => {
      for (let round = 0; round < 10; round++)
        await Promise.all(Array.from({ length: 20 }, (_, index) => mina.say(s.group, `m${round}-${index}`)))
    }
    await Promise.all([speak(), remove().then(create)])
    await mina.push('channel_deleted')
    using joon = await s.connect('joon')
    expect(await joon.join(s.group, 'a')).toMatchObject({ type: 'joined', messages: [], seq: 0 })
    expect(joon.heard).toEqual([])
  })

  test('keeps its players when the deletion of the old one is retried', async () => {
    await s.createGroup({ name: 'a', max_count: 1 })
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await remove(headers)
    await create()
    using mina = await s.connect('mina')
    await mina.join(s.group, 'a')
    const repeated = await remove(headers)
    expect([repeated.status, repeated.json]).toEqual([200, first.json])
    expect(await members()).toEqual([[1, 1]])
    using joon = await s.connect('joon')
    expect(await joon.join(s.group, 'a')).toMatchObject({ channel_id: 2 })
    await mina.say(s.group, 'still here')
    await mina.push('message')
    expect(mina.frames.some(({ type }) => type === 'channel_deleted')).toBe(false)
  })

  test('leaves the old messages in the log, where operators can delete them', async () => {
    await s.createGroup({ name: 'a', max_count: 1 })
    using mina = await s.connect('mina')
    await mina.join(s.group, 'a')
    const { message_id } = await mina.say(s.group, 'old words')
    await remove()
    await create()
    await mina.join(s.group, 'a')
    await mina.say(s.group, 'new words')
    expect((await s.call('DELETE', `/messages/${message_id}`)).json).toMatchObject({ message: 'old words' })
    using joon = await s.connect('joon')
    await mina.ask('leave', { channel_group: s.group })
    expect((await joon.join(s.group, 'a')).messages.map(({ message }: Frame) => message)).toEqual([
      'new words',
    ])
    expect(mina.frames.some(({ type }) => type === 'message_deleted')).toBe(false)
  })
})

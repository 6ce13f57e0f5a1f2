import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { type Frame, PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { makeFolder, startServerOn, startTestServer } from '../support/server.ts'
import { createChannel, shareServer } from './support.ts'

const s = shareServer()

describe('say', () => {
  test('delivers a message to every member of the channel number, in the same order', async () => {
    await s.createGroup({ name: 'a' })
    using p1 = await s.connect('1')
    using p2 = await s.connect('2')
    await p1.join(s.group, 'a')
    await p2.join(s.group, 'a')
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? p1 : p2).say(s.group, `m${i}`)),
    )
    expect(replies.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, i) => i + 1),
    )
    await Promise.all([p1, p2].map((each) => each.until(({ type, seq }) => type === 'message' && seq === 30)))
    expect(p1.heard).toEqual(p2.heard)
    expect(await p2.push('message')).toMatchObject({
      channel_group: s.group,
      channel_name: 'a',
      channel_id: 1,
      seq: 1,
      system: false,
    })
  })

  test('lists the time of the last message, or the creation time if there is none', async () => {
    let now = Math.floor(Date.now() / 1000) * 1000
    await using own = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET }, { clock: () => now })
    const shown = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
    const createdAt = now
    for (const channel_name of ['spoken', 'silent'])
      await own.call('PUT', '/open_channels', { body: { channel_group: 'g', channel_name } })
    using mina = await TestPlayer.connect(own.url, 'mina')
    await mina.join('g', 'spoken')
    now += 5000
    expect(await mina.say('g', 'hello')).toMatchObject({ type: 'said' })
    now += 5000
    const { json } = await own.call('GET', '/open_channels?channel_group=g')
    expect(json).toMatchObject([
      { channel_name: 'silent', last_chat_time: shown(createdAt), create_at: shown(createdAt) },
      { channel_name: 'spoken', last_chat_time: shown(createdAt + 5000), create_at: shown(createdAt) },
    ])
  })

  test('lists the time of the last message before a restart where nobody has spoken since', async () => {
    let now = Math.floor(Date.now() / 1000) * 1000
    const folder = makeFolder()
    const start = () => startServerOn(folder, { PARLEY_PLAYER_SECRET: PLAYER_SECRET }, { clock: () => now })
    const say = async (url: string, name: string) => {
      now += 5000
      using mina = await TestPlayer.connect(url, 'mina')
      await mina.join('g', name)
      expect(await mina.say('g', 'hello')).toMatchObject({ type: 'said' })
      return new Date(now).toISOString().slice(0, 19).replace('T', ' ')
    }
    const times: Record<string, string> = {}
    {
      await using before = await start()
      for (const name of ['a', 'b', 'c', 'd']) await createChannel(before, 'g', name)
      for (const name of ['a', 'b', 'c', 'd']) times[name] = await say(before.url, name)
    }
    await using after = await start()
    for (const name of ['a', 'c']) times[name] = await say(after.url, name)
    const { json } = await after.call('GET', '/open_channels?channel_group=g')
    expect(json.map(({ channel_name, last_chat_time }: Frame) => [channel_name, last_chat_time])).toEqual(
      Object.entries(times),
    )
    rmSync(folder, { recursive: true, force: true })
  })

  test('gives a late joiner the last 50 messages', async () => {
    await s.createGroup({ name: 'a' })
    using p1 = await s.connect('1')
    await p1.join(s.group, 'a')
    for (let i = 1; i <= 55; i++) await p1.say(s.group, `m${i}`)
    using p2 = await s.connect('2')
    const { messages, seq } = await p2.join(s.group, 'a')
    expect(messages.map(({ message }: { message: string }) => message)).toEqual(
      Array.from({ length: 50 }, (_, i) => `m${i + 6}`),
    )
    expect(seq).toBe(55)
  })

  test.each([
    ['', 'MESSAGE_TOO_SHORT'],
    ['  \n ', 'MESSAGE_TOO_SHORT'],
    ['\u200b', 'MESSAGE_TOO_SHORT'],
    ['\u3164', 'MESSAGE_TOO_SHORT'],
    ['\u2060\u200d \u2800', 'MESSAGE_TOO_SHORT'],
    ['x'.repeat(1001), 'MESSAGE_TOO_LONG'],
    ['bell \u0007', 'INVALID_PARAMETER'],
  ])('rejects %j with %s', async (text, code) => {
    await s.createGroup({ name: 'a' })
    using p1 = await s.connect('1')
    expect(await p1.say(s.group, 'hi')).toMatchObject({ code: 'NOT_JOIN_CHANNEL' })
    await p1.join(s.group, 'a')
    expect(await p1.say(s.group, text)).toMatchObject({ type: 'error', code })
    using p2 = await s.connect('2')
    await p2.join(s.group, 'a')
    expect(await p1.say(s.group, text)).toMatchObject({ type: 'error', code })
    await p1.say(s.group, 'heard')
    await p2.hear('heard')
    expect(p2.heard).toEqual(['heard'])
  })

  test('masks forbidden words of the lists for all languages and for the player’s language', async () => {
    await s.createGroup({ name: 'a' })
    await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: ['GM'] } })
    await s.call('PUT', '/bad_word_list', { body: { language: 'ko', filters: ['지엠*'] } })
    using english = await s.connect('1', { lang: 'en' })
    using korean = await s.connect('2', { lang: 'ko-KR' })
    await english.join(s.group, 'a')
    await korean.join(s.group, 'a')
    expect(await english.say(s.group, 'I am gm, not gmx 지엠')).toMatchObject({
      message: 'I am **, not gmx 지엠',
      filtered: true,
    })
    expect(await korean.say(s.group, '나는 지엠이다 gm')).toMatchObject({
      message: '나는 **이다 **',
      filtered: true,
    })
    expect(await english.say(s.group, 'fine')).toMatchObject({ message: 'fine', filtered: false })
    await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: [] } })
    expect(await english.say(s.group, 'gm')).toMatchObject({ filtered: false })
    const said = ['I am **, not gmx 지엠', '나는 **이다 **', 'fine', 'gm']
    for (const each of [english, korean]) {
      await each.hear('gm')
      expect(each.heard).toEqual(said)
    }
    using late = await s.connect('3')
    const { messages } = await late.join(s.group, 'a')
    expect(messages.map(({ message }: { message: string }) => message)).toEqual(said)
  })

  test('delivers a system message', async () => {
    await s.createGroup({ name: 'a' })
    using p1 = await s.connect('1')
    await p1.join(s.group, 'a')
    await s.call('POST', '/system_message', {
      body: { channel_type: 1, channel_group: s.group, channel_name: 'a', message: 'hello' },
    })
    expect(await p1.push('message')).toMatchObject({ message: 'hello', system: true, gamer_id: '', seq: 1 })
  })
})

describe('resume', () => {
  test('returns the missed messages and reports a full recovery', async () => {
    await s.createGroup({ name: 'a' })
    using p1 = await s.connect('1')
    const p2 = await s.connect('2')
    await p1.join(s.group, 'a')
    const { epoch, channel_id } = await p2.join(s.group, 'a')
    await p1.say(s.group, 'one')
    p2.close()
    await p1.push('player_left')
    await p1.say(s.group, 'two')
    await p1.say(s.group, 'three')
    using back = await s.connect('2')
    const place = { channel_group: s.group, channel_name: 'a', channel_id, epoch }
    const reply = await back.ask('resume', { ...place, seq: 1 })
    expect(reply).toMatchObject({ type: 'joined', recovered: true, seq: 3 })
    expect(reply.messages.map(({ message }: { message: string }) => message)).toEqual(['two', 'three'])
  })

  test('reports an incomplete recovery after another epoch or too many messages', async () => {
    await s.createGroup({ name: 'a' })
    using p1 = await s.connect('1')
    const { epoch } = await p1.join(s.group, 'a')
    for (let i = 0; i < 60; i++) await p1.say(s.group, `m${i}`)
    const place = { channel_group: s.group, channel_name: 'a', channel_id: 1 }
    using p2 = await s.connect('2')
    expect(await p2.ask('resume', { ...place, epoch, seq: 5 })).toMatchObject({ recovered: false, seq: 60 })
    using p3 = await s.connect('3')
    expect(await p3.ask('resume', { ...place, epoch: 'another', seq: 60 })).toMatchObject({
      recovered: false,
    })
  })
})

import { describe, expect, test } from 'bun:test'
import { PLAYER_SECRET, signToken, TestPlayer } from '../support/player.ts'
import { startTestServer } from '../support/server.ts'
import { createChannel, shareServer } from './support.ts'

const NFC = 'caf\u00e9'
const NFD = 'cafe\u0301'

const s = shareServer()
let groups = 0

describe('languages', () => {
  async function sayIn(env: Record<string, string>, lang: string | undefined, language: string | undefined) {
    await using own = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET, ...env })
    await own.call('PUT', '/open_channels', { body: { channel_group: 'g', channel_name: 'a' } })
    for (const each of ['en', 'ko', 'zz'])
      await own.call('PUT', '/bad_word_list', { body: { language: each, filters: [`bad${each}`] } })
    using listener = await TestPlayer.connect(own.url, 'listener')
    await listener.join('g', 'a')
    using mina = await TestPlayer.open(own.url)
    const token = await signToken('mina', lang === undefined ? {} : { lang })
    const connected = await mina.ask('connect', { token, ...(language !== undefined && { language }) })
    await mina.join('g', 'a')
    await mina.say('g', 'baden badko badzz')
    const { message } = await listener.push('message')
    return [connected.language, message]
  }

  test.each([
    ["the token's takes precedence over the client's", {}, 'en', 'zz', ['en', '***** badko badzz']],
    ["the client's applies if the token has none", {}, undefined, 'zz', ['zz', 'baden badko *****']],
    ['the default applies if there is neither', {}, undefined, undefined, ['en', '***** badko badzz']],
    [
      'the default is configurable',
      { PARLEY_DEFAULT_LANGUAGE: 'ko' },
      undefined,
      undefined,
      ['ko', 'baden ***** badzz'],
    ],
    [
      "the client's takes precedence with PARLEY_CLIENT_LANGUAGE=on",
      { PARLEY_CLIENT_LANGUAGE: 'on' },
      'en',
      'zz',
      ['zz', 'baden badko *****'],
    ],
    [
      "the token's applies with PARLEY_CLIENT_LANGUAGE=on if the client sends none",
      { PARLEY_CLIENT_LANGUAGE: 'on' },
      'ko',
      undefined,
      ['ko', 'baden ***** badzz'],
    ],
  ])('%s', async (_, env, lang, language, expected) => {
    expect(await sayIn(env as Record<string, string>, lang, language)).toEqual(expected)
  })

  test.each(['', 'not a language!!', 'e', `en${'-aa'.repeat(4000)}`, 7, {}])(
    'connect rejects the language %j and can be retried',
    async (language) => {
      using mina = await TestPlayer.open(s.url)
      const token = await signToken('mina')
      expect(await mina.ask('connect', { token, language })).toMatchObject({
        code: 'INVALID_PARAMETER',
        property: 'language',
      })
      expect(await mina.ask('connect', { token, language: 'ko_KR' })).toMatchObject({ language: 'ko_KR' })
    },
  )

  test('a token with an invalid language is rejected', async () => {
    using mina = await TestPlayer.open(s.url)
    const token = await signToken('mina', { lang: 'not a language!!' })
    expect(await mina.ask('connect', { token })).toMatchObject({ code: 'NOT_AUTHENTICATION' })
    expect((await mina.closed).code).toBe(4101)
  })
})

describe('names', () => {
  test('NFC and NFD refer to the same channel, over HTTP and WebSocket', async () => {
    const group = `${NFD}-${groups++}`
    const stored = group.normalize('NFC')
    expect((await createChannel(s, group, NFD)).json).toMatchObject({
      channel_group: stored,
      channel_name: NFC,
    })
    expect((await createChannel(s, stored, NFC)).status).toBe(200)
    using mina = await TestPlayer.connect(s.url, 'mina')
    using joon = await TestPlayer.connect(s.url, 'joon')
    const joined = await mina.join(group, NFD)
    expect(joined).toMatchObject({ channel_group: stored, channel_name: NFC, channel_id: 1 })
    await joon.join(stored, NFC)
    await mina.say(group, 'hello')
    expect(await joon.push('message')).toMatchObject({ channel_group: stored, message: 'hello' })
    expect(await mina.ask('leave', { channel_group: group })).toMatchObject({ channel_group: stored })
    const back = { channel_group: group, channel_name: NFD, channel_id: 1, epoch: joined.epoch, seq: 0 }
    expect(await mina.ask('resume', back)).toMatchObject({ channel_name: NFC, recovered: true })
    const query = `channel_group=${encodeURIComponent(group)}`
    expect((await s.call('GET', `/open_channels?${query}`)).json).toMatchObject([{ channel_name: NFC }])
    const body = { channel_group: group, channel_name: NFD }
    expect((await s.call('DELETE', '/open_channels', { body })).json).toMatchObject([{ channel_name: NFC }])
  })

  test('a ban applies to the player in either normalization form', async () => {
    const group = `g${groups++}`
    await createChannel(s, group, 'a')
    using mina = await TestPlayer.connect(s.url, NFD)
    await mina.join(group, 'a')
    await s.call('PUT', '/block_user_chat', { body: { gamer_id: NFD, days: 1 } })
    expect(await mina.say(group, 'hello')).toMatchObject({ code: 'CHAT_BAN' })
    expect((await s.call('DELETE', '/block_user_chat', { body: { gamer_id: NFC } })).status).toBe(200)
    expect(await mina.say(group, 'hello')).toMatchObject({ type: 'said' })
  })

  test.each([
    '\u200b',
    '\u3164',
    '\u2800',
    ' ',
    '\u0301',
    'ad\u200bmin',
    'a\u202eb',
    'a\u2028b',
    ' a',
    'a\u00a0',
  ])('%j is rejected as a channel or player name', async (name) => {
    const message = (property: string) => `"${property}" has an invalid value.`
    const bodies = {
      channel_group: ['PUT', '/open_channels', { channel_group: name, channel_name: 'a' }],
      channel_name: ['PUT', '/open_channels', { channel_group: 'g', channel_name: name }],
      gamer_id: ['PUT', '/block_user_chat', { gamer_id: name, days: 1 }],
      gamer_name: ['POST', '/player_tokens', { gamer_id: '1', gamer_name: name }],
    } as const
    for (const [property, [method, path, body]] of Object.entries(bodies)) {
      const { json } = await s.call(method, path, { body })
      expect(json).toEqual({ message: message(property), code: 400111, error: true })
    }
    using mina = await TestPlayer.open(s.url)
    expect(await mina.ask('connect', { token: await signToken('mina', { name }) })).toMatchObject({
      code: 'NOT_AUTHENTICATION',
    })
  })

  test('the length of a name is checked before it is normalized', async () => {
    using mina = await TestPlayer.connect(s.url, 'mina')
    const long = '\u0301\u0316'.repeat(3500)
    const reply = await mina.join(long, 'a')
    expect(reply).toMatchObject({ code: 'INVALID_PARAMETER', property: 'channel_group' })
  })
})

describe('errors', () => {
  test.each([
    ['[]', undefined],
    ['nonsense', undefined],
    ['{"type":"dance"}', 'type'],
    ['{}', 'type'],
    ['{"type":"connect","token":"x"}', 'type'],
    ['{"type":"join"}', 'channel_group'],
    ['{"type":"join","channel_group":""}', 'channel_group'],
    ['{"type":"join","channel_group":"g","channel_name":7}', 'channel_name'],
    ['{"type":"join","channel_group":"g","channel_id":0}', 'channel_id'],
    ['{"type":"join","channel_group":"g","channel_id":"1"}', 'channel_id'],
    ['{"type":"leave","channel_group":null}', 'channel_group'],
    ['{"type":"say","channel_group":"g"}', 'message'],
    ['{"type":"resume","channel_group":"g","channel_name":"a","channel_id":1,"seq":0}', 'epoch'],
    ['{"type":"resume","channel_group":"g","channel_name":"a","channel_id":1,"epoch":"e","seq":-1}', 'seq'],
    ['{"type":"report","keyword":"SPAM"}', 'message_id'],
    ['{"type":"report","message_id":"m"}', 'keyword'],
    ['{"type":"report","message_id":"m","keyword":"SPAM","reason":1}', 'reason'],
  ])('%s gets an error that names the property %p', async (text, property) => {
    using mina = await TestPlayer.connect(s.url, 'mina')
    mina.sendText(text)
    const { type: _, id: __, message: ___, ...error } = await mina.push('error')
    expect(error).toEqual({ code: 'INVALID_PARAMETER', ...(property !== undefined && { property }) })
  })

  test('name the property with the invalid text', async () => {
    const group = `g${groups++}`
    await createChannel(s, group, 'a')
    using joon = await TestPlayer.connect(s.url, 'joon')
    await joon.join(group, 'a')
    const { message_id } = await joon.say(group, 'report me')
    using mina = await TestPlayer.connect(s.url, 'mina')
    await mina.join(group, 'a')
    const report = (fields: object) => mina.ask('report', { message_id, keyword: 'SPAM', ...fields })
    const invalid = (property: string) => ({ code: 'INVALID_PARAMETER', property })
    expect(await mina.say(group, 'a\u0000b')).toMatchObject(invalid('message'))
    expect(await report({ keyword: 'NONE' })).toMatchObject(invalid('keyword'))
    expect(await report({ message_id: 'unknown' })).toMatchObject(invalid('message_id'))
    for (const reason of ['\u0000', '\u001b[2J', '\ud800', '한'.repeat(334)])
      expect(await report({ reason })).toMatchObject(invalid('reason'))
    expect((await s.call('GET', '/report_list')).json).toEqual([])
    expect(await report({ reason: 'two\r\nlines' })).toMatchObject({ type: 'reported' })
    expect((await s.call('GET', '/report_list')).json).toMatchObject([{ reason: 'two\r\nlines' }])
  })

  test('CHANNEL_FULL names the channel and the requested channel number', async () => {
    const group = `g${groups++}`
    await createChannel(s, group, 'small', { max_count: 1, is_autoscaling: false })
    using mina = await TestPlayer.connect(s.url, 'mina')
    using joon = await TestPlayer.connect(s.url, 'joon')
    await mina.join(group, 'small')
    const full = { code: 'CHANNEL_FULL', channel_group: group, channel_name: 'small' }
    const plain = await joon.join(group, 'small')
    expect(plain).toMatchObject(full)
    expect(plain).not.toHaveProperty('channel_id')
    expect(await joon.join(group, 'small', 1)).toMatchObject({ ...full, channel_id: 1 })
  })

  test('an unknown channel number is CHANNEL_NOT_FOUND, with or without a FALLBACK', async () => {
    const group = `g${groups++}`
    await createChannel(s, group, 'a')
    using mina = await TestPlayer.connect(s.url, 'mina')
    expect(await mina.join(group, 'a', 2)).toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
    await createChannel(s, group, 'lobby', { is_default: true })
    expect(await mina.join(group, 'a', 2)).toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
    expect(await mina.join(group, 'unknown', 1)).toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
    expect(await mina.join(group, undefined, 2)).toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
    expect(await mina.join(group, 'unknown')).toMatchObject({ type: 'joined', channel_name: 'lobby' })
  })
})

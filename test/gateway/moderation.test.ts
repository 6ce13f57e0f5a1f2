import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const DAY_MS = 86_400_000

/** Moves only when a test says so; begins now, since tokens are signed by the real clock. */
let now = Date.now()
let s: TestServer
let group = ''
let groups = 0

beforeAll(async () => {
  s = await startTestServer(
    { PARLEY_PLAYER_SECRET: PLAYER_SECRET, PARLEY_REPORTS_PER_DAY: '3', PARLEY_REPORT_MESSAGE_DAYS: '7' },
    { clock: () => now, monotonicClock: () => now },
  )
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const connect = (id: string) =>
  TestPlayer.connect(s.url, `${group}-${id}`, { exp: Math.floor(now / 1000) + 864_000 })

/** A channel of its own for each test, with players that sit there. */
async function gather(...ids: string[]): Promise<TestPlayer[]> {
  group = `group-${++groups}`
  await s.call('PUT', '/open_channels', { body: { channel_group: group, channel_name: 'a' } })
  const players: TestPlayer[] = []
  for (const id of ids) {
    const player = await connect(id)
    await player.join(group, 'a')
    players.push(player)
  }
  return players
}

const ban = (id: string, days: number) =>
  s.call('PUT', '/block_user_chat', { body: { gamer_id: `${group}-${id}`, days } })

describe('bans', () => {
  test('bite at once: after the 200 nothing that the player says is heard', async () => {
    const [mina, joon] = (await gather('mina', 'joon')) as [TestPlayer, TestPlayer]
    await mina.say(group, 'before')
    const saying = Array.from({ length: 3 }, (_, i) => mina.say(group, `during ${i}`))
    expect((await ban('mina', 3)).status).toBe(200)
    const after = await mina.say(group, 'after')
    expect(after).toMatchObject({ type: 'error', code: 'CHAT_BAN', remain_seconds: 3 * 86_400 })
    expect(await mina.push('banned')).toMatchObject({ remain_seconds: 3 * 86_400, count: 1 })
    await Promise.all(saying)
    expect(await joon.say(group, 'still here')).toMatchObject({ type: 'said' })
    for (const each of [mina, joon]) {
      await each.hear('still here')
      expect(each.heard.filter((text) => !text.startsWith('during'))).toEqual(['before', 'still here'])
    }
  })

  test('survive a reconnect, are told on connect, and can be lifted', async () => {
    const [mina, joon] = (await gather('mina', 'joon')) as [TestPlayer, TestPlayer]
    await ban('mina', 1)
    mina.close()
    await mina.closed
    const back = await connect('mina')
    expect(back.frames[0]).toMatchObject({ type: 'connected', ban: { count: 1, remain_seconds: 86_400 } })
    await back.join(group, 'a')
    expect(await back.say(group, 'x')).toMatchObject({ code: 'CHAT_BAN' })
    await s.call('DELETE', '/block_user_chat', { body: { gamer_id: `${group}-mina` } })
    await back.push('ban_lifted')
    expect(await back.say(group, 'free')).toMatchObject({ type: 'said' })
    await joon.push('message')
    expect(joon.heard).toEqual(['free'])
    expect(joon.frames.filter(({ type }) => /^ban/.test(type))).toEqual([])
  })

  test('end by themselves, to the second, wherever the clock has jumped to', async () => {
    const [mina, joon] = (await gather('mina', 'joon')) as [TestPlayer, TestPlayer]
    now = Math.floor(now / 1000) * 1000
    await ban('mina', 1)
    now += DAY_MS - 1
    expect(await mina.say(group, 'x')).toMatchObject({ code: 'CHAT_BAN', remain_seconds: 1 })
    now += 1
    expect(await mina.say(group, 'free')).toMatchObject({ type: 'said' })
    await mina.push('ban_lifted')
    await joon.push('message')
    expect(joon.heard).toEqual(['free'])
    expect((await s.call('GET', '/block_user_list')).json).not.toContainEqual(
      expect.objectContaining({ gamer_id: `${group}-mina` }),
    )
  })
})

describe('channels', () => {
  test('a deleted channel moves its players to the FALLBACK', async () => {
    const [mina] = (await gather('mina')) as [TestPlayer]
    const lobby = { channel_group: group, channel_name: 'lobby', is_default: true }
    await s.call('PUT', '/open_channels', { body: lobby })
    using joon = await connect('joon')
    await joon.join(group, 'lobby')
    const { json } = await s.call('DELETE', '/open_channels', {
      body: { channel_group: group, channel_name: 'a' },
    })
    expect(json).toEqual([{ channel_group: group, channel_name: 'a', channel_id: 1 }])
    expect(await mina.push('channel_deleted')).toMatchObject({ channel_group: group, channel_name: 'a' })
    expect(await mina.push('moved')).toMatchObject({
      from: { channel_name: 'a' },
      to: { channel_name: 'lobby', channel_id: 1 },
    })
    expect(await mina.say(group, 'here now')).toMatchObject({ type: 'said' })
    await joon.until(({ type, gamer_id }) => type === 'player_joined' && gamer_id === `${group}-mina`)
    expect(await joon.hear('here now')).toMatchObject({ channel_name: 'lobby' })
    const listed = (await s.call('GET', `/open_channels?channel_group=${group}`)).json
    const players = ['joon', 'mina'].map((id) => ({ gamer_id: `${group}-${id}` }))
    expect(listed).toMatchObject([{ channel_name: 'lobby', players }])
  })

  test('without a FALLBACK they are let go', async () => {
    const [mina] = (await gather('mina')) as [TestPlayer]
    await s.call('DELETE', '/open_channels', { body: { channel_group: group, channel_name: 'a' } })
    await mina.push('channel_deleted')
    expect(await mina.say(group, 'x')).toMatchObject({ code: 'NOT_JOIN_CHANNEL' })
  })

  test('a smaller max_count and a new FALLBACK act at once', async () => {
    await gather('one', 'two')
    const key = { channel_group: group, channel_name: 'a' }
    await s.call('PATCH', '/open_channels', { body: { ...key, max_count: 2, is_autoscaling: false } })
    const three = await connect('three')
    expect(await three.join(group, 'a')).toMatchObject({ code: 'CHANNEL_FULL' })
    await s.call('PUT', '/open_channels', {
      body: { channel_group: group, channel_name: 'b', is_default: true },
    })
    expect(await three.join(group, 'a')).toMatchObject({ channel_name: 'b' })
  })
})

test('flood control: five messages in five seconds, then MESSAGE_SPAM', async () => {
  const [mina, joon] = (await gather('mina', 'joon')) as [TestPlayer, TestPlayer]
  for (let i = 0; i < 5; i++) expect(await mina.say(group, `m${i}`)).toMatchObject({ type: 'said' })
  expect(await mina.say(group, 'm5')).toMatchObject({ code: 'MESSAGE_SPAM', retry_after_ms: 5000 })
  now += 4999
  expect(await mina.say(group, 'm5')).toMatchObject({ code: 'MESSAGE_SPAM', retry_after_ms: 1 })
  now += 1
  expect(await mina.say(group, 'm5')).toMatchObject({ type: 'said' })
  await joon.hear('m5')
  expect(joon.heard).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5'])
})

describe('reports', () => {
  const report = (player: TestPlayer, messageId: string, fields: object = {}) =>
    player.ask('report', { message_id: messageId, keyword: 'SPAM', reason: 'again and again', ...fields })

  test('hold the message itself, as it was written, and ten messages either side', async () => {
    await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: ['rude'] } })
    const [mina, joon] = (await gather('mina', 'joon')) as [TestPlayer, TestPlayer]
    const said: { message_id: string }[] = []
    for (let i = 1; i <= 25; i++) {
      now += 2000
      said.push(await mina.say(group, i === 12 ? 'a rude word' : `m${i}`))
    }
    const { report_id } = await report(joon, said[11]!.message_id)
    const [entry] = (await s.call('GET', '/report_list?limit=1')).json
    expect(entry).toMatchObject({
      report_id,
      to_gamer_id: `${group}-mina`,
      from_gamer_id: `${group}-joon`,
      message: 'a rude word',
      keyword: 'SPAM',
      reason: 'again and again',
      status: 1,
      value: 0,
    })
    const context = await s.server.app.reports.context(said[11]!.message_id)
    expect(context.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, i) => i + 2))
    expect(context.filter((each) => 'hits' in each)).toEqual([])
    await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: [] } })
  })

  test('are refused for oneself, for old messages, for unknown ones and keywords, and beyond the day’s limit', async () => {
    const [mina, joon] = (await gather('mina', 'joon')) as [TestPlayer, TestPlayer]
    const { message_id } = await mina.say(group, 'hello')
    expect(await report(mina, message_id)).toMatchObject({ code: 'NOT_MY_REPORT' })
    expect(await report(joon, 'unknown')).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await report(joon, message_id, { keyword: 'NONSENSE' })).toMatchObject({
      code: 'INVALID_PARAMETER',
    })
    expect(await report(joon, message_id, { reason: '한'.repeat(334) })).toMatchObject({
      code: 'INVALID_PARAMETER',
    })
    for (const text of ['one', 'two', 'three', 'four']) {
      const { message_id } = await mina.say(group, text)
      expect(await report(joon, message_id, { reason: '한'.repeat(333) })).toMatchObject(
        text === 'four' ? { code: 'TOO_MANY_REPORT' } : { type: 'reported' },
      )
    }
    now += DAY_MS + 1
    expect(await report(joon, message_id)).toMatchObject({ type: 'reported' })
    const { message_id: old } = await mina.say(group, 'old')
    now += 7 * DAY_MS + 1
    expect(await report(joon, old)).toMatchObject({ code: 'LIMIT_REPORT_MESSAGE_DAYS' })
  })

  test('of a message the same player has reported before answer the same report_id, whatever the day’s limit', async () => {
    const [mina, joon, noor] = (await gather('mina', 'joon', 'noor')) as [TestPlayer, TestPlayer, TestPlayer]
    const { message_id } = await mina.say(group, 'hello')
    const { report_id } = await report(joon, message_id)
    for (let i = 0; i < 5; i++)
      expect(await report(joon, message_id, { reason: `again ${i}` })).toMatchObject({
        type: 'reported',
        report_id,
      })
    now += 8 * DAY_MS
    expect(await report(joon, message_id)).toMatchObject({ report_id })
    now -= 8 * DAY_MS
    expect(await report(noor, message_id)).toMatchObject({ report_id: report_id + 1 })
    const listed: { report_id: number }[] = (await s.call('GET', '/report_list?limit=2')).json
    expect(listed.map((each) => each.report_id)).toEqual([report_id + 1, report_id])
  })

  test('of a message that is not on disk yet are taken', async () => {
    const [mina, joon] = (await gather('mina', 'joon')) as [TestPlayer, TestPlayer]
    const { message_id } = await mina.say(group, 'just now')
    expect(await report(joon, message_id)).toMatchObject({ type: 'reported' })
  })
})

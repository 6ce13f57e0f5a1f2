import { describe, expect, test } from 'bun:test'
import type { TestPlayer } from '../support/player.ts'
import { shareServer } from './support.ts'

const DAY_MS = 86_400_000

/** Advanced by the tests; starts at the real time because tokens are signed with the real clock. */
let now = Date.now()

const s = shareServer({
  env: { PARLEY_FLOOD_LIMIT: 'on', PARLEY_REPORTS_PER_DAY: '3', PARLEY_REPORT_MESSAGE_DAYS: '7' },
  ports: { clock: () => now, monotonicClock: () => now },
  claims: () => ({ exp: Math.floor(now / 1000) + 864_000 }),
})

const ban = (id: string, days: number) =>
  s.call('PUT', '/block_user_chat', { body: { gamer_id: `${s.group}-${id}`, days } })

describe('bans', () => {
  test('take effect immediately: no message of the player is delivered after the 200', async () => {
    const [mina, joon] = await s.joinPlayers(['mina', 'joon'])
    await mina.say(s.group, 'before')
    const saying = Array.from({ length: 3 }, (_, i) => mina.say(s.group, `during ${i}`))
    expect((await ban('mina', 3)).status).toBe(200)
    const after = await mina.say(s.group, 'after')
    expect(after).toMatchObject({ type: 'error', code: 'CHAT_BAN', remain_seconds: 3 * 86_400 })
    expect(await mina.push('banned')).toMatchObject({ remain_seconds: 3 * 86_400, count: 1 })
    await Promise.all(saying)
    expect(await joon.say(s.group, 'still here')).toMatchObject({ type: 'said' })
    for (const each of [mina, joon]) {
      await each.hear('still here')
      expect(each.heard.filter((text) => !text.startsWith('during'))).toEqual(['before', 'still here'])
    }
  })

  test('survive a reconnect, are reported on connect, and can be lifted', async () => {
    const [mina, joon] = await s.joinPlayers(['mina', 'joon'])
    await ban('mina', 1)
    mina.close()
    await mina.closed
    const back = await s.connect('mina')
    expect(back.frames[0]).toMatchObject({ type: 'connected', ban: { count: 1, remain_seconds: 86_400 } })
    await back.join(s.group, 'a')
    expect(await back.say(s.group, 'x')).toMatchObject({ code: 'CHAT_BAN' })
    await s.call('DELETE', '/block_user_chat', { body: { gamer_id: `${s.group}-mina` } })
    await back.push('ban_lifted')
    expect(await back.say(s.group, 'free')).toMatchObject({ type: 'said' })
    await joon.push('message')
    expect(joon.heard).toEqual(['free'])
    expect(joon.frames.filter(({ type }) => /^ban/.test(type))).toEqual([])
  })

  test('expire on the second, even after the clock jumped', async () => {
    const [mina, joon] = await s.joinPlayers(['mina', 'joon'])
    now = Math.floor(now / 1000) * 1000
    await ban('mina', 1)
    now += DAY_MS - 1
    expect(await mina.say(s.group, 'x')).toMatchObject({ code: 'CHAT_BAN', remain_seconds: 1 })
    now += 1
    expect(await mina.say(s.group, 'free')).toMatchObject({ type: 'said' })
    await mina.push('ban_lifted')
    await joon.push('message')
    expect(joon.heard).toEqual(['free'])
    expect((await s.call('GET', '/block_user_list')).json).not.toContainEqual(
      expect.objectContaining({ gamer_id: `${s.group}-mina` }),
    )
  })
})

describe('channels', () => {
  test('move their players to the FALLBACK when deleted', async () => {
    const [mina] = await s.joinPlayers(['mina'])
    const lobby = { channel_group: s.group, channel_name: 'lobby', is_default: true }
    await s.call('PUT', '/open_channels', { body: lobby })
    using joon = await s.connect('joon')
    await joon.join(s.group, 'lobby')
    const { json } = await s.call('DELETE', '/open_channels', {
      body: { channel_group: s.group, channel_name: 'a' },
    })
    expect(json).toEqual([{ channel_group: s.group, channel_name: 'a', channel_id: 1 }])
    expect(await mina.push('channel_deleted')).toMatchObject({ channel_group: s.group, channel_name: 'a' })
    expect(await mina.push('moved')).toMatchObject({
      from: { channel_name: 'a' },
      to: { channel_name: 'lobby', channel_id: 1 },
    })
    expect(await mina.say(s.group, 'here now')).toMatchObject({ type: 'said' })
    await joon.until(({ type, gamer_id }) => type === 'player_joined' && gamer_id === `${s.group}-mina`)
    expect(await joon.hear('here now')).toMatchObject({ channel_name: 'lobby' })
    const listed = (await s.call('GET', `/open_channels?channel_group=${s.group}`)).json
    const players = ['joon', 'mina'].map((id) => ({ gamer_id: `${s.group}-${id}` }))
    expect(listed).toMatchObject([{ channel_name: 'lobby', players }])
  })

  test('take away their players’ seats when deleted without a FALLBACK', async () => {
    const [mina] = await s.joinPlayers(['mina'])
    await s.call('DELETE', '/open_channels', { body: { channel_group: s.group, channel_name: 'a' } })
    await mina.push('channel_deleted')
    expect(await mina.say(s.group, 'x')).toMatchObject({ code: 'NOT_JOIN_CHANNEL' })
  })

  test('apply a smaller max_count and a new FALLBACK immediately', async () => {
    await s.joinPlayers(['one', 'two'])
    const key = { channel_group: s.group, channel_name: 'a' }
    await s.call('PATCH', '/open_channels', { body: { ...key, max_count: 2, is_autoscaling: false } })
    const three = await s.connect('three')
    expect(await three.join(s.group, 'a')).toMatchObject({ code: 'CHANNEL_FULL' })
    await s.call('PUT', '/open_channels', {
      body: { channel_group: s.group, channel_name: 'b', is_default: true },
    })
    expect(await three.join(s.group, 'a')).toMatchObject({ channel_name: 'b' })
  })
})

test('flood control rejects the sixth message in five seconds with MESSAGE_SPAM', async () => {
  const [mina, joon] = await s.joinPlayers(['mina', 'joon'])
  for (let i = 0; i < 5; i++) expect(await mina.say(s.group, `m${i}`)).toMatchObject({ type: 'said' })
  expect(await mina.say(s.group, 'm5')).toMatchObject({ code: 'MESSAGE_SPAM', retry_after_ms: 5000 })
  now += 4999
  expect(await mina.say(s.group, 'm5')).toMatchObject({ code: 'MESSAGE_SPAM', retry_after_ms: 1 })
  now += 1
  expect(await mina.say(s.group, 'm5')).toMatchObject({ type: 'said' })
  await joon.hear('m5')
  expect(joon.heard).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5'])
})

describe('reports', () => {
  const report = (player: TestPlayer, messageId: string, fields: object = {}) =>
    player.ask('report', { message_id: messageId, keyword: 'SPAM', reason: 'again and again', ...fields })

  test('contain the original text and ten messages before and after it', async () => {
    await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: ['rude'] } })
    const [mina, joon] = await s.joinPlayers(['mina', 'joon'])
    const said: { message_id: string }[] = []
    for (let i = 1; i <= 25; i++) {
      now += 2000
      said.push(await mina.say(s.group, i === 12 ? 'a rude word' : `m${i}`))
    }
    const { report_id } = await report(joon, said[11]!.message_id)
    const [entry] = (await s.call('GET', '/report_list?limit=1')).json
    expect(entry).toMatchObject({
      report_id,
      to_gamer_id: `${s.group}-mina`,
      from_gamer_id: `${s.group}-joon`,
      message: 'a rude word',
      keyword: 'SPAM',
      reason: 'again and again',
      status: 1,
      value: 0,
    })
    const context = await s.app.reports.context(said[11]!.message_id)
    expect(context.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, i) => i + 2))
    expect(context.filter((each) => 'hits' in each)).toEqual([])
    await s.call('PUT', '/bad_word_list', { body: { language: 'all', filters: [] } })
  })

  test('are rejected for own, old and unknown messages, unknown keywords, and over the daily limit', async () => {
    const [mina, joon] = await s.joinPlayers(['mina', 'joon'])
    const { message_id } = await mina.say(s.group, 'hello')
    expect(await report(mina, message_id)).toMatchObject({ code: 'NOT_MY_REPORT' })
    expect(await report(joon, 'unknown')).toMatchObject({ code: 'INVALID_PARAMETER' })
    expect(await report(joon, message_id, { keyword: 'NONSENSE' })).toMatchObject({
      code: 'INVALID_PARAMETER',
    })
    expect(await report(joon, message_id, { reason: '한'.repeat(334) })).toMatchObject({
      code: 'INVALID_PARAMETER',
    })
    for (const text of ['one', 'two', 'three', 'four']) {
      const { message_id } = await mina.say(s.group, text)
      expect(await report(joon, message_id, { reason: '한'.repeat(333) })).toMatchObject(
        text === 'four' ? { code: 'TOO_MANY_REPORT' } : { type: 'reported' },
      )
    }
    now += DAY_MS + 1
    expect(await report(joon, message_id)).toMatchObject({ type: 'reported' })
    const { message_id: old } = await mina.say(s.group, 'old')
    now += 7 * DAY_MS + 1
    expect(await report(joon, old)).toMatchObject({ code: 'LIMIT_REPORT_MESSAGE_DAYS' })
  })

  test('of a message that the player already reported return the same report_id, regardless of the daily limit', async () => {
    const [mina, joon, noor] = await s.joinPlayers(['mina', 'joon', 'noor'])
    const { message_id } = await mina.say(s.group, 'hello')
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

  test('of a message that is not on disk yet are accepted', async () => {
    const [mina, joon] = await s.joinPlayers(['mina', 'joon'])
    const { message_id } = await mina.say(s.group, 'just now')
    expect(await report(joon, message_id)).toMatchObject({ type: 'reported' })
  })
})

import { describe, expect, test } from 'bun:test'
import { createTestClock, DAY, listChannels, MINUTE, makeChannel, SECOND } from '../api/helpers.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { startTestServer } from '../support/server.ts'

async function startWithClock(env: Record<string, string> = {}) {
  const clocks = createTestClock(new Date().toISOString())
  const s = await startTestServer({ PARLEY_PLAYER_SECRET: PLAYER_SECRET, ...env }, clocks)
  const connect = (id: string) =>
    TestPlayer.connect(s.url, id, { exp: Math.floor(Date.now() / 1000) + 10 * 86_400 })
  return { ...s, ...clocks, connect }
}

const STEPS = [
  ['a minute forward', MINUTE],
  ['a day forward', DAY],
  ['a minute back', -MINUTE],
  ['a day back', -DAY],
] as const

describe.each(STEPS)('a clock step by %s', (_, ms) => {
  test('frees no seat: max_count holds, the list is complete, and messages arrive', async () => {
    await using s = await startWithClock()
    await makeChannel(s.call, 'main', 'lobby', { max_count: 2, is_autoscaling: false })
    using mina = await s.connect('mina')
    using joon = await s.connect('joon')
    using sora = await s.connect('sora')
    await mina.join('main', 'lobby')
    await joon.join('main', 'lobby')
    s.step(ms)
    s.pass(2 * SECOND)
    const { json } = await listChannels(s.call, 'main')
    const seated = json[0].players.map(({ gamer_id }: { gamer_id: string }) => gamer_id)
    expect(seated.sort()).toEqual(['joon', 'mina'])
    expect(await sora.join('main', 'lobby')).toMatchObject({ type: 'error', code: 'CHANNEL_FULL' })
    expect(await mina.say('main', 'still here')).toMatchObject({ type: 'said' })
    expect(await joon.push('message')).toMatchObject({ message: 'still here' })
    expect(sora.heard).toEqual([])
  })

  test('neither lifts nor prolongs flood control', async () => {
    await using s = await startWithClock({ PARLEY_FLOOD_MESSAGES: '2', PARLEY_FLOOD_SECONDS: '10' })
    await makeChannel(s.call, 'main', 'lobby')
    using mina = await s.connect('mina')
    await mina.join('main', 'lobby')
    await mina.say('main', 'one')
    await mina.say('main', 'two')
    s.step(ms)
    expect(await mina.say('main', 'three')).toMatchObject({ type: 'error', code: 'MESSAGE_SPAM' })
    s.pass(10 * SECOND)
    expect(await mina.say('main', 'four')).toMatchObject({ type: 'said' })
  })

  test('neither refills nor drains a rate limit', async () => {
    await using s = await startWithClock({ PARLEY_RATE_LIMIT: 'on', PARLEY_RATE_PER_SECOND: '1' })
    const status = async () => (await s.call('GET', '/open_channel_groups')).status
    expect([await status(), await status(), await status()]).toEqual([200, 200, 429])
    s.step(ms)
    expect(await status()).toBe(429)
    s.pass(SECOND)
    expect([await status(), await status()]).toEqual([200, 429])
  })

  test('does not move the end of a ban: it ends at its date', async () => {
    await using s = await startWithClock()
    await makeChannel(s.call, 'main', 'lobby')
    using mina = await s.connect('mina')
    using joon = await s.connect('joon')
    await mina.join('main', 'lobby')
    await joon.join('main', 'lobby')
    s.step(SECOND - (s.clock() % SECOND))
    await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'mina', days: 2 } })
    const left = 2 * DAY - ms
    s.step(ms)
    const rejection = { code: 'CHAT_BAN', remain_seconds: left / SECOND }
    expect(await mina.say('main', 'no')).toMatchObject(rejection)
    s.step(left - 1)
    expect(await mina.say('main', 'not yet')).toMatchObject({ code: 'CHAT_BAN', remain_seconds: 1 })
    s.step(1)
    expect(await mina.say('main', 'now')).toMatchObject({ type: 'said' })
    expect(await joon.push('message')).toMatchObject({ message: 'now' })
    expect(joon.heard).toEqual(['now'])
    expect((await s.call('GET', '/block_user_list')).json).toEqual([])
  })
})

test('a ban that seemed to have ended applies again when the clock is set back', async () => {
  await using s = await startWithClock()
  await makeChannel(s.call, 'main', 'lobby')
  using mina = await s.connect('mina')
  await mina.join('main', 'lobby')
  await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'mina', days: 0.5 } })
  s.step(DAY)
  await s.server.app.bans.evictExpired()
  s.step(-DAY)
  expect(await mina.say('main', 'no')).toMatchObject({ code: 'CHAT_BAN' })
})

import { describe, expect, test } from 'bun:test'
import type { Frame, TestPlayer } from '../support/player.ts'
import { shareServer } from './support.ts'

const s = shareServer()

describe('join', () => {
  test('opens the next channel number when one is full', async () => {
    await s.createGroup({ name: 'a', max_count: 2 })
    using p1 = await s.connect('1')
    using p2 = await s.connect('2')
    using p3 = await s.connect('3')
    expect(await p1.join(s.group, 'a')).toMatchObject({
      channel_id: 1,
      max_count: 2,
      channel_name: 'a',
      seq: 0,
      messages: [],
    })
    expect((await p2.join(s.group, 'a')).players.map((each: { gamer_id: string }) => each.gamer_id)).toEqual([
      `${s.group}-1`,
      `${s.group}-2`,
    ])
    expect(await p3.join(s.group, 'a')).toMatchObject({ channel_id: 2 })
    const { json } = await s.call('GET', `/open_channels?channel_group=${s.group}`)
    expect(
      json.map(({ channel_id, players }: { channel_id: number; players: unknown[] }) => [
        channel_id,
        players.length,
      ]),
    ).toEqual([
      [1, 2],
      [2, 1],
    ])
    expect(await p1.push('player_joined')).toMatchObject({ channel_group: s.group, channel_id: 1 })
  })

  test('uses the FALLBACK when the channel is full, unknown or not named', async () => {
    await s.createGroup(
      { name: 'small', max_count: 1, is_autoscaling: false },
      { name: 'lobby', is_default: true },
    )
    using p1 = await s.connect('1')
    using p2 = await s.connect('2')
    using p3 = await s.connect('3')
    using p4 = await s.connect('4')
    expect(await p1.join(s.group, 'small')).toMatchObject({ channel_name: 'small' })
    expect(await p2.join(s.group, 'small')).toMatchObject({ channel_name: 'lobby' })
    expect(await p3.join(s.group, 'nowhere')).toMatchObject({ channel_name: 'lobby' })
    expect(await p4.join(s.group)).toMatchObject({ channel_name: 'lobby' })
  })

  test('fails with CHANNEL_FULL or CHANNEL_NOT_FOUND without a FALLBACK', async () => {
    await s.createGroup({ name: 'small', max_count: 1, is_autoscaling: false })
    using p1 = await s.connect('1')
    using p2 = await s.connect('2')
    await p1.join(s.group, 'small')
    expect(await p2.join(s.group, 'small')).toMatchObject({ code: 'CHANNEL_FULL' })
    expect(await p2.join(s.group, 'nowhere')).toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
    expect(await p2.join(s.group)).toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
  })

  test('joins a requested channel number, or fails when it is full', async () => {
    await s.createGroup({ name: 'a', max_count: 1 }, { name: 'lobby', is_default: true })
    using p1 = await s.connect('1')
    using p2 = await s.connect('2')
    using p3 = await s.connect('3')
    await p1.join(s.group, 'a')
    await p2.join(s.group, 'a')
    expect(await p3.join(s.group, 'a', 2)).toMatchObject({ code: 'CHANNEL_FULL' })
    await p2.ask('leave', { channel_group: s.group })
    expect(await p3.join(s.group, 'a', 2)).toMatchObject({ channel_id: 2 })
  })

  test('allows one channel per group; leaving frees the seat and notifies the others', async () => {
    await s.createGroup({ name: 'a' }, { name: 'b' })
    using p1 = await s.connect('1')
    using p2 = await s.connect('2')
    await p1.join(s.group, 'a')
    await p2.join(s.group, 'a')
    expect(await p1.join(s.group, 'b')).toMatchObject({ code: 'ALREADY_JOIN_CHANNEL' })
    expect(await p1.ask('leave', { channel_group: s.group })).toMatchObject({
      type: 'left',
      channel_group: s.group,
    })
    expect(await p2.push('player_left')).toMatchObject({ gamer_id: `${s.group}-1` })
    expect(await p1.ask('leave', { channel_group: s.group })).toMatchObject({ code: 'NOT_JOIN_CHANNEL' })
    await p2.say(s.group, 'have you left?')
    await p2.hear('have you left?')
    expect(await p1.join(s.group, 'b')).toMatchObject({ channel_name: 'b' })
    await p1.say(s.group, 'in b')
    await p1.hear('in b')
    expect(p1.heard).toEqual(['in b'])
    expect(p2.heard).toEqual(['have you left?'])
    p1.close()
    await p1.closed
    await p2.say(s.group, 'bye')
    await p2.hear('bye')
    // It had already left when its connection closed.
    expect(p2.frames.filter(({ type }) => type === 'player_left').length).toBe(1)
  })
})

test('batches joins and leaves in a large channel', async () => {
  await s.createGroup({ name: 'a', max_count: 1000 })
  const members = await Promise.all(Array.from({ length: 102 }, (_, i) => s.connect(`c${i}`)))
  for (const each of members) await each.join(s.group, 'a')
  const [watcher] = members as [TestPlayer]
  using late = await s.connect('late')
  await late.join(s.group, 'a')
  const isLate = ({ gamer_id }: Frame) => gamer_id === `${s.group}-late`
  const changed = await watcher.until(({ joined }) => joined?.some(isLate))
  expect(changed).toMatchObject({ type: 'players_changed', player_count: 103 })
  for (const each of members) each[Symbol.dispose]()
})

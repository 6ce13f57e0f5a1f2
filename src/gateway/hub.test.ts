import { describe, expect, test } from 'bun:test'
import { banOf, createHub, FakeSession, message, player, shard } from '../../test/support/hub.ts'
import { playerTopic, shardTopic } from '../core/events.ts'
import { yieldToEventLoop } from '../core/time-slice.ts'
import type { Hub } from './hub.ts'

describe('a channel number', () => {
  test('reaches its members and no session that left', async () => {
    const { hub, subscribed, deliveries, add } = createHub()
    const [mina, joon] = [await add('mina'), await add('joon')]
    const topic = shardTopic(shard())
    for (const session of [mina, joon]) await hub.subscribe(session, shard())
    expect([mina.topics, joon.topics]).toEqual([new Set([topic]), new Set([topic])])
    await hub.unsubscribe(mina, shard())
    expect([mina.topics, joon.topics]).toEqual([new Set(), new Set([topic])])
    hub.deliver(topic, { kind: 'message', message: message('joon', shard()) })
    expect(deliveries).toEqual([1])
    expect(subscribed.has(topic)).toBe(true)
    await hub.unsubscribe(joon, shard())
    expect(subscribed.has(topic)).toBe(false)
  })

  test('stays subscribed when one member unsubscribes repeatedly', async () => {
    const { hub, subscribed, add } = createHub()
    const [mina, joon] = [await add('mina'), await add('joon')]
    for (const session of [mina, joon]) await hub.subscribe(session, shard())
    for (let times = 0; times < 3; times++) await hub.unsubscribe(mina, shard())
    expect(subscribed.has(shardTopic(shard()))).toBe(true)
  })

  test('leaves no local subscription when the bus rejects it', async () => {
    const { hub, state, subscribed, add } = createHub()
    const mina = await add('mina')
    state.failure = new Error('unavailable')
    expect(await hub.subscribe(mina, shard()).catch((thrown: unknown) => thrown)).toBe(state.failure)
    expect(mina.topics.size).toBe(0)
    state.failure = undefined
    await hub.unsubscribe(mina, shard())
    await hub.subscribe(mina, shard())
    expect(subscribed.has(shardTopic(shard()))).toBe(true)
  })

  test('delivers to every member of a large one once, over several turns of the event loop', async () => {
    const { hub, texts, deliveries } = createHub()
    const sessions = Array.from({ length: 2200 }, (_, n) => new FakeSession(`${n}`))
    for (const session of sessions) await hub.subscribe(session, shard())
    hub.deliver(shardTopic(shard()), { kind: 'message', message: message('mina', shard()) })
    expect(deliveries).toEqual([500, 500, 500])
    await Promise.all(sessions.map((session) => hub.whenFlushed(session, shard())))
    expect(deliveries).toEqual([500, 500, 500, 500, 200])
    const received = (session: FakeSession) => texts.filter(([topic]) => session.topics.has(topic)).length
    expect(new Set(sessions.map(received))).toEqual(new Set([1]))
    for (const session of sessions) await hub.unsubscribe(session, shard())
    expect(sessions.every(({ topics }) => topics.size === 0)).toBe(true)
  })

  test('delivers the filtered text', async () => {
    const { hub, texts } = createHub()
    await hub.subscribe(new FakeSession('joon'), shard())
    hub.deliver(shardTopic(shard()), { kind: 'message', message: message('mina', shard()) })
    expect(texts.map(([, text]) => text)).toMatchObject([{ type: 'message', message: '****' }])
    expect(JSON.stringify(texts)).not.toContain('rude')
  })

  test('drops messages of a banned player that were in flight when the ban was set', async () => {
    const { hub, state, texts } = createHub()
    state.bans.set('mina', banOf('mina', 1))
    await hub.subscribe(new FakeSession('noor'), shard())
    for (const from of ['mina', 'joon']) {
      hub.deliver(shardTopic(shard()), { kind: 'message', message: message(from, shard()) })
    }
    expect(texts.map(([, { gamer_id }]) => gamer_id)).toEqual(['joon'])
  })
})

describe('the sessions of a player', () => {
  test('keep the player topic subscribed until the last one is removed', async () => {
    const { hub, subscribed, add } = createHub()
    const topic = playerTopic('mina')
    const [first, second] = [await add('s1', 'mina'), await add('s2', 'mina')]
    expect([first.closed, second.closed]).toEqual([['replaced'], []])
    await hub.remove(first, player('mina'))
    expect([subscribed.has(topic), hub.players]).toEqual([true, 1])
    await hub.remove(second, player('mina'))
    await hub.remove(second, player('mina'))
    expect([subscribed.has(topic), hub.players]).toEqual([false, 0])
  })

  test('are not registered when the subscription fails', async () => {
    const { hub, state, subscribed, add } = createHub()
    state.failure = new Error('unavailable')
    expect(await add('mina').catch((thrown: unknown) => thrown)).toBe(state.failure)
    expect([hub.players, subscribed.size]).toEqual([0, 0])
    state.failure = undefined
    await add('mina')
    expect([hub.players, subscribed.size]).toEqual([1, 1])
  })

  test('are removed again when the other nodes cannot be notified', async () => {
    const { hub, state, subscribed, add } = createHub()
    state.publishFailure = new Error('unavailable')
    expect(await add('mina').catch((thrown: unknown) => thrown)).toBe(state.publishFailure)
    expect([hub.players, subscribed.size]).toEqual([0, 0])
  })
})

describe('presence in a channel number', () => {
  const joined = (id: string) => ({ kind: 'player-joined', shard: shard(), player: player(id) }) as const
  const left = (id: string) => ({ kind: 'player-left', shard: shard(), player: player(id) }) as const
  const topic = shardTopic(shard())

  async function fill(hub: Hub, count: number): Promise<FakeSession[]> {
    const sessions = Array.from({ length: count }, (_, n) => new FakeSession(`${n}`))
    for (const session of sessions) await hub.subscribe(session, shard())
    return sessions
  }

  test('is sent immediately, a frame each, up to 100 members', async () => {
    const { hub, texts } = createHub()
    await fill(hub, 100)
    hub.deliver(topic, joined('p'))
    expect(texts.map(([, text]) => text)).toEqual([
      {
        type: 'player_joined',
        channel_group: 'g',
        channel_name: 'a',
        channel_id: 1,
        gamer_id: 'p',
        gamer_name: 'p',
      },
    ])
  })

  test('is one frame at the next tick above 100 members', async () => {
    const { hub, state, texts } = createHub()
    const sessions = await fill(hub, 101)
    for (const event of [joined('p'), joined('brief'), left('q'), left('brief')]) hub.deliver(topic, event)
    expect(texts).toEqual([])
    state.memberCount = 300
    hub.tick()
    await yieldToEventLoop()
    const channel = { channel_group: 'g', channel_name: 'a', channel_id: 1 }
    expect(texts.map(([, text]) => text)).toEqual([
      {
        type: 'players_changed',
        ...channel,
        joined: [{ gamer_id: 'p', gamer_name: 'p' }],
        left: [
          { gamer_id: 'brief', gamer_name: 'brief' },
          { gamer_id: 'q', gamer_name: 'q' },
        ],
        player_count: 300,
      },
    ])
    state.memberCount = 1001
    hub.deliver(topic, left('r'))
    hub.tick()
    await yieldToEventLoop()
    await hub.whenFlushed(sessions[0]!, shard())
    expect(texts[1]?.[1]).toEqual({ type: 'players_changed', ...channel, player_count: 1001 })
  })

  test('that was batched is not overtaken when the channel shrinks', async () => {
    const { hub, texts } = createHub()
    const [first, second] = await fill(hub, 101)
    hub.deliver(topic, joined('p'))
    await hub.unsubscribe(first!, shard())
    hub.deliver(topic, left('p'))
    hub.deliver(topic, left('q'))
    hub.tick()
    hub.deliver(topic, left('r'))
    await yieldToEventLoop()
    hub.tick()
    await yieldToEventLoop()
    await hub.whenFlushed(second!, shard())
    expect(texts.map(([, { joined, left }]) => [joined, left])).toMatchObject([
      [[], [{ gamer_id: 'p' }, { gamer_id: 'q' }]],
      [[], [{ gamer_id: 'r' }]],
    ])
    hub.deliver(topic, left('s'))
    await hub.whenFlushed(second!, shard())
    expect(texts[2]?.[1]).toMatchObject({ type: 'player_left', gamer_id: 's' })
  })
})

import { describe, expect, test } from 'bun:test'
import { type Change, playerTopic, shardTopic, type Topic } from '../core/events.ts'
import type { Ban, SequencedMessage, Shard } from '../core/model.ts'
import type { StateWatcher } from '../core/state/state.ts'
import { yieldToEventLoop } from '../core/time-slice.ts'
import { createLogger } from '../log.ts'
import { Hub, type HubSession } from './hub.ts'

const shard = (name = 'a', number = 1, incarnation = 1): Shard => ({ group: 'g', name, incarnation, number })
const player = (id: string) => ({ id, name: id })
const banOf = (playerId: string, seq: number, endsAt = 10_000): Ban => ({
  seq,
  playerId,
  count: seq,
  startsAt: 0,
  endsAt,
})
const message = (from: string, place: Shard): SequencedMessage => ({
  id: 'm',
  shard: place,
  player: player(from),
  text: '****',
  original: 'rude',
  language: 'en',
  hits: [],
  at: 0,
  seq: 1,
  epoch: 'e',
})

/** A session with a fake socket: records the frame types it was sent and the topics of its socket. */
class FakeSession implements HubSession {
  readonly id: string
  readonly topics = new Set<Topic>()
  readonly pushed: string[] = []
  readonly displacedFrom: Shard[] = []
  readonly closed: string[] = []
  readonly socket = {
    send: () => 'sent' as const,
    close: () => undefined,
    subscribe: (topic: Topic) => void this.topics.add(topic),
    unsubscribe: (topic: Topic) => void this.topics.delete(topic),
    bufferedBytes: () => 0,
  }

  constructor(id: string) {
    this.id = id
  }

  push(text: string): void {
    this.pushed.push(JSON.parse(text).type)
  }

  close(reason: string): void {
    this.closed.push(reason)
  }

  displace(from: Shard): void {
    this.displacedFrom.push(from)
  }
}

function setUp() {
  const state = {
    now: 0,
    bans: new Map<string, Ban>(),
    /** Incarnation by name. */
    channels: new Map([['a', 1]]),
    memberCount: 0,
    failure: undefined as Error | undefined,
    publishFailure: undefined as Error | undefined,
  }
  const watchers: StateWatcher[] = []
  const subscribed = new Set<Topic>()
  const deliveries: number[] = []
  const texts: [Topic, Record<string, unknown>][] = []
  const fail = () => {
    if (state.failure !== undefined) throw state.failure
  }
  const hub = new Hub({
    app: {
      watch: (watcher) => void watchers.push(watcher),
      bans: { find: (id) => state.bans.get(id), remainSeconds: () => 1 },
      chat: { countMembers: async () => state.memberCount },
      channels: { isCurrent: ({ name, incarnation }) => state.channels.get(name) === incarnation },
    },
    bus: {
      publish: async (topic, event) => {
        fail()
        if (state.publishFailure !== undefined) throw state.publishFailure
        hub.deliver(topic, event)
      },
      subscribe: async (topic) => {
        fail()
        subscribed.add(topic)
      },
      unsubscribe: async (topic) => void subscribed.delete(topic),
    },
    clock: () => state.now,
    publish: (topic, text) => void texts.push([topic, JSON.parse(text)]),
    log: createLogger('silent'),
    loop: { lagMs: 0 },
    metrics: { countDeliveries: (readers) => void deliveries.push(readers) },
  })
  const change = (each: Change) => {
    for (const { changed } of watchers) changed(each)
  }
  const reload = () => {
    for (const { reloaded } of watchers) reloaded()
  }
  const add = async (id: string, playerId = id) => {
    const session = new FakeSession(id)
    await hub.add(session, player(playerId))
    return session
  }
  return { hub, state, subscribed, deliveries, texts, change, reload, add }
}

describe('a channel number', () => {
  test('reaches its members and no session that left', async () => {
    const { hub, subscribed, deliveries, add } = setUp()
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
    const { hub, subscribed, add } = setUp()
    const [mina, joon] = [await add('mina'), await add('joon')]
    for (const session of [mina, joon]) await hub.subscribe(session, shard())
    for (let times = 0; times < 3; times++) await hub.unsubscribe(mina, shard())
    expect(subscribed.has(shardTopic(shard()))).toBe(true)
  })

  test('leaves no local subscription when the bus rejects it', async () => {
    const { hub, state, subscribed, add } = setUp()
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
    const { hub, texts, deliveries } = setUp()
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
    const { hub, texts } = setUp()
    await hub.subscribe(new FakeSession('joon'), shard())
    hub.deliver(shardTopic(shard()), { kind: 'message', message: message('mina', shard()) })
    expect(texts.map(([, text]) => text)).toMatchObject([{ type: 'message', message: '****' }])
    expect(JSON.stringify(texts)).not.toContain('rude')
  })

  test('drops messages of a banned player that were in flight when the ban was set', async () => {
    const { hub, state, texts } = setUp()
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
    const { hub, subscribed, add } = setUp()
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
    const { hub, state, subscribed, add } = setUp()
    state.failure = new Error('unavailable')
    expect(await add('mina').catch((thrown: unknown) => thrown)).toBe(state.failure)
    expect([hub.players, subscribed.size]).toEqual([0, 0])
    state.failure = undefined
    await add('mina')
    expect([hub.players, subscribed.size]).toEqual([1, 1])
  })

  test('are removed again when the other nodes cannot be notified', async () => {
    const { hub, state, subscribed, add } = setUp()
    state.publishFailure = new Error('unavailable')
    expect(await add('mina').catch((thrown: unknown) => thrown)).toBe(state.publishFailure)
    expect([hub.players, subscribed.size]).toEqual([0, 0])
  })
})

describe('a deleted channel', () => {
  const deleted: Change = { kind: 'channel-deleted', key: { group: 'g', name: 'a' }, version: 1 }

  test('displaces its members in every channel number, and nobody else', async () => {
    const { hub, state, change, add } = setUp()
    state.channels.set('b', 1)
    const seats = [shard('a'), shard('a', 2), shard('b')]
    const sessions = await Promise.all(['p1', 'p2', 'p3'].map((id) => add(id)))
    for (const [index, seat] of seats.entries()) await hub.subscribe(sessions[index]!, seat)
    state.channels.delete('a')
    change(deleted)
    while (sessions[1]!.displacedFrom.length === 0) await yieldToEventLoop()
    expect(sessions.map(({ displacedFrom }) => displacedFrom)).toEqual([[seats[0]!], [seats[1]!], []])
    expect(sessions[0]!.displacedFrom[0]).toBe(seats[0]!)
  })

  test('displaces its members over several turns of the event loop, each once, and none that left meanwhile', async () => {
    const { hub, state, change, add } = setUp()
    const sessions = await Promise.all(Array.from({ length: 200 }, (_, n) => add(`p${n}`)))
    for (const session of sessions) await hub.subscribe(session, shard())
    state.channels.delete('a')
    change(deleted)
    const countDisplaced = () => sessions.filter(({ displacedFrom }) => displacedFrom.length > 0).length
    expect(countDisplaced()).toBeLessThanOrEqual(20)
    const leaver = sessions.at(-1)!
    await hub.unsubscribe(leaver, shard())
    while (countDisplaced() < 199) await yieldToEventLoop()
    for (let turn = 0; turn < 20; turn++) await yieldToEventLoop()
    expect(new Set(sessions.slice(0, -1).map(({ displacedFrom }) => displacedFrom.length))).toEqual(
      new Set([1]),
    )
    expect(leaver.displacedFrom).toEqual([])
  })

  test('displaces a session that joins after the deletion', async () => {
    const { hub, state, add } = setUp()
    const mina = await add('mina')
    state.channels.set('a', 2)
    await hub.subscribe(mina, shard('a', 1, 1))
    expect(mina.displacedFrom).toEqual([shard('a', 1, 1)])
  })

  test('keeps its new members after it was recreated', async () => {
    const { hub, state, change, add } = setUp()
    const mina = await add('mina')
    state.channels.set('a', 2)
    await hub.subscribe(mina, shard('a', 1, 2))
    change(deleted)
    expect(mina.displacedFrom).toEqual([])
  })
})

describe('a reload', () => {
  test('notifies once of bans that were added, replaced or lifted', async () => {
    const { state, reload, add } = setUp()
    state.bans.set('lifted', banOf('lifted', 1))
    state.bans.set('replaced', banOf('replaced', 2))
    state.bans.set('unchanged', banOf('unchanged', 3))
    const ids = ['lifted', 'replaced', 'unchanged', 'new', 'free']
    const sessions = await Promise.all(ids.map((id) => add(id)))
    state.bans.delete('lifted')
    state.bans.set('replaced', banOf('replaced', 4))
    state.bans.set('new', banOf('new', 5))
    reload()
    reload()
    while (sessions[3]!.pushed.length === 0) await yieldToEventLoop()
    for (let turn = 0; turn < 20; turn++) await yieldToEventLoop()
    expect(sessions.map(({ pushed }) => pushed)).toEqual([['ban_lifted'], ['banned'], [], ['banned'], []])
  })

  test('displaces the members of channels that were deleted or recreated', async () => {
    const { hub, state, reload, add } = setUp()
    for (const name of ['b', 'c']) state.channels.set(name, 1)
    const seats = [shard('a'), shard('b'), shard('c')]
    const sessions = await Promise.all(seats.map(({ name }) => add(name)))
    for (const [index, seat] of seats.entries()) await hub.subscribe(sessions[index]!, seat)
    state.channels.delete('a')
    state.channels.set('b', 2)
    reload()
    while (sessions[1]!.displacedFrom.length === 0) await yieldToEventLoop()
    expect(sessions.map(({ displacedFrom }) => displacedFrom.length)).toEqual([1, 1, 0])
  })
})

describe('a ban', () => {
  test('notifies the sessions of the player, and of the lifting once', async () => {
    const { state, change, add } = setUp()
    const [mina, joon] = [await add('mina'), await add('joon')]
    state.bans.set('mina', banOf('mina', 1))
    change({ kind: 'ban-set', ban: banOf('mina', 1), version: 1 })
    state.bans.delete('mina')
    for (const version of [2, 3]) change({ kind: 'ban-lifted', playerId: 'mina', version })
    expect([mina.pushed, joon.pushed]).toEqual([['banned', 'ban_lifted'], []])
  })

  test('notifies once, at the second it expires', async () => {
    const { hub, state, add } = setUp()
    state.bans.set('mina', banOf('mina', 1, 5000))
    const mina = await add('mina')
    for (const now of [4999, 5000, 6000]) {
      state.now = now
      hub.tick()
      expect(mina.pushed).toEqual(now < 5000 ? [] : ['ban_lifted'])
    }
  })

  test('costs nothing each second until it ends, however many there are', async () => {
    const { hub, state, add } = setUp()
    let reads = 0
    for (let n = 0; n < 2000; n++) {
      const ban = Object.defineProperty(banOf(`p${n}`, n), 'endsAt', {
        get: () => {
          reads++
          return 10_000 + n
        },
      })
      state.bans.set(`p${n}`, ban)
      await add(`p${n}`)
    }
    reads = 0
    hub.tick()
    expect(reads).toBeLessThan(10)
  })

  test('that ends together with many others is reported to each player once, over several turns of the event loop', async () => {
    const { hub, state, add } = setUp()
    const ids = Array.from({ length: 10_000 }, (_, n) => `p${n}`)
    for (const [seq, id] of ids.entries()) state.bans.set(id, banOf(id, seq, 5000))
    const sessions = await Promise.all(ids.map((id) => add(id)))
    const countNotified = () => sessions.filter(({ pushed }) => pushed.length > 0).length
    state.now = 5000
    hub.tick()
    hub.tick()
    expect(countNotified()).toBeLessThan(ids.length)
    while (countNotified() < ids.length) await yieldToEventLoop()
    expect(new Set(sessions.map(({ pushed }) => pushed.join()))).toEqual(new Set(['ban_lifted']))
  })

  test('of an earlier session is not reported as lifted to a later one', async () => {
    const { hub, state, add } = setUp()
    state.bans.set('mina', banOf('mina', 1, 5000))
    await hub.remove(await add('s1', 'mina'), player('mina'))
    state.bans.delete('mina')
    const later = await add('s2', 'mina')
    state.now = 5000
    hub.tick()
    expect(later.pushed).toEqual([])
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
    const { hub, texts } = setUp()
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
    const { hub, state, texts } = setUp()
    const sessions = await fill(hub, 101)
    for (const event of [joined('p'), joined('brief'), left('q'), left('brief')]) hub.deliver(topic, event)
    expect(texts).toEqual([])
    state.memberCount = 300
    hub.tick()
    await yieldToEventLoop()
    const place = { channel_group: 'g', channel_name: 'a', channel_id: 1 }
    expect(texts.map(([, text]) => text)).toEqual([
      {
        type: 'players_changed',
        ...place,
        joined: [{ gamer_id: 'p', gamer_name: 'p' }],
        left: [{ gamer_id: 'q', gamer_name: 'q' }],
        player_count: 300,
      },
    ])
    state.memberCount = 1001
    hub.deliver(topic, left('r'))
    hub.tick()
    await yieldToEventLoop()
    await hub.whenFlushed(sessions[0]!, shard())
    expect(texts[1]?.[1]).toEqual({ type: 'players_changed', ...place, player_count: 1001 })
  })

  test('that was batched is not overtaken when the channel shrinks', async () => {
    const { hub, texts } = setUp()
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
      [[], [{ gamer_id: 'q' }]],
      [[], [{ gamer_id: 'r' }]],
    ])
    hub.deliver(topic, left('s'))
    await hub.whenFlushed(second!, shard())
    expect(texts[2]?.[1]).toMatchObject({ type: 'player_left', gamer_id: 's' })
  })
})

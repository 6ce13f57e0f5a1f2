import { describe, expect, test } from 'bun:test'
import { banOf, createHub, player, settle, shard } from '../../test/support/hub.ts'
import type { Change } from '../core/events.ts'
import { yieldToEventLoop } from '../core/time-slice.ts'

describe('a deleted channel', () => {
  const deleted: Change = { kind: 'channel-deleted', key: { group: 'g', name: 'a' }, version: 1 }

  test('displaces its members in every channel number, and nobody else', async () => {
    const { hub, state, change, add } = createHub()
    state.channels.set('b', 1)
    const seats = [shard('a'), shard('a', 2), shard('b')]
    const sessions = await Promise.all(['p1', 'p2', 'p3'].map((id) => add(id)))
    for (const [index, seat] of seats.entries()) await hub.subscribe(sessions[index]!, seat)
    state.channels.delete('a')
    change(deleted)
    await settle()
    expect(sessions.map(({ displacedFrom }) => displacedFrom)).toEqual([[seats[0]!], [seats[1]!], []])
    expect(sessions[0]!.displacedFrom[0]).toBe(seats[0]!)
  })

  test('displaces its members over several turns of the event loop, each once, and none that left meanwhile', async () => {
    const { hub, state, change, add } = createHub()
    const sessions = await Promise.all(Array.from({ length: 200 }, (_, n) => add(`p${n}`)))
    for (const session of sessions) await hub.subscribe(session, shard())
    state.channels.delete('a')
    change(deleted)
    const countDisplaced = () => sessions.filter(({ displacedFrom }) => displacedFrom.length > 0).length
    expect(countDisplaced()).toBeLessThanOrEqual(20)
    const leaver = sessions.at(-1)!
    await hub.unsubscribe(leaver, shard())
    while (countDisplaced() < 199) await yieldToEventLoop()
    await settle()
    expect(new Set(sessions.slice(0, -1).map(({ displacedFrom }) => displacedFrom.length))).toEqual(
      new Set([1]),
    )
    expect(leaver.displacedFrom).toEqual([])
  })

  test('displaces a session that joins after the deletion', async () => {
    const { hub, state, add } = createHub()
    const mina = await add('mina')
    state.channels.set('a', 2)
    await hub.subscribe(mina, shard('a', 1, 1))
    expect(mina.displacedFrom).toEqual([shard('a', 1, 1)])
  })

  test('keeps its new members after it was recreated', async () => {
    const { hub, state, change, add } = createHub()
    const mina = await add('mina')
    state.channels.set('a', 2)
    await hub.subscribe(mina, shard('a', 1, 2))
    change(deleted)
    await settle()
    expect(mina.displacedFrom).toEqual([])
  })
})

describe('a reload', () => {
  test('notifies once of bans that were added, replaced or lifted', async () => {
    const { state, reload, add } = createHub()
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
    await settle()
    expect(sessions.map(({ pushed }) => pushed)).toEqual([['ban_lifted'], ['banned'], [], ['banned'], []])
  })

  test('displaces the members of channels that were deleted or recreated', async () => {
    const { hub, state, reload, add } = createHub()
    for (const name of ['b', 'c']) state.channels.set(name, 1)
    const seats = [shard('a'), shard('b'), shard('c')]
    const sessions = await Promise.all(seats.map(({ name }) => add(name)))
    for (const [index, seat] of seats.entries()) await hub.subscribe(sessions[index]!, seat)
    state.channels.delete('a')
    state.channels.set('b', 2)
    reload()
    await settle()
    expect(sessions.map(({ displacedFrom }) => displacedFrom.length)).toEqual([1, 1, 0])
  })
})

describe('a ban', () => {
  test('notifies the sessions of the player, and of the lifting once', async () => {
    const { state, change, add } = createHub()
    const [mina, joon] = [await add('mina'), await add('joon')]
    state.bans.set('mina', banOf('mina', 1))
    change({ kind: 'ban-set', ban: banOf('mina', 1), version: 1 })
    state.bans.delete('mina')
    for (const version of [2, 3]) change({ kind: 'ban-lifted', playerId: 'mina', version })
    expect([mina.pushed, joon.pushed]).toEqual([['banned', 'ban_lifted'], []])
  })

  test('notifies once, at the second it expires', async () => {
    const { hub, state, add } = createHub()
    state.bans.set('mina', banOf('mina', 1, 5000))
    const mina = await add('mina')
    for (const now of [4999, 5000, 6000]) {
      state.now = now
      hub.tick()
      expect(mina.pushed).toEqual(now < 5000 ? [] : ['ban_lifted'])
    }
  })

  test('costs nothing each second until it ends, however many there are', async () => {
    const { hub, state, add } = createHub()
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
    const { hub, state, add } = createHub()
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
    const { hub, state, add } = createHub()
    state.bans.set('mina', banOf('mina', 1, 5000))
    await hub.remove(await add('s1', 'mina'), player('mina'))
    state.bans.delete('mina')
    const later = await add('s2', 'mina')
    state.now = 5000
    hub.tick()
    expect(later.pushed).toEqual([])
  })
})

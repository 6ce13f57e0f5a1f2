import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  ANN,
  CHANNEL,
  CHANNEL_REF,
  connect,
  connectAndJoin,
  joined,
  message,
  ScriptedServer,
} from './scripted-server.ts'

const ann = { gamerId: 'p-1', gamerName: 'Ann' }

let server: ScriptedServer
beforeEach(() => {
  server = new ScriptedServer()
})
afterEach(() => server.stop())

describe('events', () => {
  test('emits a message with a Date and without frame fields', async () => {
    const { connection, next } = await connectAndJoin(server)
    const event = next('message')
    connection.send(message(8, { system: true }))
    expect(await event).toEqual({
      ...CHANNEL_REF,
      ...ann,
      seq: 8,
      messageId: 'm-8',
      message: 'text 8',
      time: new Date('2026-11-15T03:00:00Z'),
      system: true,
    })
  })

  test('emits events for players, bans and deletions', async () => {
    const { connection, next, events } = await connectAndJoin(server)
    const last = next('channelDeleted')
    connection.send(
      { type: 'player_joined', ...CHANNEL, ...ANN },
      { type: 'player_left', ...CHANNEL, ...ANN },
      { type: 'banned', end_time: '2026-11-16T00:00:00Z', remain_seconds: 5, count: 1 },
      { type: 'ban_lifted' },
      { type: 'message_deleted', ...CHANNEL, message_id: 'm-7' },
      { type: 'channel_deleted', ...CHANNEL },
    )
    await last
    expect(events.slice(1)).toEqual([
      ['playerJoined', { ...CHANNEL_REF, ...ann }],
      ['playerLeft', { ...CHANNEL_REF, ...ann }],
      ['banned', { endTime: new Date('2026-11-16T00:00:00Z'), remainSeconds: 5, count: 1 }],
      ['banLifted', undefined],
      ['messageDeleted', { ...CHANNEL_REF, messageId: 'm-7' }],
      ['channelDeleted', CHANNEL_REF],
    ])
  })

  test('emits one event per named player of a batch, then the count', async () => {
    const { connection, next, events } = await connectAndJoin(server)
    const bob = { gamer_id: 'p-2', gamer_name: 'Bob' }
    const last = next('message')
    connection.send(
      { type: 'players_changed', ...CHANNEL, joined: [ANN], left: [bob], player_count: 300 },
      { type: 'players_changed', ...CHANNEL, player_count: 1200 },
      message(8),
    )
    await last
    expect(events.slice(1, -1)).toEqual([
      ['playerJoined', { ...CHANNEL_REF, ...ann }],
      ['playerLeft', { ...CHANNEL_REF, gamerId: 'p-2', gamerName: 'Bob' }],
      ['playerCount', { ...CHANNEL_REF, playerCount: 300 }],
      ['playerCount', { ...CHANNEL_REF, playerCount: 1200 }],
    ])
  })

  test('stops calling an unsubscribed handler', async () => {
    const { client, connection, next } = await connectAndJoin(server)
    const heard: number[] = []
    const stop = client.on('message', ({ seq }) => heard.push(seq))
    const first = next('message')
    connection.send(message(8))
    await first
    stop()
    const second = next('message')
    connection.send(message(9))
    await second
    expect(heard).toEqual([8])
  })

  test('drops duplicate messages', async () => {
    const { connection, next, events } = await connectAndJoin(server)
    const lifted = next('banLifted')
    connection.send(message(8), message(8), message(9), message(8), { type: 'ban_lifted' })
    await lifted
    expect(events.map(([name]) => name)).toEqual(['connected', 'message', 'message', 'banLifted'])
  })

  test('remembers a bounded number of message ids', async () => {
    const { connection, next, events } = await connectAndJoin(server, { dedupeWindow: 2 })
    const lifted = next('banLifted')
    connection.send(message(8), message(9), message(10), message(8), { type: 'ban_lifted' })
    await lifted
    const seqs = events
      .filter(([name]) => name === 'message')
      .map(([, event]) => (event as { seq: number }).seq)
    expect(seqs).toEqual([8, 9, 10, 8])
  })

  test('a skipped number is eventsSince before the message that shows it', async () => {
    const { connection, next, events } = await connectAndJoin(server)
    const tenth = next('message')
    connection.send(message(10))
    await tenth
    expect(events.slice(1).map(([name]) => name)).toEqual(['gap', 'message'])
    expect(events[1]).toEqual(['gap', { ...CHANNEL_REF, reason: 'jump' }])
  })

  test('delivers messages that overtake the reply to a join after it, without duplicates', async () => {
    const { client, connection, next, events } = await connect(server)
    const ninth = next('message')
    const channel = client.join({ channelGroup: 'global' })
    const order: string[] = []
    void channel.then(() => order.push('reply'))
    void ninth.then(() => order.push('message'))
    const { id } = await connection.expect('join')
    const { type: _, ...eighth } = message(8)
    connection.send(message(8), message(9), joined({ id, seq: 8, messages: [eighth] }))
    expect((await channel).messages).toHaveLength(1)
    expect((await ninth).seq).toBe(9)
    expect(order).toEqual(['reply', 'message'])
    expect(events.map(([name]) => name)).toEqual(['connected', 'message'])
  })

  test('removes a message from the reply to a join when its deletion overtakes the reply', async () => {
    const { client, connection, next } = await connect(server)
    const deleted = next('messageDeleted')
    const channel = client.join({ channelGroup: 'global' })
    const { id } = await connection.expect('join')
    const recent = [message(7), message(8)].map(({ type: _, ...rest }) => rest)
    connection.send(
      { type: 'message_deleted', ...CHANNEL, message_id: 'm-7' },
      joined({ id, seq: 8, messages: recent }),
    )
    expect((await channel).messages.map(({ messageId }) => messageId)).toEqual(['m-8'])
    expect(await deleted).toEqual({ ...CHANNEL_REF, messageId: 'm-7' })
  })

  test('follows a move to another channel', async () => {
    const { connection, next, events } = await connectAndJoin(server)
    const hall = { channel_group: 'global', channel_name: 'hall', channel_id: 1 }
    const said = next('message')
    connection.send(
      { type: 'channel_deleted', ...CHANNEL },
      message(4, { ...hall, message_id: 'h-4' }),
      { type: 'moved', from: CHANNEL, to: hall },
      joined({ id: null, ...hall, seq: 3, epoch: 'e-9' }),
      message(8),
    )
    expect(await said).toMatchObject({ channelName: 'hall', seq: 4 })
    expect(events.slice(1).map(([name]) => name)).toEqual(['channelDeleted', 'moved', 'message'])
    expect(events[2]?.[1]).toMatchObject({
      from: CHANNEL_REF,
      to: { channelName: 'hall', seq: 3, epoch: 'e-9' },
    })
  })

  test('loses no early message when a move follows the join in the same turn', async () => {
    const { client, connection, next, events } = await connect(server)
    const hall = { channel_group: 'global', channel_name: 'hall', channel_id: 1 }
    const joining = client.join({ channelGroup: 'global' })
    const { id } = await connection.expect('join')
    const lifted = next('banLifted')
    connection.send(
      message(9),
      joined({ id, seq: 8 }),
      message(4, { ...hall, message_id: 'h-4' }),
      { type: 'moved', from: CHANNEL, to: hall },
      joined({ id: null, ...hall, seq: 3, epoch: 'e-9' }),
      { type: 'ban_lifted' },
    )
    await joining
    await lifted
    expect(events.slice(1).map(([name]) => name)).toEqual(['message', 'moved', 'message', 'banLifted'])
  })

  test('ignores unknown and malformed frames', async () => {
    const { connection, next } = await connectAndJoin(server)
    const said = next('message')
    for (const text of ['{', '[]', 'null', '{"type":"later"}', '{"type":"said","id":"99"}'])
      connection.sendText(text)
    connection.send(message(8))
    expect((await said).seq).toBe(8)
  })
})

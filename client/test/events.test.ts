import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ANN, connect, joined, message, Peer, PLACE, sit } from './peer.ts'

const place = { channelGroup: 'global', channelName: 'plaza', channelId: 2 }
const ann = { gamerId: 'p-1', gamerName: 'Ann' }

let peer: Peer
beforeEach(() => {
  peer = new Peer()
})
afterEach(() => peer.stop())

describe('events', () => {
  test('a message comes with a Date and without the frame around it', async () => {
    const { line, next } = await sit(peer)
    const event = next('message')
    line.send(message(8, { system: true }))
    expect(await event).toEqual({
      ...place,
      ...ann,
      seq: 8,
      messageId: 'm-8',
      message: 'text 8',
      time: new Date('2026-11-15T03:00:00Z'),
      system: true,
    })
  })

  test('players, bans and deletions', async () => {
    const { line, next, events } = await sit(peer)
    const last = next('channelDeleted')
    line.send(
      { type: 'player_joined', ...PLACE, ...ANN },
      { type: 'player_left', ...PLACE, ...ANN },
      { type: 'banned', end_time: '2026-11-16T00:00:00Z', remain_seconds: 5, count: 1 },
      { type: 'ban_lifted' },
      { type: 'message_deleted', ...PLACE, message_id: 'm-7' },
      { type: 'channel_deleted', ...PLACE },
    )
    await last
    expect(events.slice(1)).toEqual([
      ['playerJoined', { ...place, ...ann }],
      ['playerLeft', { ...place, ...ann }],
      ['banned', { endTime: new Date('2026-11-16T00:00:00Z'), remainSeconds: 5, count: 1 }],
      ['banLifted', undefined],
      ['messageDeleted', { ...place, messageId: 'm-7' }],
      ['channelDeleted', place],
    ])
  })

  test('an unsubscribed handler hears nothing more', async () => {
    const { client, line, next } = await sit(peer)
    const heard: number[] = []
    const stop = client.on('message', ({ seq }) => heard.push(seq))
    const first = next('message')
    line.send(message(8))
    await first
    stop()
    const second = next('message')
    line.send(message(9))
    await second
    expect(heard).toEqual([8])
  })

  test('what comes twice is delivered once', async () => {
    const { line, next, events } = await sit(peer)
    const lifted = next('banLifted')
    line.send(message(8), message(8), message(9), message(8), { type: 'ban_lifted' })
    await lifted
    expect(events.map(([name]) => name)).toEqual(['connected', 'message', 'message', 'banLifted'])
  })

  test('the memory for that is bounded', async () => {
    const { line, next, events } = await sit(peer, { messageMemory: 2 })
    const lifted = next('banLifted')
    line.send(message(8), message(9), message(10), message(8), { type: 'ban_lifted' })
    await lifted
    const seqs = events
      .filter(([name]) => name === 'message')
      .map(([, event]) => (event as { seq: number }).seq)
    expect(seqs).toEqual([8, 9, 10, 8])
  })

  test('a skipped number is told before the message that shows it', async () => {
    const { line, next, events } = await sit(peer)
    const tenth = next('message')
    line.send(message(10))
    await tenth
    expect(events.slice(1).map(([name]) => name)).toEqual(['gap', 'message'])
    expect(events[1]).toEqual(['gap', { ...place, reason: 'jump' }])
  })

  test('what overtakes the answer to a join is delivered after it, without what the answer contains', async () => {
    const { client, line, next, events } = await connect(peer)
    const ninth = next('message')
    const channel = client.join({ channelGroup: 'global' })
    const order: string[] = []
    void channel.then(() => order.push('answer'))
    void ninth.then(() => order.push('message'))
    const { id } = await line.expect('join')
    const { type: _, ...eighth } = message(8)
    line.send(message(8), message(9), joined({ id, seq: 8, messages: [eighth] }))
    expect((await channel).messages).toHaveLength(1)
    expect((await ninth).seq).toBe(9)
    expect(order).toEqual(['answer', 'message'])
    expect(events.map(([name]) => name)).toEqual(['connected', 'message'])
  })

  test('a message whose deletion overtakes the answer to a join is not in it', async () => {
    const { client, line, next } = await connect(peer)
    const deleted = next('messageDeleted')
    const channel = client.join({ channelGroup: 'global' })
    const { id } = await line.expect('join')
    const recent = [message(7), message(8)].map(({ type: _, ...rest }) => rest)
    line.send(
      { type: 'message_deleted', ...PLACE, message_id: 'm-7' },
      joined({ id, seq: 8, messages: recent }),
    )
    expect((await channel).messages.map(({ messageId }) => messageId)).toEqual(['m-8'])
    expect(await deleted).toEqual({ ...place, messageId: 'm-7' })
  })

  test('a move changes the seat', async () => {
    const { line, next, events } = await sit(peer)
    const hall = { channel_group: 'global', channel_name: 'hall', channel_id: 1 }
    const said = next('message')
    line.send(
      { type: 'channel_deleted', ...PLACE },
      message(4, { ...hall, message_id: 'h-4' }),
      { type: 'moved', from: PLACE, to: hall },
      joined({ id: null, ...hall, seq: 3, epoch: 'e-9' }),
      message(8),
    )
    expect(await said).toMatchObject({ channelName: 'hall', seq: 4 })
    expect(events.slice(1).map(([name]) => name)).toEqual(['channelDeleted', 'moved', 'message'])
    expect(events[2]?.[1]).toMatchObject({ from: place, to: { channelName: 'hall', seq: 3, epoch: 'e-9' } })
  })

  test('a move in the turn of the join loses nothing that was pushed before either answer', async () => {
    const { client, line, next, events } = await connect(peer)
    const hall = { channel_group: 'global', channel_name: 'hall', channel_id: 1 }
    const joining = client.join({ channelGroup: 'global' })
    const { id } = await line.expect('join')
    const lifted = next('banLifted')
    line.send(
      message(9),
      joined({ id, seq: 8 }),
      message(4, { ...hall, message_id: 'h-4' }),
      { type: 'moved', from: PLACE, to: hall },
      joined({ id: null, ...hall, seq: 3, epoch: 'e-9' }),
      { type: 'ban_lifted' },
    )
    await joining
    await lifted
    expect(events.slice(1).map(([name]) => name)).toEqual(['message', 'moved', 'message', 'banLifted'])
  })

  test('frames it does not know, and what is no frame, do not disturb it', async () => {
    const { line, next } = await sit(peer)
    const said = next('message')
    for (const text of ['{', '[]', 'null', '{"type":"later"}', '{"type":"said","id":"99"}'])
      line.sendText(text)
    line.send(message(8))
    expect((await said).seq).toBe(8)
  })
})

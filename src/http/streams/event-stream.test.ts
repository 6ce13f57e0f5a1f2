import { expect, test } from 'bun:test'
import { EventStream, type EventStreamOptions } from './event-stream.ts'

function create(options: Partial<EventStreamOptions> = {}) {
  const draining = new AbortController()
  const ends: string[] = []
  const stream = new EventStream({ draining: draining.signal, onEnd: () => ends.push('end'), ...options })
  return { stream, draining, ends }
}

test('ends without the queued events when a client falls behind', async () => {
  const { stream, ends } = create({ maxQueued: 3 })
  await stream.next()
  for (let index = 0; index < 3; index++) stream.send({ data: String(index) })
  expect(ends).toEqual([])
  stream.send({ data: 'one too many' })
  expect(ends).toEqual(['end'])
  expect(await stream.next()).toEqual({ done: true, value: undefined })
})

test('sends the queued events in one chunk before it ends', async () => {
  const { stream, ends } = create()
  stream.send({ data: 'a' })
  stream.send({ data: 'b' })
  stream.end()
  stream.send({ data: 'after the end' })
  expect(await stream.next()).toEqual({ done: false, value: ':\n\ndata: a\n\ndata: b\n\n' })
  expect(await stream.next()).toEqual({ done: true, value: undefined })
  expect(ends).toEqual(['end'])
})

test('ends once, whether by draining, by the client or by the source', async () => {
  const { stream, draining, ends } = create()
  await stream.next()
  const waiting = stream.next()
  draining.abort()
  expect(await waiting).toEqual({ done: true, value: undefined })
  await stream.return()
  stream.end()
  expect(ends).toEqual(['end'])
})

test('ends immediately on a server that is draining', async () => {
  const draining = AbortSignal.abort()
  const { stream, ends } = create({ draining })
  expect(ends).toEqual(['end'])
  await stream.next()
  expect((await stream.next()).done).toBe(true)
})

test('a line break in a field cannot forge another field', async () => {
  const { stream } = create()
  await stream.next()
  stream.send({ event: 'a\ndata: forged', id: '1\r\n2', data: 'x\n\nevent: forged' })
  const { value } = await stream.next()
  expect(value).toBe('event: adata: forged\nid: 12\ndata: x\ndata: \ndata: event: forged\n\n')
})

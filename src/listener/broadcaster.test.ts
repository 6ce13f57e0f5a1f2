import { expect, test } from 'bun:test'
import { Broadcaster } from './broadcaster.ts'

test('has no subscribers before a server is attached', () => {
  expect(() => new Broadcaster().publish('topic', 'text')).not.toThrow()
})

function publishWithStatus(status: number) {
  const published: [string, unknown][] = []
  const backpressure: [string, number][] = []
  const broadcaster = new Broadcaster()
  const publish = (topic: string, text: unknown) => {
    published.push([topic, text])
    return status
  }
  broadcaster.attach({ publish }, (topic, bytes) => backpressure.push([topic, bytes]))
  broadcaster.publish('topic', '가x')
  return { published, backpressure }
}

test('publishes to the attached server', () => {
  expect(publishWithStatus(4)).toEqual({ published: [['topic', '가x']], backpressure: [] })
})

test.each([
  ['queued', -1],
  ['dropped', 0],
])('reports the topic and the bytes of a text that was %s for a slow subscriber', (_, status) => {
  expect(publishWithStatus(status).backpressure).toEqual([['topic', 4]])
})

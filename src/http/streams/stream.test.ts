import { expect, test } from 'bun:test'
import { toStream } from './stream.ts'

/** A stream that is being read, of a source that the test completes. */
async function startReading() {
  const events: string[] = []
  const chunk = Promise.withResolvers<IteratorResult<string>>()
  const pulled = Promise.withResolvers<void>()
  const source: AsyncIterator<string> = {
    next() {
      pulled.resolve()
      return chunk.promise
    },
    async return() {
      events.push('returned')
      return { done: true, value: undefined }
    },
  }
  const stream = toStream(
    { [Symbol.asyncIterator]: () => source },
    { onEnd: () => events.push('end'), onError: (thrown) => events.push(String(thrown)) },
  )
  const reader = stream.getReader()
  const read = reader.read()
  await pulled.promise
  return { events, reader, read, ...chunk }
}

/** Lets the stream handle what its source gave. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a client that leaves while the source is busy ends the stream once, without an error', async () => {
  const { events, reader, read, resolve } = await startReading()
  await reader.cancel()
  resolve({ done: false, value: 'too late' })
  expect((await read).done).toBe(true)
  await settle()
  expect(events).toEqual(['end', 'returned'])
})

test('a source that fails after its client left is still reported', async () => {
  const { events, reader, reject } = await startReading()
  await reader.cancel()
  reject(new Error('disk'))
  await settle()
  expect(events).toEqual(['end', 'returned', 'Error: disk'])
})

test('a source that fails ends the stream once and is reported', async () => {
  const { events, read, reject } = await startReading()
  reject(new Error('disk'))
  const [outcome] = await Promise.allSettled([read])
  expect(outcome.status).toBe('rejected')
  expect(events).toEqual(['end', 'Error: disk'])
})

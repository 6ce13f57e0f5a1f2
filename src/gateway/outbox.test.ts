import { expect, test } from 'bun:test'
import { Outbox } from './outbox.ts'

test('sends the first text of a topic immediately and the following ones together, in order', async () => {
  const sent: string[] = []
  const { promise: drained, resolve } = Promise.withResolvers<void>()
  const outbox = new Outbox((topic, text) => {
    sent.push(`${topic} ${text}`)
    if (text === 'last') resolve()
  })
  outbox.send('a', '1')
  outbox.send('b', '1')
  expect(sent).toEqual(['a 1', 'b 1'])
  outbox.send('a', '2')
  outbox.send('a', '3')
  outbox.send('b', 'last')
  expect(sent).toHaveLength(2)
  await drained
  expect(sent).toEqual(['a 1', 'b 1', 'a 2', 'a 3', 'b last'])
  outbox.close()
})

test('flushes the queued messages of a player on request, each once', async () => {
  const sent: string[] = []
  const outbox = new Outbox((_, text) => sent.push(text))
  outbox.send('a', '1', 'mina')
  outbox.send('a', '2', 'mina')
  outbox.flushFor('joon')
  expect(sent).toEqual(['1'])
  outbox.flushFor('mina')
  expect(sent).toEqual(['1', '2'])
  outbox.send('a', '3', 'joon')
  await outbox.whenFlushed('a')
  expect(sent).toEqual(['1', '2', '3'])
  outbox.close()
})

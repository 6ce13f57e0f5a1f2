import { expect, test } from 'bun:test'
import { Outbox } from './outbox.ts'

test('the first of a topic goes out at once, those that follow go out together, in order', async () => {
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

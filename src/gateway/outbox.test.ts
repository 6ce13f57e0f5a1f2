import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { Outbox } from './outbox.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

function setUp(recipients = 1) {
  const sent: string[] = []
  const loop = { lagMs: 0 }
  const outbox = new Outbox({
    publish: (topic, text) => sent.push(`${topic} ${text}`),
    countRecipients: () => recipients,
    loop,
    clock: () => performance.now(),
  })
  return { outbox, loop, sent }
}

const pass = (ms: number) => jest.advanceTimersByTime(ms)
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('a topic', () => {
  test('sends its first text immediately and the following ones together, in order', () => {
    const { outbox, sent } = setUp()
    outbox.send('a', '1')
    outbox.send('b', '1')
    expect(sent).toEqual(['a 1', 'b 1'])
    outbox.send('a', '2')
    outbox.send('a', '3')
    outbox.send('b', '2')
    pass(7)
    expect(sent).toHaveLength(2)
    pass(1)
    expect(sent).toEqual(['a 1', 'b 1', 'a 2', 'a 3', 'b 2'])
    outbox.send('a', '4')
    expect(sent).toHaveLength(5)
    pass(8)
    expect(sent.at(-1)).toBe('a 4')
    outbox.close()
  })

  test('that was quiet for a window sends immediately again', () => {
    const { outbox, sent } = setUp()
    outbox.send('a', '1')
    pass(8)
    outbox.send('a', '2')
    expect(sent).toEqual(['a 1', 'a 2'])
    outbox.close()
  })

  test('sends replies with its next broadcast, or at the end of the window without one', () => {
    const { outbox, sent } = setUp()
    const recipient = { push: (text: string) => sent.push(`reply ${text}`) }
    outbox.reply('a', recipient, 'at once')
    outbox.send('a', '1')
    outbox.reply('a', recipient, 'with 2')
    outbox.send('a', '2')
    expect(sent).toEqual(['reply at once', 'a 1'])
    pass(8)
    expect(sent.slice(2)).toEqual(['a 2', 'reply with 2'])
    outbox.reply('a', recipient, 'alone')
    pass(8)
    expect(sent.slice(4)).toEqual(['reply alone'])
    outbox.close()
  })

  test('keeps at most 1,000 replies waiting', () => {
    const { outbox, sent } = setUp()
    outbox.send('a', '1')
    for (let n = 0; n < 1001; n++) outbox.reply('a', { push: (text) => sent.push(text) }, `${n}`)
    expect(sent).toEqual(['a 1', '1000'])
    outbox.close()
  })

  test('is flushed when the texts queued so far are sent, whatever follows', async () => {
    const { outbox, sent } = setUp()
    outbox.send('a', '1')
    await outbox.whenFlushed('a')
    outbox.send('a', '2')
    let isFlushed = false
    const flushed = outbox.whenFlushed('a').then(() => {
      isFlushed = true
    })
    await nextTurn()
    expect(isFlushed).toBe(false)
    pass(8)
    outbox.send('a', '3')
    await flushed
    expect(sent).toEqual(['a 1', 'a 2'])
    outbox.close()
  })
})

test('sends the queued messages of a player on request, each once, and leaves other topics queued', () => {
  const { outbox, sent } = setUp()
  for (const topic of ['a', 'b']) outbox.send(topic, '1')
  outbox.send('a', '2', 'joon')
  outbox.send('a', '3', 'mina')
  outbox.send('b', '2', 'joon')
  outbox.flushFor('noor')
  expect(sent).toHaveLength(2)
  outbox.flushFor('mina')
  expect(sent.slice(2)).toEqual(['a 2', 'a 3'])
  outbox.flushFor('mina')
  pass(8)
  expect(sent.slice(2)).toEqual(['a 2', 'a 3', 'b 2'])
  outbox.close()
})

describe('the window', () => {
  test.each([
    [0, 8],
    [10, 8],
    [20, 58],
    [1000, 250],
  ])('with %d ms of lag is %d ms', (lagMs, windowMs) => {
    const { outbox, loop, sent } = setUp()
    loop.lagMs = lagMs
    expect(outbox.windowMs).toBe(windowMs)
    outbox.send('a', '1')
    outbox.send('a', '2')
    pass(windowMs - 1)
    expect(sent).toEqual(['a 1'])
    // Windows are checked every 8 ms.
    pass(9)
    expect(sent).toEqual(['a 1', 'a 2'])
    outbox.close()
  })

  test('narrows when the lag is gone', () => {
    const { outbox, loop, sent } = setUp()
    loop.lagMs = 1000
    outbox.send('a', '1')
    loop.lagMs = 0
    outbox.send('a', '2')
    pass(260)
    outbox.send('a', '3')
    expect(sent).toEqual(['a 1', 'a 2'])
    pass(16)
    expect(sent).toEqual(['a 1', 'a 2', 'a 3'])
    outbox.close()
  })
})

describe('a turn of the event loop', () => {
  test('sends to about 1,500 recipients, and the others follow in the next turns, in order', async () => {
    const { outbox, sent } = setUp(500)
    const topics = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const topic of topics) outbox.send(topic, '1')
    outbox.send('e', '2')
    expect(sent).toEqual(['a 1', 'b 1', 'c 1'])
    await nextTurn()
    expect(sent.slice(3)).toEqual(['d 1', 'e 1', 'e 2', 'f 1'])
    await nextTurn()
    expect(sent.slice(7)).toEqual(['g 1'])
    outbox.close()
  })

  test('has no limit for the messages of a banned player', () => {
    const { outbox, sent } = setUp(500)
    for (const topic of ['a', 'b', 'c', 'd', 'e']) outbox.send(topic, '1', 'mina')
    outbox.flushFor('mina')
    expect(sent).toEqual(['a 1', 'b 1', 'c 1', 'd 1', 'e 1'])
    outbox.close()
  })

  test('is flushed for a topic that waits for the next turn once that was sent', async () => {
    const { outbox, sent } = setUp(1500)
    for (const topic of ['a', 'b']) outbox.send(topic, '1')
    await outbox.whenFlushed('b')
    expect(sent).toEqual(['a 1', 'b 1'])
    outbox.close()
  })
})

test('resolves what waits for a flush when it is closed', async () => {
  const { outbox, sent } = setUp()
  for (const text of ['1', '2']) outbox.send('a', text)
  const flushed = outbox.whenFlushed('a')
  outbox.close()
  await flushed
  pass(1000)
  expect(sent).toEqual(['a 1'])
})

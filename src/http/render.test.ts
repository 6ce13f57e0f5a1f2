import { expect, test } from 'bun:test'
import { groupList } from './channels/wire.ts'
import { renderSlices } from './render.ts'
import { Turns } from './turns.ts'

async function* slicesOf(...slices: readonly (readonly string[] | Error)[]) {
  for (const slice of slices) {
    if (slice instanceof Error) throw slice
    yield slice
  }
}
const render = (slices: AsyncGenerator<readonly string[]>, limit?: number) =>
  renderSlices(groupList, slices, { limit, turns: new Turns() })

const textOf = async (result: Awaited<ReturnType<typeof render>>) =>
  'body' in result ? result.body : (await Array.fromAsync(result.stream)).join('')

test.each([
  [[], []],
  [[[]], []],
  [
    [[], ['a'], [], ['b']],
    ['a', 'b'],
  ],
  [[['a', 'b']], ['a', 'b']],
  [
    [['a', 'b'], []],
    ['a', 'b'],
  ],
  [
    [['a', 'b'], ['c', 'd'], ['e']],
    ['a', 'b', 'c', 'd', 'e'],
  ],
])('renders the slices %j as one array', async (slices, items) => {
  expect(JSON.parse(await textOf(await render(slicesOf(...slices))))).toEqual(items)
})

test('a list of one slice is a plain body, a longer one a stream', async () => {
  expect(await render(slicesOf(['a']))).toEqual({ body: '["a"]', next: undefined })
  expect(await render(slicesOf(['a'], ['b']))).toHaveProperty('stream')
})

test('a page ends after its limit and has a cursor if there are more items', async () => {
  const page = await render(slicesOf(['a', 'b'], ['c', 'd']), 3)
  expect(page).toEqual({ body: '["a","b","c"]', next: ['groups', 'c'] })
  expect(await render(slicesOf(['a', 'b']), 2)).toEqual({ body: '["a","b"]', next: undefined })
})

test('rejects when the first slice cannot be read', async () => {
  await expect(render(slicesOf(new Error('down')))).rejects.toThrow('down')
})

test('throws in the stream when a later slice cannot be read', async () => {
  const result = await render(slicesOf(['a'], ['b'], new Error('down')))
  await expect(textOf(result)).rejects.toThrow('down')
})

test('releases the source when the client leaves', async () => {
  let isReleased = false
  async function* source() {
    try {
      for (;;) yield ['a']
    } finally {
      isReleased = true
    }
  }
  const result = await render(source())
  if (!('stream' in result)) throw new Error('not a stream')
  for await (const chunk of result.stream) if (chunk === ',"a"') break
  expect(isReleased).toBe(true)
})

test('lists that are streamed at the same time read their slices in different turns of the event loop', async () => {
  let turn = 0
  const reads: number[] = []
  async function* source() {
    for (let slice = 0; slice < 5; slice++) {
      reads.push(turn)
      yield ['a']
    }
  }
  const turns = new Turns()
  let isDone = false
  const lists = Array.from({ length: 10 }, async () =>
    textOf(await renderSlices(groupList, source(), { turns })),
  )
  const all = Promise.all(lists).finally(() => {
    isDone = true
  })
  while (!isDone) {
    turn++
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  expect(await all).toEqual(Array(10).fill('["a","a","a","a","a"]'))
  expect(new Set(reads).size).toBe(50)
})

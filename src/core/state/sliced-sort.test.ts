import { expect, spyOn, test } from 'bun:test'
import { sortInSlices } from './sliced-sort.ts'

const byValue = (a: { value: number }, b: { value: number }) => a.value - b.value

test.each([0, 1, 2, 4096, 4097, 30_000])('sorts %d items like the built-in sort', async (length) => {
  const items = Array.from({ length }, (_, index) => ({ value: (index * 7919) % 1009, index }))
  expect(await sortInSlices(items, byValue)).toEqual(items.toSorted(byValue))
})

test('yields to the event loop', async () => {
  const items = Array.from({ length: 300_000 }, (_, index) => ({ value: (index * 7919) % 300_007 }))
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await sortInSlices(items, byValue)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(1)
})

test('yields between merges of items that are in order already', async () => {
  // Every look at the clock finds the slice over.
  let time = 0
  using _clock = spyOn(performance, 'now').mockImplementation(() => time++ * 1000)
  using yields = spyOn(globalThis, 'setImmediate')
  const runs = 64
  const items = Array.from({ length: runs * 4096 }, (_, value) => ({ value }))
  expect(await sortInSlices(items, byValue)).toEqual(items)
  const merges = runs - 1
  expect(yields.mock.calls.length).toBeGreaterThanOrEqual(runs + merges)
})

import { describe, expect, test } from 'bun:test'
import { Batcher, type BatcherOptions } from './batcher.ts'

/** A batcher whose batches complete when the test says so, with each call doubled. */
function createBatcher(options: Partial<BatcherOptions<number, number>> = {}) {
  const batches: { readonly calls: readonly number[]; readonly end: (error?: Error) => void }[] = []
  const batcher = new Batcher<number, number>({
    run: (calls) => {
      const { promise, resolve, reject } = Promise.withResolvers<number[]>()
      const end = (error?: Error) => (error ? reject(error) : resolve(calls.map((call) => call * 2)))
      batches.push({ calls, end })
      return promise
    },
    maxQueued: 100,
    maxBatch: 100,
    ...options,
  })
  return { batcher, batches, started: () => batches.map(({ calls }) => calls) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const kindOf = ({ kind }: { kind: string }) => kind

describe('Batcher', () => {
  test('runs calls of the same turn together, and resolves each with its result', async () => {
    const { batcher, batches, started } = createBatcher()
    const results = Promise.all([1, 2, 3].map((call) => batcher.run(call)))
    await turn()
    expect(started()).toEqual([[1, 2, 3]])
    batches[0]?.end()
    expect(await results).toEqual([2, 4, 6])
  })

  test('runs two batches at a time; later calls share the next one', async () => {
    const { batcher, batches, started } = createBatcher()
    const results = [1, 2, 3, 4].map(async (call) => {
      for (let turns = 1; turns < call; turns++) await turn()
      return batcher.run(call)
    })
    for (let turns = 0; turns < 6; turns++) await turn()
    expect(started()).toEqual([[1], [2]])
    batches[0]?.end()
    await turn()
    expect(started()).toEqual([[1], [2], [3, 4]])
    for (const { end } of batches) end()
    expect(await Promise.all(results)).toEqual([2, 4, 6, 8])
  })

  test('limits the size of a batch', async () => {
    const { batcher, batches, started } = createBatcher({ maxBatch: 2 })
    const results = Promise.all([1, 2, 3, 4, 5].map((call) => batcher.run(call)))
    for (let turns = 0; turns < 3; turns++) await turn()
    expect(started()).toEqual([
      [1, 2],
      [3, 4],
    ])
    batches[1]?.end()
    await turn()
    expect(started()[2]).toEqual([5])
    for (const { end } of batches) end()
    expect(await results).toEqual([2, 4, 6, 8, 10])
  })

  test('rejects calls in excess of the queue, and accepts calls again when it shrinks', async () => {
    const { batcher, batches } = createBatcher({ maxQueued: 2 })
    const first = [batcher.run(1), batcher.run(2)]
    expect(await batcher.run(3).catch(kindOf)).toBe('unavailable')
    await turn()
    first.push(batcher.run(4))
    await turn()
    for (const { end } of batches) end()
    expect(await Promise.all(first)).toEqual([2, 4, 8])
  })

  test('rejects the calls of a batch that fails, and runs the next one', async () => {
    const { batcher, batches } = createBatcher()
    const failed = Promise.allSettled([batcher.run(1), batcher.run(2)])
    await turn()
    const next = batcher.run(3)
    await turn()
    const error = new Error('disk')
    batches[0]?.end(error)
    expect(await failed).toMatchObject(Array(2).fill({ status: 'rejected', reason: error }))
    batches[1]?.end()
    expect(await next).toBe(6)
  })

  test('rejects all calls of a batch that returns too few results', async () => {
    const { batcher } = createBatcher({ run: async () => [1] })
    const outcomes = await Promise.allSettled([batcher.run(1), batcher.run(2)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  test('counts calls that are queued or in flight, and tells when there are none', async () => {
    const { batcher, batches } = createBatcher({ maxBatch: 1 })
    const results = [1, 2, 3].map((call) => batcher.run(call))
    await turn()
    expect(batcher.length).toBe(3)
    let isIdle = false
    const idle = batcher.whenIdle().then(() => {
      isIdle = true
    })
    for (let index = 0; index < 3; index++) {
      expect(isIdle).toBe(false)
      while (batches[index] === undefined) await turn()
      batches[index]?.end()
      await results[index]
    }
    await idle
    expect(batcher.length).toBe(0)
    await batcher.whenIdle()
  })

  test('reports the size of each batch', async () => {
    const observed: number[] = []
    const { batcher, batches } = createBatcher({ observe: ({ calls }) => observed.push(calls) })
    const results = Promise.all([1, 2].map((call) => batcher.run(call)))
    await turn()
    batches[0]?.end()
    await results
    expect(observed).toEqual([2])
  })
})

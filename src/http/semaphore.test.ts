import { expect, test } from 'bun:test'
import { Semaphore } from './semaphore.ts'

const stateOf = (work: Promise<void>) => {
  const state = { is: 'queued' }
  work.then(
    () => Object.assign(state, { is: 'held' }),
    ({ kind }) => Object.assign(state, { is: kind }),
  )
  return state
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('grants permits up to the limit, queues in order, and rejects when the queue is full', async () => {
  const semaphore = new Semaphore({ permits: 2, maxQueued: 2 })
  const permits = Array.from({ length: 6 }, () => semaphore.permit())
  const states = permits.map((permit) => stateOf(permit.acquire()))
  const now = async () => {
    await turn()
    return states.map(({ is }) => is).join(' ')
  }
  expect(await now()).toBe('held held queued queued unavailable unavailable')
  permits[1]?.[Symbol.dispose]()
  expect(await now()).toBe('held held held queued unavailable unavailable')
  permits[1]?.[Symbol.dispose]()
  permits[5]?.[Symbol.dispose]()
  expect(await now()).toBe('held held held queued unavailable unavailable')
  permits[0]?.[Symbol.dispose]()
  expect(await now()).toBe('held held held held unavailable unavailable')
})

test('a released permit can be acquired again', async () => {
  const semaphore = new Semaphore({ permits: 1, maxQueued: 0 })
  for (let round = 0; round < 3; round++) {
    using permit = semaphore.permit()
    await permit.acquire()
    await permit.acquire()
  }
})

import { expect, test } from 'bun:test'
import { Semaphore } from './semaphore.ts'

const seen = (work: Promise<void>) => {
  const outcome = { is: 'waits' }
  work.then(
    () => Object.assign(outcome, { is: 'in' }),
    ({ kind }) => Object.assign(outcome, { is: kind }),
  )
  return outcome
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('lets so many in, so many wait in order, and refuses the rest', async () => {
  const semaphore = new Semaphore({ permits: 2, maxQueued: 2 })
  const permits = Array.from({ length: 6 }, () => semaphore.permit())
  const outcomes = permits.map((permit) => seen(permit.acquire()))
  const now = async () => {
    await turn()
    return outcomes.map(({ is }) => is).join(' ')
  }
  expect(await now()).toBe('in in waits waits unavailable unavailable')
  permits[1]?.[Symbol.dispose]()
  expect(await now()).toBe('in in in waits unavailable unavailable')
  permits[1]?.[Symbol.dispose]()
  permits[5]?.[Symbol.dispose]()
  expect(await now()).toBe('in in in waits unavailable unavailable')
  permits[0]?.[Symbol.dispose]()
  expect(await now()).toBe('in in in in unavailable unavailable')
})

test('a permit that is free again is free for the next', async () => {
  const semaphore = new Semaphore({ permits: 1, maxQueued: 0 })
  for (let round = 0; round < 3; round++) {
    using permit = semaphore.permit()
    await permit.acquire()
    await permit.acquire()
  }
})

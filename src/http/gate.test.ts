import { expect, test } from 'bun:test'
import { Gate } from './gate.ts'

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
  const gate = new Gate({ places: 2, maxWaiting: 2 })
  const places = Array.from({ length: 6 }, () => gate.place())
  const outcomes = places.map((place) => seen(place.take()))
  const now = async () => {
    await turn()
    return outcomes.map(({ is }) => is).join(' ')
  }
  expect(await now()).toBe('in in waits waits unavailable unavailable')
  places[1]?.[Symbol.dispose]()
  expect(await now()).toBe('in in in waits unavailable unavailable')
  places[1]?.[Symbol.dispose]()
  places[5]?.[Symbol.dispose]()
  expect(await now()).toBe('in in in waits unavailable unavailable')
  places[0]?.[Symbol.dispose]()
  expect(await now()).toBe('in in in in unavailable unavailable')
})

test('a place that is free again is free for the next', async () => {
  const gate = new Gate({ places: 1, maxWaiting: 0 })
  for (let round = 0; round < 3; round++) {
    using place = gate.place()
    await place.take()
    await place.take()
  }
})

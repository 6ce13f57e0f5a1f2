import { expect, test } from 'bun:test'
import { FrameTurns } from './frame-turns.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

function setUp() {
  const state = { now: 0 }
  const turns = new FrameTurns(() => state.now)
  const handled: number[] = []
  let entered = 0
  const enter = (count: number) => {
    for (let n = 0; n < count; n++) {
      const frame = entered++
      const turn = turns.enter()
      if (turn === undefined) handled.push(frame)
      else void turn.then(() => handled.push(frame))
    }
  }
  return { turns, state, handled, enter }
}

test('handles frames immediately while a turn has room', async () => {
  const { turns, handled, enter } = setUp()
  for (let turn = 0; turn < 10; turn++) {
    enter(100)
    expect(handled.length).toBe((turn + 1) * 100)
    await nextTurn()
  }
  expect(turns.delayMs).toBe(0)
})

test('handles the others in the next turn, in the order of arrival', async () => {
  const { turns, state, handled, enter } = setUp()
  enter(300)
  expect(handled.length).toBe(128)
  state.now = 40
  expect(turns.delayMs).toBe(40)
  enter(1)
  await nextTurn()
  expect(handled).toEqual(Array.from({ length: 301 }, (_, n) => n))
  expect(turns.delayMs).toBe(0)
  enter(1)
  expect(handled.length).toBe(302)
})

test('is overloaded when the backlog takes over 250 ms at the usual rate', async () => {
  const { turns, handled, enter } = setUp()
  enter(128 + 2500)
  expect(turns.isOverloaded).toBe(false)
  enter(1)
  expect(turns.isOverloaded).toBe(true)
  while (handled.length < 128 + 2501) await nextTurn()
  expect(turns.isOverloaded).toBe(false)
})

test('is overloaded by a smaller backlog when frames take long, until it is gone', async () => {
  const { turns, state, enter } = setUp()
  enter(128)
  let handled = 0
  for (let n = 0; n < 1000; n++)
    void turns.enter()?.then(() => {
      handled++
      state.now += 2
    })
  expect(turns.isOverloaded).toBe(false)
  while (handled < 400) await nextTurn()
  expect(turns.isOverloaded).toBe(true)
  while (handled < 1000) await nextTurn()
  expect(turns.isOverloaded).toBe(false)
  // The next backlog is judged by the usual rate again.
  enter(2500)
  expect(turns.isOverloaded).toBe(false)
})

test('ends a turn after 12 ms, and lets no later frame overtake those that wait', async () => {
  const { turns, state, handled, enter } = setUp()
  enter(128)
  for (let n = 0; n < 100; n++)
    void turns.enter()?.then(() => {
      handled.push(128 + n)
      state.now++
    })
  await nextTurn()
  // The clock is read after every 16 frames, each of which takes a millisecond.
  expect(handled.length).toBe(128 + 16)
  const late = turns.enter()
  expect(late).toBeInstanceOf(Promise)
  await late
  expect(handled.length).toBe(228)
})

test('ends a turn after 12 ms also if frames await promises before their expensive part', async () => {
  const { turns, state, enter } = setUp()
  enter(128)
  let handled = 0
  const handle = async () => {
    await turns.enter()
    for (let step = 0; step < 6; step++) await Promise.resolve()
    handled++
    state.now++
  }
  for (let n = 0; n < 200; n++) void handle()
  await nextTurn()
  expect(handled).toBe(16)
  while (handled < 200) await nextTurn()
})

test('counts expensive frames several times', async () => {
  const { turns, handled, enter } = setUp()
  for (let n = 0; n < 64; n++) {
    enter(1)
    turns.charge(2)
  }
  expect(handled.length).toBe(43)
  await nextTurn()
  expect(handled.length).toBe(64)
})

test('loses no frame in a long backlog, and keeps none that was handled', async () => {
  const { turns, handled, enter } = setUp()
  for (let round = 0; round < 50; round++) {
    enter(200)
    await nextTurn()
  }
  while (handled.length < 10_000) await nextTurn()
  expect(handled).toEqual(Array.from({ length: 10_000 }, (_, n) => n))
  await nextTurn()
  expect(turns.size).toBe(0)
})

import { expect, test } from 'bun:test'
import { Turns } from './turns.ts'

test('gives one caller per turn of the event loop its turn, in order', async () => {
  const turns = new Turns()
  let turn = 0
  const given: [caller: string, turn: number][] = []
  const call = async (caller: string) => {
    await turns.next()
    given.push([caller, turn])
  }
  const calls = ['a', 'b', 'c'].map(call)
  while (given.length < 3) {
    turn++
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  await Promise.all(calls)
  expect(given.map(([caller]) => caller)).toEqual(['a', 'b', 'c'])
  expect(new Set(given.map(([, at]) => at)).size).toBe(3)
  await call('d')
  expect(given.at(-1)?.[0]).toBe('d')
})

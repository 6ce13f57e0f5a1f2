import { expect, test } from 'bun:test'
import { MessageIds } from './message-ids.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids are UUIDs of version 7 that start with the time', () => {
  const id = new MessageIds().next(0x0123456789ab)
  expect(id).toMatch(UUID_V7)
  expect(id).toStartWith('01234567-89ab-7000-')
})

test('ids ascend within a millisecond, when a millisecond is full, and when the clock is set back', () => {
  const ids = new MessageIds()
  const made = [5000, 4000, 5001, 4999].flatMap((at) => Array.from({ length: 5000 }, () => ids.next(at)))
  expect(made.filter((id) => !UUID_V7.test(id))).toEqual([])
  expect(made.toSorted()).toEqual(made)
  expect(new Set(made).size).toBe(made.length)
})

test('two processes do not generate the same ids', () => {
  const [one, other] = [new MessageIds(), new MessageIds()]
  expect(one.next(1)).not.toBe(other.next(1))
})

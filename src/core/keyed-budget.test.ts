import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { KeyedBudget } from './keyed-budget.ts'

describe('a budget', () => {
  let now: number
  beforeEach(() => {
    now = 1000
  })
  const open = (count: number, windowMs: number, maxKeys?: number) =>
    new KeyedBudget({ count, windowMs }, () => now, maxKeys)

  test('lets so many pass within the time, then says how long to wait', () => {
    const budget = open(2, 100)
    expect([budget.spend('a'), budget.spend('a'), budget.spend('a')]).toEqual([0, 0, 100])
    now += 99
    expect(budget.spend('a')).toBe(1)
    now += 1
    expect([budget.spend('a'), budget.spend('a'), budget.spend('a')]).toEqual([0, 0, 100])
  })

  test('of one key is not spent by another', () => {
    const budget = open(1, 100)
    expect([budget.spend('a'), budget.spend('b'), budget.spend('a')]).toEqual([0, 0, 100])
  })

  test('is not spent by asking, nor by a refusal', () => {
    const budget = open(1, 100)
    expect([budget.waitMs('a'), budget.waitMs('a'), budget.spend('a')]).toEqual([0, 0, 0])
    now += 50
    expect([budget.waitMs('a'), budget.spend('a')]).toEqual([50, 50])
    now += 50
    expect(budget.waitMs('a')).toBe(0)
  })

  test('is never exceeded in any window, whatever the times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 200 }), (steps) => {
        const budget = open(3, 100)
        const passed: number[] = []
        for (const step of steps) {
          now += step
          if (budget.spend('a') === 0) passed.push(now)
        }
        for (const start of passed)
          expect(passed.filter((at) => at >= start && at < start + 100).length).toBeLessThanOrEqual(3)
      }),
    )
  })

  test('forgets a key when it can refuse nothing any more', () => {
    const budget = open(5, 100)
    for (let key = 0; key < 1000; key++) budget.spend(`key ${key}`)
    expect(budget.size).toBe(1000)
    now += 100
    budget.spend('another')
    expect(budget.size).toBe(1)
  })

  test('keeps at most so many keys, and forgets the quietest first', () => {
    const budget = open(2, 100, 3)
    for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) budget.spend(key)
    now += 50
    for (const key of ['d', 'd']) budget.spend(key)
    expect(budget.size).toBe(3)
    // All were spent, but the one that is forgotten.
    expect(['a', 'b', 'c', 'd'].map((key) => budget.waitMs(key))).toEqual([50, 0, 50, 100])
  })
})

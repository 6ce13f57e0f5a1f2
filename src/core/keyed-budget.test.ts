import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { KeyedBudget } from './keyed-budget.ts'

describe('KeyedBudget', () => {
  let now: number
  beforeEach(() => {
    now = 1000
  })
  const open = (count: number, windowMs: number, maxKeys?: number) =>
    new KeyedBudget({ count, windowMs }, () => now, maxKeys)

  test('allows `count` uses within the window, then returns the time to wait', () => {
    const budget = open(2, 100)
    expect([budget.spend('a'), budget.spend('a'), budget.spend('a')]).toEqual([0, 0, 100])
    now += 99
    expect(budget.spend('a')).toBe(1)
    now += 1
    expect([budget.spend('a'), budget.spend('a'), budget.spend('a')]).toEqual([0, 0, 100])
  })

  test('limits each key separately', () => {
    const budget = open(1, 100)
    expect([budget.spend('a'), budget.spend('b'), budget.spend('a')]).toEqual([0, 0, 100])
  })

  test('is not used up by queries or rejections', () => {
    const budget = open(1, 100)
    expect([budget.waitMs('a'), budget.waitMs('a'), budget.spend('a')]).toEqual([0, 0, 0])
    now += 50
    expect([budget.waitMs('a'), budget.spend('a')]).toEqual([50, 50])
    now += 50
    expect(budget.waitMs('a')).toBe(0)
  })

  test('is never exceeded in any window', () => {
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
      { numRuns: 2000 },
    )
  })

  test('evicts keys whose window has passed', () => {
    const budget = open(5, 100)
    for (let key = 0; key < 1000; key++) budget.spend(`key ${key}`)
    expect(budget.size).toBe(1000)
    now += 100
    budget.spend('another')
    expect(budget.size).toBe(1)
  })

  test('evicts the least recently used key above `maxKeys`', () => {
    const budget = open(2, 100, 3)
    for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) budget.spend(key)
    now += 50
    for (const key of ['d', 'd']) budget.spend(key)
    expect(budget.size).toBe(3)
    // Every key is exhausted except the evicted one.
    expect(['a', 'b', 'c', 'd'].map((key) => budget.waitMs(key))).toEqual([50, 0, 50, 100])
  })
})

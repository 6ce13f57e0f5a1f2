import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SortedList } from './sorted-list.ts'

interface Item {
  readonly key: number
  readonly value: number
}

const create = () => new SortedList<Pick<Item, 'key'>, Item>((a, b) => a.key - b.key)
const item = (key: number, value = 0): Item => ({ key, value })

/** Enough keys for several blocks. */
const key = fc.integer({ min: 0, max: 3000 })

describe('SortedList', () => {
  test('behaves like a map with sorted keys under random insertions and deletions', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('set', 'set', 'delete'), key), { maxLength: 4000, size: 'max' }),
        key,
        fc.integer({ min: 0, max: 1500 }),
        (steps, from, limit) => {
          const [list, map] = [create(), new Map<number, Item>()]
          for (const [index, [step, at]] of steps.entries()) {
            if (step === 'set') {
              list.set(item(at, index))
              map.set(at, item(at, index))
            } else {
              expect(list.delete({ key: at })).toEqual(map.get(at))
              map.delete(at)
            }
          }
          const sorted = [...map.values()].sort((a, b) => a.key - b.key)
          expect(list.size).toBe(map.size)
          expect(list.first()).toEqual(sorted[0])
          expect([...list.ascendingFrom()]).toEqual(sorted)
          expect(list.toArray()).toEqual(sorted)
          expect([...list.descendingBefore()]).toEqual(sorted.toReversed())
          expect([...list.ascendingFrom({ key: from })]).toEqual(sorted.filter((each) => each.key >= from))
          expect([...list.descendingBefore({ key: from })]).toEqual(
            sorted.filter((each) => each.key < from).toReversed(),
          )
          expect(list.page({ key: from }, limit)).toEqual(
            sorted.filter((each) => each.key >= from).slice(0, limit),
          )
          expect(list.get({ key: from })).toEqual(map.get(from))
        },
      ),
      { numRuns: 60 },
    )
  })

  const keys = Array.from({ length: 5000 }, (_, index) => index)

  test('a snapshot stays as it was when items are inserted, replaced and deleted', () => {
    const list = create()
    list.load(keys.map((each) => item(each)))
    const before = list.snapshot()
    for (let each = 0; each < 3000; each += 2) list.delete({ key: each })
    for (let each = 3000; each < 6000; each += 3) list.set(item(each, 1))
    expect(before.flat().length).toBe(5000)
    expect(before.flat().every(({ key: each, value }, index) => each === index && value === 0)).toBe(true)
    expect(list.snapshot().flat()).toEqual(list.toArray())
  })
  test.each([
    ['from the first one on', keys],
    ['from the last one on', keys.toReversed()],
    ['everywhere', keys.toSorted((a, b) => ((a * 2707) % 5003) - ((b * 2707) % 5003))],
  ])('loses no other item when items are deleted %s', (_, order) => {
    const list = create()
    list.load(keys.map((each) => item(each)))
    const kept = keys.filter((each) => each % 100 === 50)
    for (const each of order) if (!kept.includes(each)) list.delete({ key: each })
    expect(Array.from(list.ascendingFrom(), ({ key: each }) => each)).toEqual(kept)
    expect(Array.from(list.descendingBefore(), ({ key: each }) => each)).toEqual(kept.toReversed())
    for (const [index, each] of kept.entries()) {
      expect([list.first()?.key, list.size]).toEqual([each, kept.length - index])
      list.delete({ key: each })
    }
    expect([list.first(), list.size]).toEqual([undefined, 0])
  })

  test('always knows the first item while items are deleted from the start', () => {
    const list = create()
    list.load(keys.map((each) => item(each)))
    for (const each of keys) {
      expect(list.first()).toEqual(item(each))
      list.delete({ key: each })
    }
    expect(list.first()).toBeUndefined()
  })

  test('replaces all items on load', () => {
    const list = create()
    for (let index = 0; index < 2000; index++) list.set(item(index))
    list.load([item(3), item(7)])
    expect([[...list.ascendingFrom()], list.size, list.get({ key: 5 })]).toEqual([
      [item(3), item(7)],
      2,
      undefined,
    ])
  })
})

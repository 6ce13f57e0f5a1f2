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
        (steps, from) => {
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
          expect([...list.descendingBefore()]).toEqual(sorted.toReversed())
          expect([...list.ascendingFrom({ key: from })]).toEqual(sorted.filter((each) => each.key >= from))
          expect([...list.descendingBefore({ key: from })]).toEqual(
            sorted.filter((each) => each.key < from).toReversed(),
          )
          expect(list.get({ key: from })).toEqual(map.get(from))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('keeps its order when most items are deleted', () => {
    const list = create()
    list.load(Array.from({ length: 5000 }, (_, index) => item(index)))
    for (let index = 0; index < 5000; index++) if (index % 100 !== 0) list.delete({ key: index })
    expect(Array.from(list.ascendingFrom(), ({ key: each }) => each)).toEqual(
      Array.from({ length: 50 }, (_, index) => index * 100),
    )
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

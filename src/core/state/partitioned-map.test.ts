import { expect, test } from 'bun:test'
import { PartitionedMap } from './partitioned-map.ts'

test('PartitionedMap behaves like a map', () => {
  const map = new PartitionedMap<number>()
  const reference = new Map<string, number>()
  for (let step = 0; step < 20_000; step++) {
    const key = `player-${(step * 7919) % 3001}`
    if (step % 3 === 0) {
      map.delete(key)
      reference.delete(key)
    } else {
      map.set(key, step)
      reference.set(key, step)
    }
    expect(map.size).toBe(reference.size)
  }
  for (let id = 0; id < 3001; id++) expect(map.get(`player-${id}`)).toBe(reference.get(`player-${id}`))
})

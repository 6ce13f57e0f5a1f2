/** Where `key` stands in the sorted `items`, or where it would be inserted. */
export function sortedIndex<T>(items: readonly T[], key: string, keyOf: (item: T) => string): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && keyOf(item) < key) low = middle + 1
    else high = middle
  }
  return low
}

/** Puts `item` in its place, instead of the one with the same key where there is one. */
export function setSorted<T>(items: T[], item: T, keyOf: (item: T) => string): void {
  const key = keyOf(item)
  const index = sortedIndex(items, key, keyOf)
  const there = items[index]
  items.splice(index, there !== undefined && keyOf(there) === key ? 1 : 0, item)
}

export function deleteSorted<T>(items: T[], key: string, keyOf: (item: T) => string): void {
  const index = sortedIndex(items, key, keyOf)
  const there = items[index]
  if (there !== undefined && keyOf(there) === key) items.splice(index, 1)
}

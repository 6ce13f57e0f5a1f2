import { TimeSlice } from '../time-slice.ts'

/** Small enough to be sorted within one slice. */
const RUN_ITEMS = 4096

/** Sorts a copy of the items without blocking the event loop: sorted runs are merged pairwise. */
export async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const slice = new TimeSlice()
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += RUN_ITEMS) {
    runs.push(items.slice(start, start + RUN_ITEMS).sort(compare))
    if (slice.isOver) await slice.renew()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], { compare, slice }))
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<T>(
  a: readonly T[],
  b: readonly T[],
  { compare, slice }: { compare: (a: T, b: T) => number; slice: TimeSlice },
): Promise<T[]> {
  if (slice.isOver) await slice.renew()
  const [last, first] = [a.at(-1), b[0]]
  if (last === undefined || first === undefined || compare(last, first) <= 0) return a.concat(b)
  const merged: T[] = []
  let [left, right] = [0, 0]
  while (left < a.length || right < b.length) {
    const end = merged.length + RUN_ITEMS
    while (merged.length < end && (left < a.length || right < b.length)) {
      const takesLeft = right === b.length || (left < a.length && compare(a[left] as T, b[right] as T) <= 0)
      merged.push((takesLeft ? a[left++] : b[right++]) as T)
    }
    if (slice.isOver) await slice.renew()
  }
  return merged
}

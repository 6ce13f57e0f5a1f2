import { median } from '../support.ts'

/** Processes all of its texts once. The result must depend on each, so that nothing is optimized away. */
export type Pass = () => number

const WARM_MS = 400
const TURN_MS = 10

let checksum = 0

/** Nanoseconds per pass and round. Passes alternate, and every other round runs in reverse order. */
export function timeAlternately<Name extends string>(
  passes: Record<Name, Pass>,
  rounds: number,
): Record<Name, number[]> {
  const names = Object.keys(passes) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (const name of names) timePass(passes[name], WARM_MS)
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      times[name].push(timePass(passes[name], TURN_MS))
  if (Number.isNaN(checksum)) throw new Error('A pass returned no number.')
  return times
}

/** The median ratio of measurements next to each other in time. */
export const ratioOf = (above: readonly number[], below: readonly number[]) =>
  median(above.map((time, round) => time / below[round]!))

function timePass(pass: Pass, leastMs: number): number {
  const start = Bun.nanoseconds()
  const end = start + leastMs * 1e6
  let count = 0
  let now = start
  while (now < end) {
    checksum += pass()
    count++
    now = Bun.nanoseconds()
  }
  return (now - start) / count
}

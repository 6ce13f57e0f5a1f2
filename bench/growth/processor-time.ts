import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

interface ThreadTime {
  readonly name: string
  readonly userMs: number
  readonly kernelMs: number
}

/** Processor time of each thread of a process, by thread id. */
export type ThreadTimes = ReadonlyMap<string, ThreadTime>

export function threadTimes(pid: number): ThreadTimes {
  const times = new Map<string, ThreadTime>()
  for (const id of readdirSync(`/proc/${pid}/task`)) times.set(id, readThread(pid, id))
  return times
}

function readThread(pid: number, id: string): ThreadTime {
  const stat = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ')
  return {
    name: Number(id) === pid ? 'main' : stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
    userMs: Number(fields[11]) * TICK_MS,
    kernelMs: Number(fields[12]) * TICK_MS,
  }
}

/** Time that passed between two readings; threads that share a name, such as those of the collector, are added up. */
export function timeBetween(before: ThreadTimes, after: ThreadTimes): ThreadTime[] {
  const totals = new Map<string, ThreadTime>()
  for (const [id, { name, userMs, kernelMs }] of after) {
    const earlier = before.get(id) ?? { userMs: 0, kernelMs: 0 }
    const total = totals.get(name) ?? { name, userMs: 0, kernelMs: 0 }
    totals.set(name, {
      name,
      userMs: total.userMs + userMs - earlier.userMs,
      kernelMs: total.kernelMs + kernelMs - earlier.kernelMs,
    })
  }
  return [...totals.values()].sort((a, b) => totalMs(b) - totalMs(a))
}

export const totalMs = ({ userMs, kernelMs }: ThreadTime) => userMs + kernelMs

/** Microseconds per unit of work: `main 30.1 + 8.2, …` (user + kernel), without threads that took next to nothing. */
export const describeThreads = (times: readonly ThreadTime[], units: number) =>
  times
    .filter((time) => (totalMs(time) * 1000) / units >= 0.5)
    .map(({ name, userMs, kernelMs }) => `${name} ${perUnit(userMs, units)} + ${perUnit(kernelMs, units)}`)
    .join(', ')

const perUnit = (ms: number, units: number) => ((ms * 1000) / units).toFixed(1)

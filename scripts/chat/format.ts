import { ParleyError } from '../../client/src/index.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Uses the largest unit that fits, rounded up. */
export function describeDuration(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? UNITS[3]
  return plural(Math.ceil(seconds / size), unit)
}

export function describeCompany(others: number): string {
  return others === 0 ? 'alone' : `with ${plural(others, 'other player')}`
}

export function describeError(thrown: unknown): string {
  if (!(thrown instanceof ParleyError)) return thrown instanceof Error ? thrown.message : String(thrown)
  if (thrown.code === 'CHAT_BAN') return `You are banned for ${describeDuration(thrown.remainSeconds ?? 0)}.`
  const { retryAfterMs } = thrown
  const wait = retryAfterMs === undefined ? '' : ` Wait ${describeDuration(Math.ceil(retryAfterMs / 1000))}.`
  return `${thrown.message}${wait} (${thrown.code})`
}

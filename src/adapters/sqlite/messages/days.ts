import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Timestamp } from '../../../core/model.ts'

const DAY_MS = 86_400_000

/** A day in UTC, as the number of days since 1970-01-01. */
export type Day = number

export const dayOf = (at: Timestamp): Day => Math.floor(at / DAY_MS)
export const startOf = (day: Day): Timestamp => day * DAY_MS
export const endOf = (day: Day): Timestamp => startOf(day + 1)

export const dayName = (day: Day) => new Date(startOf(day)).toISOString().slice(0, 10)
export const dayPath = (folder: string, day: Day) => path.join(folder, `${dayName(day)}.db`)

const FILE_NAME = /^(\d{4}-\d{2}-\d{2})\.db$/

/** The days that have a file, newest first. */
export function listDays(folder: string): Day[] {
  const days: Day[] = []
  for (const file of readdirSync(folder)) {
    const name = FILE_NAME.exec(file)?.[1]
    const at = name === undefined ? Number.NaN : Date.parse(`${name}T00:00:00Z`)
    if (!Number.isNaN(at)) days.push(dayOf(at))
  }
  return days.sort((a, b) => b - a)
}

import type { Timestamp } from '../../../core/model.ts'
import { type Day, dayOf, startOf } from './days.ts'

/**
 * Messages are stored under a number that their id contains, so that a row needs no index by id: the millisecond of the
 * day and the counter of a UUID of version 7. Ids that share both, which a clock that was set back can generate, get
 * different slots.
 */
export interface MessageKey {
  readonly day: Day
  /** The first slot. The others follow it. */
  readonly key: number
  /** The random rest of the id. */
  readonly tail: string
}

export const SLOTS = 16
const COUNTERS = 4096
const KEYS_PER_MS = COUNTERS * SLOTS
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
/** The last millisecond of the year 9999: file names have four digits for the year. */
const LAST_TIME = 253_402_300_799_999

/** Undefined if no message of this version can have the id. */
export function keyOf(id: string): MessageKey | undefined {
  if (!UUID_7.test(id)) return undefined
  const at = timeOfId(id)
  if (at > LAST_TIME) return undefined
  const day = dayOf(at)
  const counter = Number.parseInt(id.slice(15, 18), 16)
  return { day, key: firstKeyAt(at) + counter * SLOTS, tail: id.slice(19) }
}

/** The time in a UUID of version 7. */
export const timeOfId = (id: string): Timestamp =>
  Number.parseInt(id.slice(0, 8), 16) * 65_536 + Number.parseInt(id.slice(9, 13), 16)

/** The smallest key of this millisecond, within its day. */
export const firstKeyAt = (at: Timestamp) => (at - startOf(dayOf(at))) * KEYS_PER_MS

export function idOf(day: Day, key: number, tail: string): string {
  const at = timeOf(day, key).toString(16).padStart(12, '0')
  const counter = Math.floor((key % KEYS_PER_MS) / SLOTS)
  return `${at.slice(0, 8)}-${at.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${tail}`
}

export const timeOf = (day: Day, key: number): Timestamp => startOf(day) + Math.floor(key / KEYS_PER_MS)

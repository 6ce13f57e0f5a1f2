import type { Timestamp } from '../model.ts'

/** Milliseconds. Which instant is zero, and whether time may be set, depends on the clock. */
export type Clock = () => Timestamp

/** The date, for what is shown or kept. It may be set forward or back at any time. */
export const systemClock: Clock = () => Date.now()

/** For leases, limits and everything that measures how long something takes. It never steps, and tells no date. */
export const monotonicClock: Clock = () => performance.now()

import type { Timestamp } from '../model.ts'

/** Returns milliseconds. The origin, and whether the time can be adjusted, depend on the clock. */
export type Clock = () => Timestamp

/** Wall-clock time, for timestamps that are shown or stored. Can jump forward or back at any time. */
export const systemClock: Clock = () => Date.now()

/** For leases, rate limits and durations. Never jumps, and has no relation to the date. */
export const monotonicClock: Clock = () => performance.now()

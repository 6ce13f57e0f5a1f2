import type { Timestamp } from './model.ts'

export type Clock = () => Timestamp

export const systemClock: Clock = () => Date.now()

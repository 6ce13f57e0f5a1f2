import type { Timestamp } from '../core/model.ts'

/** `YYYY-MM-DDTHH:MM:SSZ`, UTC. */
export const isoTime = (at: Timestamp) => `${new Date(at).toISOString().slice(0, 19)}Z`

/** `YYYY-MM-DD HH:MM:SS`, UTC. */
export const spacedTime = (at: Timestamp) => isoTime(at).slice(0, 19).replace('T', ' ')

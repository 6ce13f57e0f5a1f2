import type { Channel } from '../core/model.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Roster } from '../core/ports/roster.ts'

/** Creates rosters of several nodes that share their seats. */
export interface RosterHarness {
  open(clock: Clock): Promise<Roster>
  remove(): Promise<void>
}

export const channel = (changes: Partial<Channel> = {}): Channel => ({
  group: 'global',
  name: 'a',
  incarnation: 1,
  maxMembers: 2,
  isFallback: false,
  isAutoscaling: true,
  createdAt: 0,
  ...changes,
})

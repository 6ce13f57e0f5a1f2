import type { LoggedMessage, SequencedMessage, Timestamp } from '../../src/core/model.ts'

export const NOW = 1_800_000_000_000
export const DAY_MS = 86_400_000
/** The start of a day in UTC. */
export const MIDNIGHT = Math.ceil(NOW / DAY_MS) * DAY_MS

/** A message id of this time: a UUID of version 7. */
export function messageId(at: Timestamp, tail = '8000-000000000000'): string {
  const time = at.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-${tail}`
}

/** The n-th message of a channel number, sent n milliseconds after `NOW`. */
export const messageFixture = (seq: number, at: Timestamp = NOW + seq): LoggedMessage => ({
  id: messageId(at),
  shard: { group: 'global', name: 'a', incarnation: 1, number: 1 },
  player: { id: 'p', name: 'P' },
  text: `text ${seq}`,
  original: `original ${seq}`,
  language: 'ko-KR',
  hits: [],
  at,
  seq,
  epoch: 'e',
  deletedAt: undefined,
})

/** One message per day, from the day before `MIDNIGHT` on. */
export const dailyMessage = (seq: number) => messageFixture(seq, MIDNIGHT + (seq - 2) * DAY_MS + 1000)

export const seqsOf = (messages: readonly SequencedMessage[] = []) => messages.map(({ seq }) => seq)

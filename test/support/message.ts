import type { LoggedMessage, Timestamp } from '../../src/core/model.ts'

export const NOW = 1_800_000_000_000

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

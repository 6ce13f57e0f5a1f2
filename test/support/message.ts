import type { LoggedMessage } from '../../src/core/model.ts'

export const NOW = 1_800_000_000_000

/** The n-th message of a channel number, sent n milliseconds after `NOW`. */
export const messageFixture = (seq: number): LoggedMessage => ({
  id: `m${seq}`,
  shard: { group: 'global', name: 'a', incarnation: 1, number: 1 },
  player: { id: 'p', name: 'P' },
  text: `text ${seq}`,
  original: `original ${seq}`,
  language: 'ko-KR',
  hits: [],
  at: NOW + seq,
  seq,
  epoch: 'e',
  deletedAt: undefined,
})

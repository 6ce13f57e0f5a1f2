import { expect, test } from 'bun:test'
import { PresenceBatcher, type PresenceEvent } from './presence-batcher.ts'

const presenceEvent = (kind: PresenceEvent['kind'], id: string): PresenceEvent => ({
  kind,
  shard: { group: 'g', name: 'a', incarnation: 1, number: 1 },
  player: { id, name: id },
})

test('flushes each event once and drops players who joined and left within the batch', () => {
  const batcher = new PresenceBatcher()
  batcher.add('t', presenceEvent('player-joined', 'stayed'))
  batcher.add('t', presenceEvent('player-joined', 'brief'))
  batcher.add('t', presenceEvent('player-left', 'brief'))
  batcher.add('t', presenceEvent('player-left', 'left'))
  batcher.add('other', presenceEvent('player-joined', 'brief'))
  const flushed = [...batcher.flush()].map(([topic, { kind, player }]) => [topic, kind, player.id])
  expect(flushed).toEqual([
    ['t', 'player-joined', 'stayed'],
    ['t', 'player-left', 'left'],
    ['other', 'player-joined', 'brief'],
  ])
  expect([...batcher.flush()]).toEqual([])
})

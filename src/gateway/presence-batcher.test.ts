import { expect, test } from 'bun:test'
import { PresenceBatcher, type PresenceEvent } from './presence-batcher.ts'

const passage = (kind: PresenceEvent['kind'], id: string): PresenceEvent => ({
  kind,
  shard: { group: 'g', name: 'a', incarnation: 1, number: 1 },
  player: { id, name: id },
})

test('what is held is released once, without those who came and left again', () => {
  const crowd = new PresenceBatcher()
  crowd.hold('t', passage('player-joined', 'stays'))
  crowd.hold('t', passage('player-joined', 'goes'))
  crowd.hold('t', passage('player-left', 'goes'))
  crowd.hold('t', passage('player-left', 'gone'))
  crowd.hold('other', passage('player-joined', 'goes'))
  const released = [...crowd.release()].map(([topic, { kind, player }]) => [topic, kind, player.id])
  expect(released).toEqual([
    ['t', 'player-joined', 'stays'],
    ['t', 'player-left', 'gone'],
    ['other', 'player-joined', 'goes'],
  ])
  expect([...crowd.release()]).toEqual([])
})

import { describe, expect, test } from 'bun:test'
import type { SequencedMessage } from '../core/model.ts'
import { HistoryEncoder } from './frames.ts'

/** A message that counts how often its text is read. */
function createMessage(seq: number, text = `text ${seq}`) {
  const reads = { count: 0 }
  const message: SequencedMessage = {
    id: `m${seq}`,
    shard: { group: 'g', name: 'a', incarnation: 1, number: 2 },
    player: { id: 'mina', name: 'Mina' },
    get text() {
      reads.count++
      return text
    },
    original: text,
    language: 'en',
    hits: [],
    at: Date.UTC(2026, 10, 15, 3),
    seq,
    epoch: 'e',
  }
  return { message, reads }
}

describe('HistoryEncoder', () => {
  test('encodes each message once, whatever the number of players who join', () => {
    const encoder = new HistoryEncoder()
    const [first, second] = [createMessage(1, 'a "quoted" 한글'), createMessage(2)]
    const history = [first.message, second.message]
    const texts = [encoder.encode(history), encoder.encode(history), encoder.encode([second.message])]
    expect([first.reads.count, second.reads.count]).toEqual([1, 1])
    const place = { channel_group: 'g', channel_name: 'a', channel_id: 2 }
    const mina = { gamer_id: 'mina', gamer_name: 'Mina', time: '2026-11-15T03:00:00Z', system: false }
    const expected = [
      { ...place, ...mina, seq: 1, message_id: 'm1', message: 'a "quoted" 한글' },
      { ...place, ...mina, seq: 2, message_id: 'm2', message: 'text 2' },
    ]
    expect(texts.map((text) => JSON.parse(text))).toEqual([expected, expected, expected.slice(1)])
    expect(encoder.encode([])).toBe('[]')
  })

  test('keeps at most 10,000 encoded messages', () => {
    const encoder = new HistoryEncoder()
    const kept = createMessage(0)
    encoder.encode([kept.message])
    const others = Array.from({ length: 9999 }, (_, index) => createMessage(index + 1).message)
    encoder.encode(others)
    encoder.encode([kept.message])
    expect(kept.reads.count).toBe(1)
    encoder.encode([createMessage(10_000).message])
    encoder.encode([kept.message])
    expect(kept.reads.count).toBe(2)
  })
})

import { shardTopic } from '../../../core/events.ts'
import type { SequencedMessage, Shard } from '../../../core/model.ts'

export type SequenceFields = readonly [
  group: string,
  name: string,
  incarnation: number,
  number: number,
  epoch: string,
]

export type MessageFields = readonly [
  id: string,
  /** Index in the sequences of the batch. */
  sequence: number,
  seq: number,
  playerId: string | null,
  playerName: string | null,
  text: string,
  /** Null if it equals the text. */
  original: string | null,
  at: number,
  language: string | null,
  /** JSON, or null if there are none. */
  hits: string | null,
]

/** Messages on their way to the worker, in a form that is cheap to encode: channel numbers are sent once per batch. */
export interface MessageBatch {
  readonly sequences: readonly SequenceFields[]
  readonly messages: readonly MessageFields[]
}

export const sequenceFields = (
  { group, name, incarnation, number }: Shard,
  epoch: string,
): SequenceFields => [group, name, incarnation, number, epoch]

export function packMessages(messages: readonly SequencedMessage[]): MessageBatch {
  const sequences: SequenceFields[] = []
  const indexes = new Map<string, number>()
  const indexOf = (shard: Shard, epoch: string): number => {
    const name = `${epoch}\n${shardTopic(shard)}`
    const known = indexes.get(name)
    if (known !== undefined) return known
    indexes.set(name, sequences.length)
    return sequences.push(sequenceFields(shard, epoch)) - 1
  }
  return {
    sequences,
    messages: messages.map(({ id, shard, epoch, seq, player, text, original, at, language, hits }) => [
      id,
      indexOf(shard, epoch),
      seq,
      player?.id ?? null,
      player?.name ?? null,
      text,
      original === text ? null : original,
      at,
      language ?? null,
      hits.length === 0 ? null : JSON.stringify(hits),
    ]),
  }
}

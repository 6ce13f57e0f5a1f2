import type { Database } from 'bun:sqlite'
import { randomUUID } from 'node:crypto'
import type { Shard, Timestamp } from '../../../core/model.ts'
import type { MessageBatch, SequenceFields } from './batch.ts'
import { timeOfId } from './keys.ts'

type ShardKey = [group: string, name: string, incarnation: number, number: number]

const keyOf = ({ group, name, incarnation, number }: Shard): ShardKey => [group, name, incarnation, number]

/** Writes of the sequences. */
export function createSequenceWrites(db: Database) {
  const isSealed = db.query<{ id: string }, []>('SELECT id FROM lineage WHERE is_sealed = 1')
  const continueLineage = db.query<null, []>('UPDATE lineage SET is_sealed = 0')
  const beginLineage = db.query<null, [string]>('UPDATE lineage SET id = ?, is_sealed = 0')
  const seal = db.query<null, []>('UPDATE lineage SET is_sealed = 1')
  const put = db.query<null, [...SequenceFields, number, number, number | null]>(
    `INSERT INTO sequence (channel_group, channel_name, incarnation, number, epoch, seq, at, last_chat_at, lineage)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, (SELECT id FROM lineage))
     ON CONFLICT (channel_group, channel_name, incarnation, number) DO UPDATE SET
       lineage = excluded.lineage,
       seq = CASE epoch WHEN excluded.epoch THEN max(seq, excluded.seq) ELSE excluded.seq END,
       epoch = excluded.epoch,
       at = max(at, excluded.at),
       last_chat_at = max(ifnull(last_chat_at, excluded.last_chat_at), ifnull(excluded.last_chat_at, last_chat_at))`,
  )
  const retract = db.query<null, [string, string, number]>(
    'INSERT OR IGNORE INTO retraction (epoch, id, at) VALUES (?, ?, ?)',
  )
  const pruneSequences = db.query<null, [number]>('DELETE FROM sequence WHERE at < ?')
  const pruneRetractions = db.query<null, [number]>('DELETE FROM retraction WHERE at < ?')
  return {
    open: db.transaction((): string => {
      const sealed = isSealed.get()
      if (sealed !== null) {
        continueLineage.run()
        return sealed.id
      }
      const id = randomUUID()
      beginLineage.run(id)
      return id
    }),
    seal: (): void => void seal.run(),
    advance: db.transaction((batch: MessageBatch): void => {
      for (const { fields, seq, at, lastChatAt } of newestOf(batch)) put.run(...fields, seq, at, lastChatAt)
    }),
    retract: (epoch: string, id: string, at: Timestamp): void => void retract.run(epoch, id, at),
    /** Reads the whole table: an index by time would have to change with every message. */
    prune: db.transaction((before: Timestamp): void => {
      pruneSequences.run(before)
      pruneRetractions.run(before)
    }),
  }
}

interface NewestMessage {
  readonly fields: SequenceFields
  seq: number
  /** The time in the id, which determines the day of the message. */
  at: Timestamp
  /** When a player last sent a message. */
  lastChatAt: Timestamp | null
}

/** The last message of each sequence in a batch. */
function newestOf({ sequences, messages }: MessageBatch): readonly NewestMessage[] {
  const newest = sequences.map((fields): NewestMessage => ({ fields, seq: 0, at: 0, lastChatAt: null }))
  for (const [id, index, seq, playerId, , , , at] of messages) {
    const last = newest[index]
    if (last === undefined) continue
    last.seq = seq
    last.at = Math.max(last.at, timeOfId(id))
    if (playerId !== null) last.lastChatAt = at
  }
  return newest
}

export interface StoredSequence {
  readonly epoch: string
  readonly seq: number
  readonly at: Timestamp
}

/** Reads of the sequences. */
export function createSequenceReads(db: Database) {
  const find = db.query<StoredSequence, ShardKey>(
    `SELECT epoch, seq, at FROM sequence WHERE channel_group = ? AND channel_name = ? AND incarnation = ? AND number = ?
       AND lineage = (SELECT id FROM lineage)`,
  )
  const retracted = db.query<{ id: string }, [string, number]>(
    'SELECT id FROM retraction WHERE epoch = ? ORDER BY at DESC LIMIT ?',
  )
  const lastChatAt = db.query<{ last_chat_at: number | null }, ShardKey>(
    `SELECT last_chat_at FROM sequence WHERE channel_group = ? AND channel_name = ? AND incarnation = ? AND number = ?`,
  )
  return {
    find: (shard: Shard): StoredSequence | undefined => find.get(...keyOf(shard)) ?? undefined,
    /** The ids of the messages that were deleted last, newest last. */
    retracted: (epoch: string, limit: number): string[] =>
      retracted
        .all(epoch, limit)
        .map(({ id }) => id)
        .reverse(),
    lastChatTimes: (shards: readonly Shard[]): (Timestamp | null)[] =>
      shards.map((shard) => lastChatAt.get(...keyOf(shard))?.last_chat_at ?? null),
  }
}

import type { Database } from 'bun:sqlite'
import { randomUUID } from 'node:crypto'
import { shardTopic } from '../../../core/events.ts'
import type { SequencedMessage, Shard, Timestamp } from '../../../core/model.ts'
import type { ChannelHistory } from '../../../core/ports/bus.ts'
import type { LastChatTime, LastChatTimePage } from '../../../core/ports/message-store.ts'
import { type MessageRow, readMessage } from './rows.ts'

type ShardKey = [group: string, name: string, incarnation: number, number: number]

const keyOf = ({ group, name, incarnation, number }: Shard): ShardKey => [group, name, incarnation, number]

/** Sequence writes of the message log. `advance` runs inside the transaction of its messages. */
export function createSequenceWrites(db: Database) {
  const isSealed = db.query<{ id: string }, []>('SELECT id FROM lineage WHERE is_sealed = 1')
  const continueLineage = db.query<null, []>('UPDATE lineage SET is_sealed = 0')
  const beginLineage = db.query<null, [string]>('UPDATE lineage SET id = ?, is_sealed = 0')
  const seal = db.query<null, []>('UPDATE lineage SET is_sealed = 1')
  const put = db.query<null, [...ShardKey, string, number, number, number | null]>(
    `INSERT INTO sequence (channel_group, channel_name, incarnation, number, lineage, epoch, seq, at, last_chat_at)
       VALUES (?, ?, ?, ?, (SELECT id FROM lineage), ?, ?, ?, ?)
     ON CONFLICT (channel_group, channel_name, incarnation, number) DO UPDATE SET
       lineage = excluded.lineage,
       seq = CASE epoch WHEN excluded.epoch THEN max(seq, excluded.seq) ELSE excluded.seq END,
       epoch = excluded.epoch,
       at = max(at, excluded.at),
       last_chat_at = max(ifnull(last_chat_at, excluded.last_chat_at), ifnull(excluded.last_chat_at, last_chat_at))`,
  )
  const prune = db.query<null, [number, number]>(
    'DELETE FROM sequence WHERE rowid IN (SELECT rowid FROM sequence WHERE at < ? LIMIT ?)',
  )
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
    advance(messages: readonly SequencedMessage[]): void {
      for (const { message, lastChatAt } of newestOf(messages)) {
        put.run(...keyOf(message.shard), message.epoch, message.seq, message.at, lastChatAt ?? null)
      }
    },
    prune: (before: Timestamp, limit: number): number => prune.run(before, limit).changes,
  }
}

/** Returns the last message of each channel number, and when a player last sent one. */
function newestOf(messages: readonly SequencedMessage[]) {
  const newest = new Map<string, { message: SequencedMessage; lastChatAt: Timestamp | undefined }>()
  for (const message of messages) {
    const topic = shardTopic(message.shard)
    const lastChatAt = message.player === undefined ? newest.get(topic)?.lastChatAt : message.at
    newest.set(topic, { message, lastChatAt })
  }
  return newest.values()
}

interface SequenceRow {
  readonly epoch: string
  readonly seq: number
}

interface LastChatRow {
  readonly channel_group: string
  readonly channel_name: string
  readonly incarnation: number
  readonly number: number
  readonly last_chat_at: number
}

export function createSequenceReads(db: Database) {
  const find = db.query<SequenceRow, ShardKey>(
    `SELECT epoch, seq FROM sequence WHERE channel_group = ? AND channel_name = ? AND incarnation = ? AND number = ?
       AND lineage = (SELECT id FROM lineage)`,
  )
  const newest = db.query<MessageRow, [string, number, number]>(
    'SELECT * FROM message WHERE epoch = ? AND seq > ? AND seq <= ? ORDER BY seq DESC',
  )
  const retracted = db.query<{ id: string }, [string, number]>(
    'SELECT id FROM message WHERE epoch = ? AND deleted_at IS NOT NULL ORDER BY deleted_at DESC LIMIT ?',
  )
  const lastChatTimes = db.query<LastChatRow, [string, string, number, number, number]>(
    `SELECT channel_group, channel_name, incarnation, number, last_chat_at FROM sequence
       WHERE channel_group = ? AND (channel_name, incarnation, number) > (?, ?, ?) AND last_chat_at IS NOT NULL
       ORDER BY channel_name, incarnation, number LIMIT ?`,
  )
  return {
    readSequence: db.transaction((shard: Shard, messages: number): ChannelHistory | undefined => {
      const row = find.get(...keyOf(shard))
      if (row === null) return undefined
      const { epoch, seq } = row
      const unbroken = withoutGap(newest.all(epoch, seq - messages, seq), seq)
      return {
        epoch,
        seq,
        since: seq - unbroken.length,
        messages: unbroken
          .filter(({ deleted_at }) => deleted_at === null)
          .map(readMessage)
          .reverse(),
        retracted: retracted
          .all(epoch, messages)
          .map(({ id }) => id)
          .reverse(),
      }
    }),
    listLastChatTimes({ group, after, limit }: LastChatTimePage): LastChatTime[] {
      const { name, incarnation, number } = after ?? { name: '', incarnation: 0, number: 0 }
      return lastChatTimes.all(group, name, incarnation, number, limit).map((row) => ({
        shard: {
          group: row.channel_group,
          name: row.channel_name,
          incarnation: row.incarnation,
          number: row.number,
        },
        at: row.last_chat_at,
      }))
    },
  }
}

/** Returns the newest messages, newest first, up to the first gap. */
function withoutGap(rows: readonly MessageRow[], newestSeq: number): readonly MessageRow[] {
  const gap = rows.findIndex(({ seq }, index) => seq !== newestSeq - index)
  return gap === -1 ? rows : rows.slice(0, gap)
}

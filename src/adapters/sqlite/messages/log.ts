import type { Database } from 'bun:sqlite'
import type { LoggedMessage, SequencedMessage, Timestamp } from '../../../core/model.ts'
import type { MessagePage } from '../../../core/ports/message-store.ts'
import { readUncached } from '../database.ts'
import { type MessageRow, readMessage } from './rows.ts'
import { createSequenceReads, createSequenceWrites } from './sequences.ts'

/** Writes of the message log. Each has its own transaction. */
export function createMessageWrites(db: Database) {
  const insert = db.query<null, (string | number | null)[]>(
    `INSERT OR IGNORE INTO message (id, channel_group, channel_name, number, epoch, seq, player_id, player_name, text,
       original, at, language, hits, incarnation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const sequences = createSequenceWrites(db)
  const prune = db.query<null, [number, number]>(
    'DELETE FROM message WHERE rowid IN (SELECT rowid FROM message WHERE at < ? LIMIT ?)',
  )
  const append = db.transaction((messages: readonly SequencedMessage[]) => {
    for (const { id, shard, epoch, seq, player, text, original, at, language, hits } of messages) {
      insert.run(
        ...[id, shard.group, shard.name, shard.number, epoch, seq],
        ...[player?.id ?? null, player?.name ?? null, text, original, at],
        ...[language ?? null, JSON.stringify(hits), shard.incarnation],
      )
    }
    sequences.advance(messages)
  })
  const mark = db.query<MessageRow, [number, string]>(
    'UPDATE message SET deleted_at = ifnull(deleted_at, ?) WHERE id = ? RETURNING *',
  )
  const remove = db.transaction((id: string, at: Timestamp) => mark.get(at, id))
  return {
    appendMessages: (messages: readonly SequencedMessage[]): void => append(messages),
    deleteMessage: (id: string, at: Timestamp): LoggedMessage | undefined => readFound(remove(id, at)),
    pruneMessages: (before: Timestamp, limit: number): number =>
      Math.max(prune.run(before, limit).changes, sequences.prune(before, limit)),
    openSequences: (): string => sequences.open(),
    sealSequences: (): void => sequences.seal(),
    check: (): void => void db.query('SELECT 1').get(),
  }
}

/** Reads of the message log. */
export function createMessageReads(db: Database) {
  const find = db.query<MessageRow, [string]>('SELECT * FROM message WHERE id = ?')
  const around = db.query<MessageRow, [string, number, number]>(
    'SELECT * FROM message WHERE epoch = ? AND seq BETWEEN ? AND ? ORDER BY seq',
  )
  const newest = db.query<MessageRow, [number, number]>(
    'SELECT * FROM message WHERE at >= ? ORDER BY at DESC, id DESC LIMIT ?',
  )
  const earlier = db.query<MessageRow, [number, number, string, number]>(
    'SELECT * FROM message WHERE at >= ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?',
  )
  const count = db.query<{ messages: number }, [number, number]>(
    'SELECT count(*) AS messages FROM (SELECT 1 FROM message WHERE at >= ? LIMIT ?)',
  )
  return {
    findMessage: (id: string): LoggedMessage | undefined => readFound(find.get(id)),
    listAround: ({ epoch, seq }: SequencedMessage, each: number): LoggedMessage[] =>
      around.all(epoch, seq - each, seq + each).map(readMessage),
    listMessages({ since, before, limit }: MessagePage): LoggedMessage[] {
      const rows =
        before === undefined ? newest.all(since, limit) : earlier.all(since, before.at, before.id, limit)
      return rows.map(readMessage)
    },
    countMessages: (since: Timestamp, limit: number): number => count.get(since, limit)?.messages ?? 0,
    /** Throws if the root of a table is damaged. */
    inspect: (): void => readUncached(db.filename),
    ...createSequenceReads(db),
  }
}

const readFound = (row: MessageRow | null) => (row === null ? undefined : readMessage(row))

export type MessageWrites = ReturnType<typeof createMessageWrites>
export type MessageReads = ReturnType<typeof createMessageReads>

import type { Database } from 'bun:sqlite'
import type { SequencedMessage, Timestamp } from '../../core/model.ts'
import type { MessagePage } from '../../core/store.ts'

interface MessageRow {
  readonly id: string
  readonly channel_group: string
  readonly channel_name: string
  readonly number: number
  readonly epoch: string
  readonly seq: number
  readonly player_id: string | null
  readonly player_name: string | null
  readonly text: string
  readonly original: string
  readonly at: number
  readonly language: string | null
  readonly hits: string
}

const readMessage = (row: MessageRow): SequencedMessage => ({
  id: row.id,
  shard: { group: row.channel_group, name: row.channel_name, number: row.number },
  epoch: row.epoch,
  seq: row.seq,
  player: row.player_id === null ? undefined : { id: row.player_id, name: row.player_name ?? '' },
  text: row.text,
  original: row.original,
  at: row.at,
  language: row.language ?? undefined,
  hits: JSON.parse(row.hits),
})

/** The commands of the message log, on its own file; each commits by itself. */
export function createMessageCommands(db: Database) {
  const insert = db.query<null, (string | number | null)[]>(
    `INSERT OR IGNORE INTO message (id, channel_group, channel_name, number, epoch, seq, player_id, player_name, text,
       original, at, language, hits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
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
  const prune = db.query<null, [number, number]>(
    'DELETE FROM message WHERE rowid IN (SELECT rowid FROM message WHERE at < ? LIMIT ?)',
  )
  const append = db.transaction((messages: readonly SequencedMessage[]) => {
    for (const { id, shard, epoch, seq, player, text, original, at, language, hits } of messages) {
      insert.run(
        ...[id, shard.group, shard.name, shard.number, epoch, seq],
        ...[player?.id ?? null, player?.name ?? null, text, original, at],
        ...[language ?? null, JSON.stringify(hits)],
      )
    }
  })
  return {
    appendMessages: (messages: readonly SequencedMessage[]): void => append(messages),
    findMessage(id: string): SequencedMessage | undefined {
      const row = find.get(id)
      return row === null ? undefined : readMessage(row)
    },
    listAround: ({ epoch, seq }: SequencedMessage, each: number): SequencedMessage[] =>
      around.all(epoch, seq - each, seq + each).map(readMessage),
    listMessages({ since, before, limit }: MessagePage): SequencedMessage[] {
      const rows =
        before === undefined ? newest.all(since, limit) : earlier.all(since, before.at, before.id, limit)
      return rows.map(readMessage)
    },
    countMessages: (since: Timestamp, limit: number): number => count.get(since, limit)?.messages ?? 0,
    pruneMessages: (before: Timestamp, limit: number): number => prune.run(before, limit).changes,
  }
}

export type MessageCommands = ReturnType<typeof createMessageCommands>

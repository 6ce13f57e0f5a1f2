import type { LoggedMessage } from '../../../core/model.ts'

/** The columns that messages have in every schema. */
export interface MessageColumns {
  readonly channel_group: string
  readonly channel_name: string
  readonly number: number
  readonly incarnation: number
  readonly epoch: string
  readonly seq: number
  readonly player_id: string | null
  readonly player_name: string | null
  readonly text: string
  readonly deleted_at: number | null
  readonly language: string | null
}

export const readColumns = (row: MessageColumns): Omit<LoggedMessage, 'id' | 'original' | 'at' | 'hits'> => ({
  shard: {
    group: row.channel_group,
    name: row.channel_name,
    incarnation: row.incarnation,
    number: row.number,
  },
  epoch: row.epoch,
  seq: row.seq,
  player: row.player_id === null ? undefined : { id: row.player_id, name: row.player_name ?? '' },
  text: row.text,
  deletedAt: row.deleted_at ?? undefined,
  language: row.language ?? undefined,
})

import type { LoggedMessage } from '../../../core/model.ts'

export interface MessageRow {
  readonly id: string
  readonly channel_group: string
  readonly channel_name: string
  readonly number: number
  readonly incarnation: number
  readonly epoch: string
  readonly seq: number
  readonly player_id: string | null
  readonly player_name: string | null
  readonly text: string
  readonly original: string
  readonly at: number
  readonly deleted_at: number | null
  readonly language: string | null
  readonly hits: string
}

export const readMessage = (row: MessageRow): LoggedMessage => ({
  id: row.id,
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
  original: row.original,
  at: row.at,
  deletedAt: row.deleted_at ?? undefined,
  language: row.language ?? undefined,
  hits: JSON.parse(row.hits),
})

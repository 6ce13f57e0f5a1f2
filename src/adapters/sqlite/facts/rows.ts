import type { Ban, Channel, FilterList, FilterListKind, Report } from '../../../core/model.ts'

export interface ChannelRow {
  readonly channel_group: string
  readonly channel_name: string
  readonly max_members: number
  readonly is_fallback: number
  readonly is_autoscaling: number
  readonly created_at: number
  readonly incarnation: number
}

export const readChannel = (row: ChannelRow): Channel => ({
  group: row.channel_group,
  name: row.channel_name,
  incarnation: row.incarnation,
  maxMembers: row.max_members,
  isFallback: row.is_fallback === 1,
  isAutoscaling: row.is_autoscaling === 1,
  createdAt: row.created_at,
})

export interface BanRow {
  readonly seq: number
  readonly player_id: string
  readonly count: number
  readonly starts_at: number
  readonly ends_at: number
}

export const readBan = (row: BanRow): Ban => ({
  seq: row.seq,
  playerId: row.player_id,
  count: row.count,
  startsAt: row.starts_at,
  endsAt: row.ends_at,
})

export interface FilterRow {
  readonly kind: FilterListKind
  readonly language: string
  readonly expressions: string
  readonly expression_count: number
  readonly version: number
}

export const readFilterList = (row: FilterRow): FilterList => ({
  kind: row.kind,
  language: row.language,
  expressions: { text: row.expressions, count: row.expression_count },
})

export interface ReportRow {
  readonly id: number
  readonly reported_id: string
  readonly reported_name: string
  readonly reporter_id: string
  readonly reporter_name: string
  readonly message: string
  readonly keyword: string
  readonly reason: string
  readonly status: number
  readonly outcome: number
  readonly message_id: string
  readonly updated_at: number
  readonly created_at: number
}

export const readReport = (row: ReportRow): Report => ({
  id: row.id,
  reported: { id: row.reported_id, name: row.reported_name },
  reporter: { id: row.reporter_id, name: row.reporter_name },
  message: row.message,
  messageId: row.message_id,
  keyword: row.keyword,
  reason: row.reason,
  status: row.status,
  outcome: row.outcome,
  updatedAt: row.updated_at,
  createdAt: row.created_at,
})

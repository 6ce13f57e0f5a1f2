import type { Database } from 'bun:sqlite'
import {
  type ContextMessage,
  type NewReport,
  REPORT_OUTCOME,
  REPORT_STATUS,
  type Report,
} from '../../../core/model.ts'
import type { ReportInsertion, ReportPage, ReportQuota } from '../../../core/ports/fact-store.ts'
import { type ReportRow, readReport } from './rows.ts'

export function reportWrites(db: Database) {
  const find = prepareFind(db)
  const count = db.query<{ made: number }, [string, number]>(
    'SELECT count(*) AS made FROM report WHERE reporter_id = ? AND created_at > ?',
  )
  const insert = db.query<{ id: number }, (string | number)[]>(
    `INSERT INTO report (reported_id, reported_name, reporter_id, reporter_name, message, keyword, reason,
       status, outcome, updated_at, created_at, message_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  )
  const keepContext = db.query<null, [string, string]>('INSERT OR IGNORE INTO report_context VALUES (?, ?)')
  return {
    insertReport(report: NewReport, quota: ReportQuota): ReportInsertion {
      const { reported, reporter, message, messageId, keyword, reason, createdAt } = report
      const known = find.get(messageId, reporter.id)
      if (known !== null) return { outcome: 'known', id: known.id }
      const { made } = count.get(reporter.id, quota.since) ?? { made: 0 }
      if (made >= quota.reports) return { outcome: 'limit' }
      const row = insert.get(
        ...[reported.id, reported.name, reporter.id, reporter.name, message, keyword, reason],
        ...[REPORT_STATUS.open, REPORT_OUTCOME.none, createdAt, createdAt, messageId],
      )
      if (row === null) throw new Error('The report was not inserted.')
      keepContext.run(messageId, JSON.stringify(report.context))
      return { outcome: 'inserted', id: row.id }
    },
  }
}

export function reportReads(db: Database) {
  const find = prepareFind(db)
  const context = db.query<{ messages: string }, [string]>(
    'SELECT messages FROM report_context WHERE message_id = ?',
  )
  const list = db.query<ReportRow, [number, number]>(LIST_REPORTS)
  return {
    findReport: (reporterId: string, messageId: string): number | undefined =>
      find.get(messageId, reporterId)?.id,
    readContext: (messageId: string): ContextMessage[] =>
      JSON.parse(context.get(messageId)?.messages ?? '[]'),
    listReports: ({ before = Number.MAX_SAFE_INTEGER, limit }: ReportPage): Report[] =>
      list.all(before, limit).map(readReport),
  }
}

const prepareFind = (db: Database) =>
  db.query<{ id: number }, [messageId: string, reporterId: string]>(FIND_REPORT)

export const FIND_REPORT =
  'SELECT id FROM report WHERE message_id = ? AND reporter_id = ? ORDER BY id LIMIT 1'

/** By primary key, so that the cost of a page does not depend on the number of reports. */
export const LIST_REPORTS = 'SELECT * FROM report WHERE id < ? ORDER BY id DESC LIMIT ?'

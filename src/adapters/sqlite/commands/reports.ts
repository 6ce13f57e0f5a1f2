import type { Database } from 'bun:sqlite'
import { type NewReport, REPORT_OUTCOME, REPORT_STATUS } from '../../../core/model.ts'
import type { ReportInsertion, ReportQuota } from '../../../core/store.ts'
import { type ReportRow, readReport } from '../rows.ts'

export function reportWrites(db: Database) {
  const count = db.query<{ made: number }, [string, number]>(
    'SELECT count(*) AS made FROM report WHERE reporter_id = ? AND created_at > ?',
  )
  const insert = db.query<ReportRow, (string | number)[]>(
    `INSERT INTO report (reported_id, reported_name, reporter_id, reporter_name, message, keyword, reason,
       status, outcome, updated_at, created_at, message_id, context)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
  )
  return {
    insertReport(report: NewReport, quota: ReportQuota): ReportInsertion {
      const { reported, reporter, message, keyword, reason, createdAt } = report
      const { made } = count.get(reporter.id, quota.since) ?? { made: 0 }
      if (made >= quota.reports) return { outcome: 'limit' }
      const row = insert.get(
        ...[reported.id, reported.name, reporter.id, reporter.name, message, keyword, reason],
        ...[REPORT_STATUS.open, REPORT_OUTCOME.none, createdAt, createdAt],
        ...[report.messageId, JSON.stringify(report.context)],
      )
      if (row === null) throw new Error('The report was not inserted.')
      return { outcome: 'inserted', report: readReport(row) }
    },
  }
}

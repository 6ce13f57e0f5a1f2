import type { Database } from 'bun:sqlite'
import { type NewReport, REPORT_OUTCOME, REPORT_STATUS, type Report } from '../../../core/model.ts'
import { type ReportRow, readReport } from '../rows.ts'

export function reportWrites(db: Database) {
  const insert = db.query<ReportRow, (string | number)[]>(
    `INSERT INTO report (reported_id, reported_name, reporter_id, reporter_name, message, keyword, reason,
       status, outcome, updated_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING *`,
  )
  return {
    insertReport(report: NewReport): Report {
      const { reported, reporter, message, keyword, reason, createdAt } = report
      const row = insert.get(
        ...[reported.id, reported.name, reporter.id, reporter.name, message, keyword, reason],
        ...[REPORT_STATUS.open, REPORT_OUTCOME.none, createdAt, createdAt],
      )
      if (row === null) throw new Error('The report was not inserted.')
      return readReport(row)
    },
  }
}

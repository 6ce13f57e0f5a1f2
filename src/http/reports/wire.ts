import type { Report } from '../../core/model.ts'
import type { ListShape, Position } from '../paging.ts'
import { spacedTime } from '../times.ts'

const renderReport = (report: Report) => ({
  report_id: report.id,
  to_gamer_id: report.reported.id,
  to_gamer_name: report.reported.name,
  from_gamer_id: report.reporter.id,
  from_gamer_name: report.reporter.name,
  message: report.message,
  keyword: report.keyword,
  reason: report.reason,
  status: report.status,
  value: report.outcome,
  update_at: spacedTime(report.updatedAt),
  create_at: spacedTime(report.createdAt),
})

export const reportList: ListShape<Report> = {
  name: 'reports',
  render: (report) => [JSON.stringify(renderReport(report))],
  position: ({ id }) => [id],
  isAfter: (report, [id]) => report.id < Number(id),
  positionTypes: ['number'],
}

/** The id that the reports of the next page come before. */
export const readReportPosition = (position: Position | undefined) =>
  position?.[0] === undefined ? undefined : Number(position[0])

import { NO_INPUT } from '../input-fields.ts'
import { type Operation, type OperationDependencies, operation } from '../operation.ts'
import { startOf } from '../paging.ts'
import { renderSlices } from '../render.ts'
import { report } from './schemas.ts'
import { readReportPosition, reportList } from './wire.ts'

const EXAMPLE_REPORT = {
  report_id: 1,
  to_gamer_id: '1234',
  to_gamer_name: 'Mina',
  from_gamer_id: '5678',
  from_gamer_name: 'Joon',
  message: 'the reported words',
  keyword: 'INAPPROPRIATE',
  reason: 'said it twice',
  status: 1,
  value: 0,
  update_at: '2026-11-15 03:14:00',
  create_at: '2026-11-15 03:14:00',
}

export const reportOperations = ({ turns }: OperationDependencies): readonly Operation[] => [
  operation({
    id: 'listReports',
    method: 'GET',
    path: '/report_list',
    tag: 'Reports',
    summary: 'List reports',
    description:
      'Lists the reports filed by players, newest first. The messages around a reported message are stored with it, but this ' +
      'version has no operation that returns them, and none that marks a report as processed.',
    role: 'viewer',
    input: NO_INPUT,
    output: { schema: report, isList: true },
    errors: [],
    example: { input: {}, output: [EXAMPLE_REPORT] },
    handle: async ({ app, page }) => {
      const before = readReportPosition(startOf(reportList, page))
      const limit = page === undefined ? undefined : page.limit + 1
      return renderSlices(reportList, app.reports.list({ before, limit }), { limit: page?.limit, turns })
    },
  }),
]

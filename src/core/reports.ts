import type { NewReport, Report } from './model.ts'
import type { ReportStore } from './store.ts'

/** Reports are read in slices of this size, so that a long queue never holds up a write. */
const SLICE = 1000

export interface ReportPage {
  readonly before: number | undefined
  readonly limit: number | undefined
}

export class Reports {
  readonly #store: ReportStore

  constructor(store: ReportStore) {
    this.#store = store
  }

  add(report: NewReport): Promise<Report> {
    return this.#store.insertReport(report)
  }

  /** Newest first, `before` an id. Without a limit: all of them. */
  async list({ before, limit = Number.POSITIVE_INFINITY }: ReportPage): Promise<Report[]> {
    const reports: Report[] = []
    let next = before
    for (;;) {
      const size = Math.min(SLICE, limit - reports.length)
      const slice = await this.#store.listReports({ before: next, limit: size })
      reports.push(...slice)
      next = slice.at(-1)?.id
      if (slice.length < size || reports.length >= limit) return reports
    }
  }
}

import type { Clock } from './clock.ts'
import { PlayerError } from './errors.ts'
import type { MessageLog } from './message-log.ts'
import type { NewReport, Player, Report } from './model.ts'
import type { ReportStore } from './store.ts'

/** Reports are read in slices of this size, so that a long queue never holds up a write. */
const SLICE = 1000
const CONTEXT_EACH_SIDE = 10
const DAY_MS = 86_400_000
const MAX_REASON_BYTES = 1000

export interface ReportPage {
  readonly before: number | undefined
  readonly limit: number | undefined
}

export interface ReportRules {
  readonly keywords: readonly string[]
  /** Of one player. */
  readonly perDay: number
  /** Older messages can't be reported. */
  readonly messageDays: number
}

/** What a player says of a message. */
export interface Complaint {
  readonly messageId: string
  readonly keyword: string
  readonly reason: string
}

export class Reports {
  readonly #store: ReportStore
  readonly #messages: MessageLog
  readonly #clock: Clock
  readonly #rules: ReportRules

  constructor(parts: { store: ReportStore; messages: MessageLog; clock: Clock; rules: ReportRules }) {
    this.#store = parts.store
    this.#messages = parts.messages
    this.#clock = parts.clock
    this.#rules = parts.rules
  }

  /** Files what a player complains of. The message itself is looked up, never taken from the reporter. */
  async file(reporter: Player, { messageId, keyword, reason }: Complaint): Promise<Report> {
    const isSane = this.#rules.keywords.includes(keyword) && Buffer.byteLength(reason) <= MAX_REASON_BYTES
    const message = isSane ? await this.#messages.find(messageId) : undefined
    if (message?.player === undefined) throw new PlayerError('invalid')
    if (message.player.id === reporter.id) throw new PlayerError('own-message')
    const now = this.#clock()
    if (now - message.at > this.#rules.messageDays * DAY_MS) throw new PlayerError('message-too-old')
    return this.add({
      reported: message.player,
      reporter,
      message: message.original,
      messageId,
      context: await this.#messages.around(message, CONTEXT_EACH_SIDE),
      keyword,
      reason,
      createdAt: now,
    })
  }

  async add(report: NewReport): Promise<Report> {
    const quota = { reports: this.#rules.perDay, since: report.createdAt - DAY_MS }
    const insertion = await this.#store.insertReport(report, quota)
    if (insertion.outcome === 'limit') throw new PlayerError('too-many-reports')
    return insertion.report
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

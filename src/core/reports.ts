import { type CallContext, SYSTEM_CALL } from './context.ts'
import { PlayerError } from './errors.ts'
import type { FloodControl } from './flood.ts'
import type { MessageLog } from './message-log.ts'
import type { ContextMessage, LoggedMessage, NewReport, Player, Report } from './model.ts'
import type { Clock } from './ports/clock.ts'
import type { ReportStore } from './ports/fact-store.ts'
import { isMessageText } from './text.ts'

/** Bounds how long one page blocks the event loop: a ban waits for a page several times on its way. */
const PAGE_SIZE = 25
const CONTEXT_EACH_SIDE = 10
const DAY_MS = 86_400_000
const MAX_REASON_BYTES = 1000

const isReason = (text: string) => Buffer.byteLength(text) <= MAX_REASON_BYTES && isMessageText(text)

export interface ReportPage {
  readonly before: number | undefined
  readonly limit: number | undefined
}

export interface ReportRules {
  readonly keywords: readonly string[]
  /** Maximum reports per player. */
  readonly perDay: number
  /** Maximum age of a reported message. */
  readonly messageDays: number
}

export interface ReportRequest {
  readonly messageId: string
  readonly keyword: string
  readonly reason: string
}

export class Reports {
  readonly #store: ReportStore
  readonly #messages: MessageLog
  readonly #flood: FloodControl
  readonly #clock: Clock
  readonly #rules: ReportRules

  constructor(dependencies: {
    store: ReportStore
    messages: MessageLog
    flood: FloodControl
    clock: Clock
    rules: ReportRules
  }) {
    this.#store = dependencies.store
    this.#messages = dependencies.messages
    this.#flood = dependencies.flood
    this.#clock = dependencies.clock
    this.#rules = dependencies.rules
  }

  /**
   * Files a report and returns its id, or the existing id if the player already reported the message. The message is
   * read from the log, never taken from the reporter.
   */
  async file(reporter: Player, { messageId, keyword, reason }: ReportRequest): Promise<number> {
    const wait = this.#flood.spend('reports', reporter.id)
    if (wait > 0) throw new PlayerError('too-many-reports', { retryAfterMs: wait })
    if (!this.#rules.keywords.includes(keyword)) throw new PlayerError('invalid', { input: 'keyword' })
    if (!isReason(reason)) throw new PlayerError('invalid', { input: 'reason' })
    const known = await this.#store.findReport(reporter.id, messageId)
    if (known !== undefined) return known
    const message = await this.#messages.find(messageId)
    if (message?.player === undefined) throw new PlayerError('invalid', { input: 'messageId' })
    if (message.player.id === reporter.id) throw new PlayerError('own-message')
    const now = this.#clock()
    if (now - message.at > this.#rules.messageDays * DAY_MS) throw new PlayerError('message-too-old')
    const report = {
      reported: message.player,
      reporter,
      message: message.original,
      messageId,
      context: (await this.#messages.listAround(message, CONTEXT_EACH_SIDE)).map(withoutHits),
      keyword,
      reason,
      createdAt: now,
    }
    return this.add(report, { actor: { kind: 'player', id: reporter.id } })
  }

  async add(report: NewReport, context: CallContext = SYSTEM_CALL): Promise<number> {
    const quota = { reports: this.#rules.perDay, since: report.createdAt - DAY_MS }
    const { value: insertion } = await this.#store.insertReport(report, quota, context)
    if (insertion.outcome === 'limit') throw new PlayerError('too-many-reports')
    return insertion.id
  }

  /** The messages around a message at the time of its first report. */
  context(messageId: string): Promise<readonly ContextMessage[]> {
    return this.#store.readContext(messageId)
  }

  /** Yields pages, newest first, of reports with ids below `before`. Without a limit, lists all reports. */
  async *list({ before, limit = Number.POSITIVE_INFINITY }: ReportPage): AsyncGenerator<readonly Report[]> {
    let next = before
    for (let left = limit; left > 0; ) {
      const size = Math.min(PAGE_SIZE, left)
      const page = await this.#store.listReports({ before: next, limit: size })
      yield page
      if (page.length < size) return
      left -= size
      next = page.at(-1)?.id
    }
  }
}

const withoutHits = ({ hits: _, ...message }: LoggedMessage): ContextMessage => message

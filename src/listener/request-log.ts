import { ChatError } from '../core/errors.ts'
import type { ApiResponse } from '../http/response.ts'
import { type Logger, ThrottledLog } from '../log.ts'

/** Logs requests without bodies, tokens or addresses. */
export class RequestLog {
  readonly #log: Logger
  readonly #logsAll: boolean
  readonly #outages: ThrottledLog

  constructor(log: Logger) {
    this.#log = log
    this.#logsAll = log.isLevelEnabled('debug')
    this.#outages = new ThrottledLog(log)
  }

  record(requestId: string, { operation, status, thrown }: ApiResponse): void {
    if (this.#logsAll) this.#log.debug({ requestId, operation, status }, 'request')
    // Nothing was thrown for a player who was asked to retry; a reconnect storm must not fill the log.
    if (status < 500 || thrown === undefined) return
    if (thrown instanceof ChatError && thrown.kind === 'unavailable')
      this.#outages.warn('rejecting requests with 503', thrown)
    else this.#log.error({ requestId, operation, status, err: thrown }, 'request failed')
  }

  /** Records the failure of a response whose headers were sent: the connection was aborted. */
  recordAborted(requestId: string, { operation }: ApiResponse, thrown: unknown): void {
    if (thrown instanceof ChatError && thrown.kind === 'unavailable')
      this.#outages.warn('aborting responses', thrown)
    else this.#log.error({ requestId, operation, err: thrown }, 'response aborted')
  }

  /** Logs errors thrown outside the API, which handles its own. */
  fail(thrown: unknown): void {
    this.#log.error({ err: thrown }, 'request failed')
  }
}

import { ChatError } from '../core/errors.ts'
import type { ApiResponse } from '../http/dispatcher.ts'
import { type Logger, ThrottledLog } from '../log.ts'

/** What the log tells of requests: never bodies, tokens or addresses. */
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
    // Without anything thrown it is a player asked to come back, and a storm of them must not fill the log.
    if (status < 500 || thrown === undefined) return
    if (thrown instanceof ChatError && thrown.kind === 'unavailable')
      this.#outages.warn('requests are refused with 503', thrown)
    else this.#log.error({ requestId, operation, status, err: thrown }, 'request failed')
  }

  /** For what goes wrong outside the API, which answers its own failures. */
  fail(thrown: unknown): void {
    this.#log.error({ err: thrown }, 'request failed')
  }
}

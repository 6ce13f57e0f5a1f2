import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Writes JSON lines, or readable lines to a terminal. Never log a secret. */
export function createLogger(level: LogLevel, output: NodeJS.WriteStream = process.stdout): Logger {
  return pino({ level, base: null }, output.isTTY ? readable(output) : output)
}

function readable(output: NodeJS.WriteStream): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, node: _node, ...rest } = JSON.parse(line)
      const label = pino.levels.labels[level] ?? level
      const details = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`
      output.write(
        `${new Date(time).toISOString().slice(11, 19)} ${label.padEnd(5)} ${msg ?? ''}${details}\n`,
      )
    },
  }
}

/**
 * Describes an error for operators, on one line. A message that is a full sentence is complete; any other is followed by
 * its cause.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  if (cause === undefined || message.endsWith('.')) return message
  const reason = describeError(cause)
  return message.endsWith(reason) ? message : `${message}: ${reason}`
}

const QUIET_MS = 10_000
const MAX_CAUSES = 100

/** Logs warnings about transient failures such as a full disk: at most one per cause every ten seconds, without a stack. */
export class ThrottledLog {
  readonly #log: Logger
  readonly #clock: () => number
  readonly #warnedAt = new Map<string, number>()

  constructor(log: Logger, clock: () => number = () => performance.now()) {
    this.#log = log
    this.#clock = clock
  }

  warn(what: string, error: unknown): void {
    const cause = describeError(error instanceof Error ? (error.cause ?? error) : error)
    const key = `${what}: ${cause}`
    const now = this.#clock()
    const warnedAt = this.#warnedAt.get(key)
    if (warnedAt !== undefined && now - warnedAt < QUIET_MS) return
    if (this.#warnedAt.size >= MAX_CAUSES) this.#warnedAt.clear()
    this.#warnedAt.set(key, now)
    this.#log.warn({ cause }, what)
  }
}

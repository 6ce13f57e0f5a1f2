import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** JSON lines, or lines for people where one is watching. Never give it a secret. */
export function createLogger(level: LogLevel, output: NodeJS.WriteStream = process.stdout): Logger {
  return pino({ level, base: null }, output.isTTY ? readable(output) : output)
}

function readable(output: NodeJS.WriteStream): DestinationStream {
  return {
    write(line) {
      const { level, time, msg, ...rest } = JSON.parse(line)
      const label = pino.levels.labels[level] ?? level
      const details = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`
      output.write(
        `${new Date(time).toISOString().slice(11, 19)} ${label.padEnd(5)} ${msg ?? ''}${details}\n`,
      )
    },
  }
}

/**
 * An error for people, on one line. A message that is a whole sentence stands for itself; any other is followed by its
 * cause.
 */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, cause } = error
  return cause === undefined || message.endsWith('.') ? message : `${message}: ${describeError(cause)}`
}

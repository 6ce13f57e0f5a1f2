import { readFileSync } from 'node:fs'

/** The soft limit of open files of this process; undefined on systems without `/proc`, or when there is no limit. */
function readOpenFilesLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}

/** A warning when the process may not open a file descriptor for each connection. */
export function openFilesWarning(maxConnections: number): string | undefined {
  const limit = readOpenFilesLimit()
  if (limit === undefined || limit >= maxConnections) return undefined
  return (
    `open files limit ${limit} is below PARLEY_MAX_CONNECTIONS ${maxConnections}: connections over the limit fail. ` +
    'Raise the limit (LimitNOFILE= in the systemd unit, or ulimit -n), or lower PARLEY_MAX_CONNECTIONS.'
  )
}

import { Database, SQLiteError } from 'bun:sqlite'

/**
 * Locks a small file of its own, and creates it when missing. The operating system releases the lock however the process
 * ends. Returns undefined when another process holds it.
 */
export function lockFile(file: string): Database | undefined {
  let lock: Database | undefined
  try {
    lock = new Database(file, { create: true })
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (thrown) {
    lock?.close()
    if (thrown instanceof SQLiteError && thrown.code?.startsWith('SQLITE_BUSY')) return undefined
    throw thrown
  }
}

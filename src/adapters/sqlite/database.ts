import { Database, SQLiteError } from 'bun:sqlite'
import { migrate } from './migrations.ts'

/** Earlier versions can corrupt a file in WAL mode that two connections use (SQLite's WAL-reset bug). */
const OLDEST_SQLITE = [3, 51, 3] as const

/** Opens the data file, checks that it is whole, and brings it to the newest schema. Throws with a message for people. */
export function openDatabase(path: string): Database {
  try {
    const db = new Database(path, { create: true, strict: true })
    requireSqlite(db)
    db.run('PRAGMA journal_mode = WAL')
    db.run('PRAGMA synchronous = FULL')
    db.run('PRAGMA busy_timeout = 5000')
    requireWhole(db)
    migrate(db)
    return db
  } catch (thrown) {
    throw new Error(`The data file ${path} cannot be used: ${reason(thrown)}`, { cause: thrown })
  }
}

export function requireWhole(db: Database): void {
  const found = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw new Error(`it is damaged (${found}). ${RESTORE}`)
}

function requireSqlite(db: Database): void {
  const version = db.query<{ v: string }, []>('SELECT sqlite_version() AS v').get()?.v ?? '0'
  const parts = version.split('.').map(Number)
  const difference = OLDEST_SQLITE.map((oldest, index) => (parts[index] ?? 0) - oldest).find(
    (each) => each !== 0,
  )
  if (difference !== undefined && difference < 0) {
    throw new Error(`SQLite ${version} is too old, ${OLDEST_SQLITE.join('.')} or newer is needed.`)
  }
}

const RESTORE = 'Restore a backup; the damaged file is left as it is.'

function reason(thrown: unknown): string {
  if (thrown instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code ?? '')) {
    return `it is damaged (${thrown.message}). ${RESTORE}`
  }
  return thrown instanceof Error ? thrown.message : String(thrown)
}

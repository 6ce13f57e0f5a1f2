import { Database, SQLiteError } from 'bun:sqlite'
import { migrate, schemaVersion } from './migrations.ts'

/** Earlier versions can corrupt a file in WAL mode that two connections use (SQLite's WAL-reset bug). */
const OLDEST_SQLITE = [3, 51, 3] as const

export interface DatabaseOptions {
  readonly migrations: readonly string[]
  /** An empty file is a loss, since it had content before. */
  readonly isInitialized: boolean
  /** Whether every page is looked at: worth its time for what decides something. */
  readonly checkIntegrity: boolean
  /** Selects rows that contradict themselves, as only damage makes them. */
  readonly inconsistencies?: string
}

/** Opens a data file, checks it, and brings it to the newest schema. Throws with a message for people. */
export function openDatabase(path: string, options: DatabaseOptions): Database {
  const { migrations, isInitialized, checkIntegrity, inconsistencies } = options
  try {
    const db = new Database(path, { create: true, strict: true })
    requireSqlite(db)
    db.run('PRAGMA journal_mode = WAL')
    db.run('PRAGMA synchronous = FULL')
    db.run('PRAGMA busy_timeout = 5000')
    if (checkIntegrity) requireIntegrity(db)
    if (isInitialized && schemaVersion(db) === 0)
      throw new Error(`it is empty, but its folder was in use before. ${RESTORE}`)
    migrate(db, migrations)
    requireSchema(db, migrations)
    if (inconsistencies !== undefined && db.query(inconsistencies).get() !== null)
      throw new Error(`it is damaged (a row contradicts itself). ${RESTORE}`)
    return db
  } catch (thrown) {
    throw new Error(`The data file ${path} cannot be used: ${describeStorageError(thrown)}`, {
      cause: thrown,
    })
  }
}

/** Opens a file that `openDatabase` has opened before, to read beside who writes it. */
export function openReadOnly(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true })
  db.run('PRAGMA busy_timeout = 5000')
  return db
}

/** Reads the root of each table without what a connection in use has cached. Costs the same whatever the file's size. */
export function readUncached(path: string): void {
  using db = openReadOnly(path)
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
  for (const { name } of tables) db.query(`SELECT 1 FROM "${name}" LIMIT 1`).get()
}

export function requireIntegrity(db: Database): void {
  const found = db.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()?.quick_check
  if (found !== 'ok') throw new Error(`it is damaged (${found}). ${RESTORE}`)
}

/** A damaged schema can pass for a whole one, and then fail at the first use of a column. */
function requireSchema(db: Database, migrations: readonly string[]): void {
  const fresh = new Database(':memory:', { strict: true })
  migrate(fresh, migrations)
  const isSame = schemaOf(db) === schemaOf(fresh)
  fresh.close()
  if (!isSame) throw new Error(`its schema is damaged, or was changed by hand. ${RESTORE}`)
}

const schemaOf = (db: Database) =>
  JSON.stringify(db.query('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').values())

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

export const RESTORE = 'Restore a backup; the damaged file is left as it is.'

export const isDamage = (thrown: unknown): boolean =>
  thrown instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code ?? '')

/** Why a file of the data folder cannot be used, and what to do, as the end of a sentence. */
export function describeStorageError(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const code = thrown instanceof SQLiteError ? (thrown.code ?? '') : ''
  if (isDamage(thrown)) return `it is damaged (${message}). ${RESTORE}`
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code)) return `${message} (${code}). ${CHECK_ACCESS}`
  if (/^SQLITE_(FULL|IOERR)/.test(code)) return `${message} (${code}). Is the disk full, or failing?`
  return message
}

const CHECK_ACCESS =
  'Make sure that it is a file which the user running Parley may write, and that the disk is not full.'

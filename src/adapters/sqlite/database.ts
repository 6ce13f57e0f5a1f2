import { Database, SQLiteError } from 'bun:sqlite'
import { migrate, schemaVersion } from './migrate.ts'

/** Earlier versions can corrupt a file in WAL mode that two connections use (SQLite's WAL-reset bug). */
const OLDEST_SQLITE = [3, 51, 3] as const

export interface DatabaseOptions {
  readonly migrations: readonly string[]
  /** Whether the file had content before, so that an empty one means data loss. */
  readonly isInitialized: boolean
  /** Whether to check the pages of the tables, and of which not. */
  readonly integrity?: { readonly uncheckedTables?: readonly string[] }
  /** A query for inconsistent rows, which only damage can cause. */
  readonly inconsistencies?: string
}

/** Opens a data file, checks it and migrates it to the newest schema. Throws an error with a message for operators. */
export function openDatabase(path: string, options: DatabaseOptions): Database {
  const { migrations, isInitialized, integrity, inconsistencies } = options
  try {
    const db = new Database(path, { create: true, strict: true })
    requireSqlite(db)
    db.run('PRAGMA journal_mode = WAL')
    db.run('PRAGMA synchronous = FULL')
    db.run('PRAGMA busy_timeout = 5000')
    if (integrity !== undefined) requireIntegrity(db, integrity.uncheckedTables)
    if (isInitialized && schemaVersion(db) === 0)
      throw new Error(`the file is empty, but its folder was in use before. ${RESTORE}`)
    migrate(db, migrations)
    requireSchema(db, migrations)
    if (inconsistencies !== undefined && db.query(inconsistencies).get() !== null)
      throw new Error(`the file is damaged (inconsistent rows). ${RESTORE}`)
    return db
  } catch (thrown) {
    throw new Error(`Cannot open the data file ${path}: ${describeStorageError(thrown)}`, {
      cause: thrown,
    })
  }
}

/** Opens a file that `openDatabase` has opened before, for reads concurrent with its writer. */
export function openReadOnly(path: string): Database {
  const db = new Database(path, { readonly: true, strict: true })
  db.run('PRAGMA busy_timeout = 5000')
  return db
}

/** Reads the root page of each table from disk, past the page cache of open connections. The cost does not grow with the file. */
export function readUncached(path: string): void {
  using db = openReadOnly(path)
  for (const name of tablesOf(db)) db.query(`SELECT 1 FROM "${name}" LIMIT 1`).get()
}

/**
 * Throws if pages are damaged. Of a whole file indexes are compared with their tables, too: a damaged index would hide rows, such
 * as active bans. With tables left out, their rows are checked only, which is faster.
 */
export function requireIntegrity(db: Database, uncheckedTables: readonly string[] = []): void {
  const checks =
    uncheckedTables.length === 0
      ? ['PRAGMA integrity_check(1)']
      : tablesOf(db, uncheckedTables).map((name) => `PRAGMA quick_check('${name}')`)
  for (const check of checks) {
    const found = db.query(check).values()[0]?.[0]
    if (found !== 'ok') throw new Error(`the file is damaged (${found}). ${RESTORE}`)
  }
}

const tablesOf = (db: Database, excluded: readonly string[] = []) =>
  db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name)
    .filter((name) => !excluded.includes(name))

/** The integrity check can miss a damaged schema, which then fails at the first use of a column. */
function requireSchema(db: Database, migrations: readonly string[]): void {
  const fresh = new Database(':memory:', { strict: true })
  migrate(fresh, migrations)
  const isSame = schemaOf(db) === schemaOf(fresh)
  fresh.close()
  if (!isSame) throw new Error(`its schema is damaged or was changed by hand. ${RESTORE}`)
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
    throw new Error(`SQLite ${version} is too old. Parley needs ${OLDEST_SQLITE.join('.')} or newer.`)
  }
}

export const RESTORE = 'Restore a backup; the damaged file is left as it is.'

export const isDamage = (thrown: unknown): boolean =>
  thrown instanceof SQLiteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code ?? '')

/** Damage, or a disk or file that gives no data, such as a folder with the name of a file. */
export const isUnreadable = (thrown: unknown): boolean =>
  isDamage(thrown) ||
  (thrown instanceof SQLiteError && /^SQLITE_IOERR_(READ|SHORT_READ|CORRUPTFS)/.test(thrown.code ?? ''))

/** Describes why a file cannot be used and what to do, to follow a colon. */
export function describeStorageError(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const code = thrown instanceof SQLiteError ? (thrown.code ?? '') : ''
  if (isDamage(thrown)) return `the file is damaged (${message}). ${RESTORE}`
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH)/.test(code)) return `${message} (${code}). ${CHECK_ACCESS}`
  if (/^SQLITE_(FULL|IOERR)/.test(code))
    return `${message} (${code}). Check whether the disk is full or failing.`
  return message
}

const CHECK_ACCESS =
  'Make sure that the user running Parley may write this file, and that the disk is not full.'

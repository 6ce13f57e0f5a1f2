import { Database, SQLiteError } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describeStorageError } from './database.ts'

const DATABASE = 'parley.db'
const MESSAGES = 'messages.db'
const LOCK = 'lock.db'

export type SecretName = 'master-token' | 'player-secret'

export const SECRETS: readonly SecretName[] = ['master-token', 'player-secret']

/** The folder that one process owns: the data file, the secrets, and the lock that keeps others out. */
export class DataFolder {
  readonly path: string
  readonly #lock: Database

  private constructor(folder: string, lock: Database) {
    this.path = folder
    this.#lock = lock
  }

  /**
   * Takes the folder for this process, and makes it when there is none. Throws when another process has it,
   * or when it was used before and its data file is gone: better no start than an empty one.
   */
  static open(folder: string): DataFolder {
    createFolder(folder)
    const lock = takeLock(path.join(folder, LOCK), folder)
    const opened = new DataFolder(folder, lock)
    if (opened.isInitialized && !hasContent(opened.databasePath)) {
      opened.close()
      throw new Error(
        `The data folder ${folder} was in use before, but its data file ${DATABASE} is missing or empty. ` +
          `Restore a backup, or remove the folder to begin anew.`,
      )
    }
    return opened
  }

  /** Whether a server has run on this folder before. */
  get isInitialized(): boolean {
    return isMarked(this.#lock)
  }

  get databasePath(): string {
    return databasePath(this.path)
  }

  get messagesPath(): string {
    return messagesPath(this.path)
  }

  get lockPath(): string {
    return path.join(this.path, LOCK)
  }

  /** From now on a missing data file is a loss and not a first start. */
  markInitialized(): void {
    if (this.isInitialized) return
    this.#lock.run('COMMIT')
    this.#lock.run('PRAGMA user_version = 1')
    this.#lock.run('BEGIN EXCLUSIVE')
  }

  /** The secret of that name, made when there is none. */
  secret(name: SecretName): { readonly value: string; readonly isNew: boolean } {
    const known = readSecret(this.path, name)
    if (known !== undefined) return { value: known, isNew: false }
    const value = randomBytes(32).toString('base64url')
    const file = secretPath(this.path, name)
    writeFileSync(file, `${value}\n`, { mode: 0o600, flush: true })
    chmodSync(file, 0o600)
    return { value, isNew: true }
  }

  /** Lets another process have the folder. */
  close(): void {
    this.#lock.close()
  }
}

export const databasePath = (folder: string) => path.join(folder, DATABASE)
export const messagesPath = (folder: string) => path.join(folder, MESSAGES)
export const secretPath = (folder: string, name: SecretName) => path.join(folder, name)

export function readSecret(folder: string, name: SecretName): string | undefined {
  const file = secretPath(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined
}

const ANOTHER = 'choose another folder with PARLEY_DATA_DIR.'

const FOLDER_ERRORS: Readonly<Record<string, string>> = {
  EEXIST: `it is not a folder. Move that file away, or ${ANOTHER}`,
  ENOTDIR: `a part of its path is not a folder. Correct the path, or ${ANOTHER}`,
  EACCES: `permission denied. Let the user running Parley write there, or ${ANOTHER}`,
  EPERM: `operation not permitted. Let the user running Parley write there, or ${ANOTHER}`,
  EROFS: `its file system is read-only. Mount it for writing, or ${ANOTHER}`,
  ENOSPC: 'the disk is full. Make room on it.',
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (thrown) {
    throw folderError(folder, thrown)
  }
}

function folderError(folder: string, thrown: unknown): Error {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const reason = FOLDER_ERRORS[code] ?? describeStorageError(thrown)
  return new Error(`The data folder ${folder} cannot be used: ${reason}`, { cause: thrown })
}

/** A lock of the operating system on a small file of its own: it ends with the process, however that ends. */
function takeLock(file: string, folder: string): Database {
  let lock: Database | undefined
  try {
    lock = new Database(file, { create: true })
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (thrown) {
    lock?.close()
    const isTaken = thrown instanceof SQLiteError && thrown.code?.startsWith('SQLITE_BUSY')
    if (!isTaken) throw folderError(folder, lockFileError(file, thrown))
    throw new Error(
      `The data folder ${folder} is in use by another Parley. Stop that process, or ${ANOTHER}`,
      { cause: thrown },
    )
  }
}

const lockFileError = (file: string, thrown: unknown) =>
  new Error(`${path.basename(file)}: ${describeStorageError(thrown)}`, { cause: thrown })

const isMarked = (lock: Database) =>
  (lock.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0) > 0

/** SQLite takes a file of one byte for an empty one. */
const hasContent = (file: string) => existsSync(file) && statSync(file).size > 1

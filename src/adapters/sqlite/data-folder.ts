import type { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describeStorageError } from './database.ts'
import { lockFile } from './file-lock.ts'
import { folderError } from './folder-error.ts'

const DATABASE = 'parley.db'
const MESSAGES = 'messages'
const SEQUENCES = 'sequences.db'
const LOCK = 'lock.db'

export type SecretName = 'master-token' | 'player-secret'

export const SECRETS: readonly SecretName[] = ['master-token', 'player-secret']

/** The data folder, owned by one process at a time: databases, secrets and the lock file. */
export class DataFolder {
  readonly path: string
  readonly #lock: Database

  private constructor(folder: string, lock: Database) {
    this.path = folder
    this.#lock = lock
  }

  /**
   * Locks the folder for this process and creates it when missing. Throws when another process holds the lock, or when
   * an initialized folder has lost its data file: failing to start is better than starting empty.
   */
  static open(folder: string): DataFolder {
    createFolder(folder)
    const lock = takeLock(path.join(folder, LOCK), folder)
    const opened = new DataFolder(folder, lock)
    if (opened.isInitialized && !hasContent(opened.databasePath)) {
      opened.close()
      throw new Error(
        `The data folder ${folder} was in use before, but its data file ${DATABASE} is missing or empty. ` +
          'Restore a backup, or remove the folder to start over.',
      )
    }
    return opened
  }

  /** Whether a server has used this folder before. */
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

  /** From now on a missing data file means data loss, not a first start. */
  markInitialized(): void {
    if (this.isInitialized) return
    this.#lock.run('COMMIT')
    this.#lock.run('PRAGMA user_version = 1')
    this.#lock.run('BEGIN EXCLUSIVE')
  }

  /** Returns the named secret; generates it on first use. */
  secret(name: SecretName): { readonly value: string; readonly isNew: boolean } {
    const known = readSecret(this.path, name)
    if (known !== undefined) return { value: known, isNew: false }
    const value = randomBytes(32).toString('base64url')
    const file = secretPath(this.path, name)
    writeFileSync(file, `${value}\n`, { mode: 0o600, flush: true })
    chmodSync(file, 0o600)
    return { value, isNew: true }
  }

  /** Releases the lock. */
  close(): void {
    this.#lock.close()
  }
}

export const databasePath = (folder: string) => path.join(folder, DATABASE)
/** The folder of the message log. */
export const messagesFolder = (folder: string) => path.join(folder, MESSAGES)
/** The file of the message log that always exists. */
export const messagesPath = (folder: string) => path.join(messagesFolder(folder), SEQUENCES)
export const secretPath = (folder: string, name: SecretName) => path.join(folder, name)

export function readSecret(folder: string, name: SecretName): string | undefined {
  const file = secretPath(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || undefined : undefined
}

const ALTERNATIVE = 'choose another folder with PARLEY_DATA_DIR'

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (thrown) {
    throw openError(folder, thrown)
  }
}

const openError = (folder: string, thrown: unknown) =>
  folderError(`Cannot open the data folder ${folder}`, thrown, ALTERNATIVE)

function takeLock(file: string, folder: string): Database {
  const lock = tryLock(file, folder)
  if (lock !== undefined) return lock
  throw new Error(
    `The data folder ${folder} is in use by another Parley process. Stop that process, or ${ALTERNATIVE}.`,
  )
}

function tryLock(file: string, folder: string): Database | undefined {
  try {
    return lockFile(file)
  } catch (thrown) {
    throw openError(folder, lockFileError(file, thrown))
  }
}

const lockFileError = (file: string, thrown: unknown) =>
  new Error(`${path.basename(file)}: ${describeStorageError(thrown)}`, { cause: thrown })

const isMarked = (lock: Database) =>
  (lock.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version ?? 0) > 0

/** SQLite treats a file of one byte as empty. */
const hasContent = (file: string) => existsSync(file) && statSync(file).size > 1

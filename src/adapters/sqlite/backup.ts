import { Database } from 'bun:sqlite'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { databasePath, messagesFolder, messagesPath, SECRETS, secretPath } from './data-folder.ts'
import { describeStorageError, requireIntegrity } from './database.ts'
import { lockFile } from './file-lock.ts'
import { folderError } from './folder-error.ts'
import { listMessageFiles } from './messages/retention.ts'

const UNFINISHED = '.unfinished'

/**
 * Copies a data folder, in use or not, to a new folder that a server can start on. Each database is copied as of one
 * point in time and checked; the copy gets its name only when it is complete. Returns why files of the message log were
 * left out: damaged ones must not prevent a backup of everything else.
 */
export function backupFolder(from: string, to: string): string[] {
  if (!existsSync(databasePath(from)))
    throw new Error(`No data file in ${from}. Specify the data folder with --data-dir or PARLEY_DATA_DIR.`)
  const attempt = `Cannot write the backup to ${to}`
  if (existsSync(to) && !statSync(to).isDirectory())
    throw new Error(`${attempt}: not a folder. Move that file away, or specify another folder.`)
  if (existsSync(to) && readdirSync(to).length > 0)
    throw new Error(`${attempt}: the folder is not empty. Specify a new or an empty folder.`)
  if (isWithin(from, to))
    throw new Error(`${attempt}: it is inside the data folder ${from}. Specify another folder.`)
  try {
    return copyFolder(from, path.resolve(to))
  } catch (thrown) {
    const isFileSystemError = thrown instanceof Error && 'syscall' in thrown
    if (!isFileSystemError) throw thrown
    throw folderError(attempt, thrown, 'specify another folder')
  }
}

/** A copy inside the folder would be lost together with it. */
function isWithin(folder: string, target: string): boolean {
  const [first = ''] = path.relative(realPathOf(folder), realPathOf(target)).split(path.sep)
  return first !== '..'
}

/** Follows symbolic links in the part of the path that exists. */
function realPathOf(target: string): string {
  const full = path.resolve(target)
  return existsSync(full)
    ? realpathSync(full)
    : path.join(realPathOf(path.dirname(full)), path.basename(full))
}

function copyFolder(from: string, to: string): string[] {
  const parent = path.dirname(to)
  if (existsSync(parent)) removeAbandoned(parent)
  const unfinished = `${to}${UNFINISHED}`
  if (existsSync(unfinished))
    throw new Error(
      `Cannot write the backup to ${to}: another backup is writing to ${unfinished}. Wait for it, or remove that folder.`,
    )
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  try {
    using lock = lockFile(lockPath(unfinished))
    if (lock === undefined) throw new Error(`Cannot write the backup to ${to}: another backup removed it.`)
    const problems = copyContents(from, unfinished)
    rmSync(lockPath(unfinished))
    rmSync(to, { recursive: true, force: true })
    renameSync(unfinished, to)
    return problems
  } catch (thrown) {
    rmSync(unfinished, { recursive: true, force: true })
    throw thrown
  }
}

/** Removes what interrupted backups left in a folder. A backup that still runs holds its lock. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.endsWith(UNFINISHED))) {
    const unfinished = path.join(folder, name)
    if (!existsSync(lockPath(unfinished))) continue
    using lock = lockFile(lockPath(unfinished))
    if (lock !== undefined) rmSync(unfinished, { recursive: true, force: true })
  }
}

const lockPath = (unfinished: string) => path.join(unfinished, 'lock.db')

function copyContents(from: string, to: string): string[] {
  copyDatabase(databasePath(from), databasePath(to))
  const problems = copyMessages(from, to)
  for (const name of SECRETS) {
    if (existsSync(secretPath(from, name))) copyFileSync(secretPath(from, name), secretPath(to, name))
  }
  return problems
}

/** The sequences first: they must not name messages that the copy does not contain. */
function copyMessages(from: string, to: string): string[] {
  if (!existsSync(messagesPath(from))) return []
  mkdirSync(messagesFolder(to), { mode: 0o700 })
  copyDatabase(messagesPath(from), messagesPath(to))
  const problems: string[] = []
  for (const { file } of listMessageFiles(messagesFolder(from))) {
    const copy = path.join(to, path.relative(from, file))
    try {
      copyDatabase(file, copy)
    } catch (thrown) {
      rmSync(copy, { force: true })
      // The running server may have dropped it.
      if (existsSync(file)) problems.push(thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  return problems
}

function copyDatabase(from: string, to: string): void {
  try {
    using source = new Database(from, { readwrite: true })
    source.run('PRAGMA busy_timeout = 5000')
    source.query('VACUUM INTO ?').run(to)
    using copy = new Database(to, { readonly: true })
    requireIntegrity(copy)
  } catch (thrown) {
    throw new Error(`Cannot copy ${from} to ${to}: ${describeStorageError(thrown)}`, { cause: thrown })
  }
}

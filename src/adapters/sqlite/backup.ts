import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { databasePath, messagesFolder, messagesPath, SECRETS, secretPath } from './data-folder.ts'
import { describeStorageError, requireIntegrity } from './database.ts'
import { folderError } from './folder-error.ts'
import { listMessageFiles } from './messages/retention.ts'

/**
 * Copies a data folder, in use or not, to a new folder that a server can start on. Each database is copied as of one
 * point in time and checked; the copy gets its name only when it is complete. Returns why files of the message log were
 * left out: damaged ones must not prevent a backup of everything else.
 */
export function backupFolder(from: string, to: string): string[] {
  if (!existsSync(databasePath(from)))
    throw new Error(`No data file in ${from}. Name the data folder with --data-dir or PARLEY_DATA_DIR.`)
  const attempt = `Cannot write the backup to ${to}`
  if (existsSync(to) && !statSync(to).isDirectory())
    throw new Error(`${attempt}: not a folder. Move that file away, or name another folder.`)
  if (existsSync(to) && readdirSync(to).length > 0)
    throw new Error(`${attempt}: the folder is not empty. Name a new or an empty folder.`)
  try {
    return copyFolder(from, path.resolve(to))
  } catch (thrown) {
    const isFileSystemError = thrown instanceof Error && 'syscall' in thrown
    if (!isFileSystemError) throw thrown
    throw folderError(attempt, thrown, 'name another folder')
  }
}

function copyFolder(from: string, to: string): string[] {
  const unfinished = `${to}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  copyDatabase(databasePath(from), databasePath(unfinished))
  const problems = copyMessages(from, unfinished)
  for (const name of SECRETS) {
    if (existsSync(secretPath(from, name))) copyFileSync(secretPath(from, name), secretPath(unfinished, name))
  }
  rmSync(to, { recursive: true, force: true })
  renameSync(unfinished, to)
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

import { Database } from 'bun:sqlite'
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { databasePath, messagesPath, SECRETS, secretPath } from './data-folder.ts'
import { requireIntegrity } from './database.ts'

/**
 * Copies a data folder, in use or not, into a new one that a server can start on. The copy is of one moment,
 * is checked, and appears under its name only when it is whole.
 */
export function backupFolder(from: string, to: string): void {
  if (!existsSync(databasePath(from))) throw new Error(`There is no data file in ${from}.`)
  if (existsSync(to) && readdirSync(to).length > 0) throw new Error(`The folder ${to} is not empty.`)
  const unfinished = `${path.resolve(to)}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o700 })
  copyDatabase(databasePath(from), databasePath(unfinished))
  if (existsSync(messagesPath(from))) copyDatabase(messagesPath(from), messagesPath(unfinished))
  for (const name of SECRETS) {
    if (existsSync(secretPath(from, name))) copyFileSync(secretPath(from, name), secretPath(unfinished, name))
  }
  rmSync(to, { recursive: true, force: true })
  renameSync(unfinished, to)
}

function copyDatabase(from: string, to: string): void {
  const source = new Database(from, { readwrite: true })
  source.run('PRAGMA busy_timeout = 5000')
  source.query('VACUUM INTO ?').run(to)
  source.close()
  const copy = new Database(to, { readonly: true })
  requireIntegrity(copy)
  copy.close()
}

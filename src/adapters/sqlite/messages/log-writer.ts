import type { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { LoggedMessage, Timestamp } from '../../../core/model.ts'
import { isUnreadable, openDatabase } from '../database.ts'
import type { MessageBatch } from './batch.ts'
import { DayWriter, type KeyedMessage } from './day-writer.ts'
import { type Day, dayOf, dayPath, startOf } from './days.ts'
import { adoptEarlierSequences, createEarlierReads, earlierPath, openEarlier } from './earlier.ts'
import { keyOf } from './keys.ts'
import { SEQUENCE_MIGRATIONS } from './migrations.ts'
import { createSequenceWrites } from './sequences.ts'

/** Today and, for messages flushed after midnight, yesterday. */
const MAX_OPEN_DAYS = 2

/** Writes of the message log: a file for the sequences and one for each day, all in one folder. */
export class LogWriter {
  /** The file in use, which the errors of a command are about. */
  filename: string
  readonly #folder: string
  readonly #db: Database
  readonly #sequences: ReturnType<typeof createSequenceWrites>
  /** Least recently used first. */
  readonly #days = new Map<Day, DayWriter>()

  /** Losing the log loses no decision, so an empty file is accepted and the start does not wait for an integrity check. */
  constructor(sequencesPath: string) {
    this.filename = sequencesPath
    this.#folder = path.dirname(sequencesPath)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    removeOrphans(this.#folder)
    adoptEarlierSequences(this.#folder, sequencesPath)
    this.#db = openDatabase(sequencesPath, {
      migrations: SEQUENCE_MIGRATIONS,
      isInitialized: false,
    })
    this.#sequences = createSequenceWrites(this.#db)
    this.#useEarlier(() => undefined)
  }

  readonly commands = {
    /** Opens the file of a day if it exists. Returns its path, or null. */
    openDay: (day: Day): string | null =>
      existsSync(dayPath(this.#folder, day)) ? this.#open(day).path : null,
    /** Returns the path of the file in use. */
    appendMessages: (batch: MessageBatch): string => this.#append(batch),
    deleteMessage: (id: string, at: Timestamp): LoggedMessage | undefined => this.#delete(id, at),
    /** Removes files of the log, and sequences without a message since `before`. */
    dropFiles: (files: readonly string[], before: Timestamp): void => this.#drop(files, before),
    openSequences: (): string => this.#sequences.open(),
    sealSequences: (): void => this.#sequences.seal(),
    check: (): void => void this.#db.query('SELECT 1').get(),
  }

  close(): void {
    for (const day of this.#days.values()) day.close()
    this.#db.close()
  }

  /** Messages first: a sequence must not name messages that are not stored. */
  #append(batch: MessageBatch): string {
    this.#closeUnused()
    let last = ''
    for (const [day, messages] of byDay(batch)) {
      const file = this.#open(day)
      file.append(batch.sequences, messages)
      last = file.path
    }
    this.filename = this.#db.filename
    this.#sequences.advance(batch)
    return last
  }

  #delete(id: string, at: Timestamp): LoggedMessage | undefined {
    const deleted = this.#deleteFromDay(id, at) ?? this.#deleteFromEarlier(id, at)
    if (deleted === undefined) return undefined
    this.filename = this.#db.filename
    this.#sequences.retract(deleted.epoch, id, deleted.deletedAt ?? at)
    return deleted
  }

  #deleteFromDay(id: string, at: Timestamp): LoggedMessage | undefined {
    const key = keyOf(id)
    if (key === undefined) return undefined
    const known = this.#days.get(key.day)
    if (known !== undefined) return known.delete(key, at)
    if (!isFile(dayPath(this.#folder, key.day))) return undefined
    return ifIntact(() => {
      const file = new DayWriter(this.#folder, key.day)
      try {
        return file.delete(key, at)
      } finally {
        file.close()
      }
    })
  }

  #deleteFromEarlier(id: string, at: Timestamp): LoggedMessage | undefined {
    return this.#useEarlier((db) => {
      db.query<null, [number, string]>(
        'UPDATE message SET deleted_at = ifnull(deleted_at, ?) WHERE id = ?',
      ).run(at, id)
      return createEarlierReads(db).find(id)
    })
  }

  #useEarlier<T>(use: (db: Database) => T): T | undefined {
    if (!existsSync(earlierPath(this.#folder))) return undefined
    return ifIntact(() => {
      using db = openEarlier(this.#folder)
      return use(db)
    })
  }

  #drop(files: readonly string[], before: Timestamp): void {
    for (const file of files) {
      for (const [day, open] of this.#days) {
        if (open.path !== file) continue
        open.close()
        this.#days.delete(day)
      }
      // The database first: its WAL must never be applied to another file. The next start removes a WAL that is left over.
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true, recursive: true })
    }
    // Sequences with a message on the day of `before` are still needed: that day is kept as a whole.
    this.#sequences.prune(startOf(dayOf(before)))
  }

  #open(day: Day): DayWriter {
    this.filename = dayPath(this.#folder, day)
    const file = this.#days.get(day) ?? new DayWriter(this.#folder, day)
    this.#days.delete(day)
    this.#days.set(day, file)
    return file
  }

  /** Called before the files of a batch are opened, so that the file that the last batch used stays open. */
  #closeUnused(): void {
    for (const [day, file] of this.#days) {
      if (this.#days.size <= MAX_OPEN_DAYS) return
      file.close()
      this.#days.delete(day)
    }
  }
}

function byDay({ messages }: MessageBatch): ReadonlyMap<Day, readonly KeyedMessage[]> {
  const days = new Map<Day, KeyedMessage[]>()
  for (const fields of messages) {
    const found = keyOf(fields[0])
    if (found === undefined) throw new Error(`The message id ${fields[0]} is not a UUID of version 7.`)
    const { day, key, tail } = found
    const keyed = { day, key, tail, fields }
    const known = days.get(day)
    if (known === undefined) days.set(day, [keyed])
    else known.push(keyed)
  }
  return days
}

const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() === true

/** A damaged file of the past counts as missing. */
function ifIntact<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown.cause : undefined
    if (isUnreadable(thrown) || isUnreadable(cause)) return undefined
    throw thrown
  }
}

/** Removes WAL files whose database was dropped just before a crash. */
function removeOrphans(folder: string): void {
  const files = new Set(readdirSync(folder))
  for (const file of files) {
    const database = file.replace(/-(wal|shm)$/, '')
    if (database !== file && !files.has(database)) rmSync(path.join(folder, file), { force: true })
  }
}

import type { Database } from 'bun:sqlite'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { LoggedMessage, Timestamp } from '../../../core/model.ts'
import { openDatabase } from '../database.ts'
import type { MessageFields, SequenceFields } from './batch.ts'
import { createDayReads, type DayReads } from './day-rows.ts'
import { type Day, dayPath } from './days.ts'
import { type MessageKey, SLOTS, timeOf } from './keys.ts'
import { DAY_MIGRATIONS } from './migrations.ts'

/** Sequences whose row id is kept in memory. */
const MAX_KNOWN_SEQUENCES = 10_000
/** 16 MB: a page that several flushes change is copied to the file once. */
const CHECKPOINT_PAGES = 4000

type Value = string | number | null

/** The file of one day, open for writes. */
export class DayWriter {
  readonly day: Day
  readonly path: string
  readonly reads: DayReads
  readonly #db: Database
  readonly #sequenceIds = new Map<string, number>()
  readonly #append: (sequences: readonly SequenceFields[], messages: readonly KeyedMessage[]) => void
  readonly #statements: ReturnType<typeof prepare>

  constructor(folder: string, day: Day) {
    this.day = day
    this.path = dayPath(folder, day)
    if (!existsSync(this.path)) createDayFile(folder, this.path)
    this.#db = openDayFile(this.path)
    this.#db.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    this.#statements = prepare(this.#db)
    this.reads = createDayReads(this.#db, day)
    this.#append = this.#db.transaction((sequences, messages) => this.#insertAll(sequences, messages))
  }

  /** Messages that the file already contains stay as they are. */
  append(sequences: readonly SequenceFields[], messages: readonly KeyedMessage[]): void {
    try {
      this.#append(sequences, messages)
    } catch (thrown) {
      // Ids of rows that were rolled back.
      this.#sequenceIds.clear()
      throw thrown
    }
  }

  delete(key: MessageKey, at: Timestamp): LoggedMessage | undefined {
    this.#statements.markDeleted.run(at, key.key, key.key + SLOTS - 1, key.tail)
    return this.reads.find(key)
  }

  close(): void {
    this.#db.close()
  }

  #insertAll(sequences: readonly SequenceFields[], messages: readonly KeyedMessage[]): void {
    const ids = new Map<number, number>()
    let inserted = 0
    for (const message of messages) {
      const index = message.fields[1]
      let id = ids.get(index)
      if (id === undefined) {
        id = this.#sequenceId(sequences[index])
        ids.set(index, id)
      }
      if (this.#insert(message, id)) inserted++
    }
    this.#statements.addToTotal.run(inserted)
  }

  /** Returns false if the file contains the message already. */
  #insert({ key: first, tail, fields }: KeyedMessage, sequence: number): boolean {
    const { insert, tailOf } = this.#statements
    const [, , seq, playerId, playerName, text, original, sentAt, language, hits] = fields
    const at = sentAt === timeOf(this.day, first) ? null : sentAt
    for (let key = first; key < first + SLOTS; key++) {
      const { changes } = insert.run(
        ...([key, tail, sequence, seq, playerId, playerName, text, original, at, language, hits] as const),
      )
      if (changes === 1) return true
      if (tailOf.get(key)?.tail === tail) return false
    }
    throw new Error(`More than ${SLOTS} message ids have the same time and counter.`)
  }

  #sequenceId(fields: SequenceFields | undefined): number {
    if (fields === undefined) throw new Error('A message has no sequence.')
    const name = fields.join('\n')
    const known = this.#sequenceIds.get(name)
    if (known !== undefined) return known
    this.#statements.insertSequence.run(...fields)
    const id = this.#statements.findSequence.get(...fields)?.id ?? 0
    if (this.#sequenceIds.size >= MAX_KNOWN_SEQUENCES) this.#sequenceIds.clear()
    this.#sequenceIds.set(name, id)
    return id
  }
}

export interface KeyedMessage extends MessageKey {
  readonly fields: MessageFields
}

function prepare(db: Database) {
  return {
    insert: db.query<null, Value[]>(
      `INSERT OR IGNORE INTO message (key, tail, sequence, seq, player_id, player_name, text, original, at, language, hits)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    tailOf: db.query<{ tail: string }, [number]>('SELECT tail FROM message WHERE key = ?'),
    insertSequence: db.query<null, Value[]>(
      `INSERT OR IGNORE INTO sequence (channel_group, channel_name, incarnation, number, epoch) VALUES (?, ?, ?, ?, ?)`,
    ),
    findSequence: db.query<{ id: number }, Value[]>(
      `SELECT id FROM sequence
         WHERE channel_group = ? AND channel_name = ? AND incarnation = ? AND number = ? AND epoch = ?`,
    ),
    addToTotal: db.query<null, [number]>('UPDATE total SET messages = messages + ?'),
    markDeleted: db.query<null, [number, number, number, string]>(
      'UPDATE message SET deleted_at = ifnull(deleted_at, ?) WHERE key BETWEEN ? AND ? AND tail = ?',
    ),
  }
}

const openDayFile = (file: string) => openDatabase(file, { migrations: DAY_MIGRATIONS, isInitialized: false })

/** The file gets its name when its tables exist, so that readers and a start after a crash find it complete. */
function createDayFile(folder: string, file: string): void {
  const unfinished = path.join(folder, 'unfinished.db')
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${unfinished}${suffix}`, { force: true })
  openDayFile(unfinished).close()
  renameSync(unfinished, file)
  syncFolder(folder)
}

/** A power loss must not undo a rename or a creation. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

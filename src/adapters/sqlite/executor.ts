import { type Database, SQLiteError } from 'bun:sqlite'
import type { Change } from '../../core/events.ts'
import type { Idempotency } from '../../core/ports/store.ts'
import {
  type Checks,
  createChecks,
  createReads,
  createWrites,
  type Reads,
  readVersion,
  WithTexts,
  type Writes,
} from './commands.ts'
import { isDamage } from './database.ts'
import { createMessageReads, createMessageWrites, type MessageReads, type MessageWrites } from './messages.ts'

export type Call = {
  readonly name: keyof Writes | keyof OtherWrites | keyof AllReads
  readonly args: readonly unknown[]
  readonly idempotency?: Idempotency | undefined
  /** The last arguments, where they are long texts. */
  readonly texts?: readonly string[] | undefined
}

export type Result =
  | {
      readonly value: unknown
      readonly version: number
      readonly changes: readonly Change[]
      readonly repeated: boolean
      readonly texts?: readonly string[] | undefined
    }
  | {
      /** `damaged`: no attempt can succeed any more, on this file. */
      readonly error: 'unavailable' | 'key-reused' | 'failed' | 'damaged'
      readonly detail: string
      readonly texts?: undefined
    }

/** What a writer runs outside the transaction of a batch. */
export type OtherWrites = MessageWrites & Checks
export type AllReads = Reads & MessageReads & Checks

/** Runs the calls of a batch; a result for each. */
export interface Executor {
  run(calls: readonly Call[]): Result[]
}

/** Outcomes kept for who repeats a write: none older than they asked for, and never more than this. */
const MAX_REMEMBERED = 1_000_000

/** Runs writes in batches: those of the facts share one commit, and so one wait for the disk. */
export class Writer implements Executor {
  readonly #db: Database
  readonly #messages: Database
  readonly #writes: Writes
  readonly #others: OtherWrites
  readonly #statements: ReturnType<typeof prepare>
  readonly #maxRemembered: number
  #version: number
  #changes: Change[] = []

  constructor(db: Database, messages: Database, maxRemembered = MAX_REMEMBERED) {
    this.#db = db
    this.#messages = messages
    this.#maxRemembered = maxRemembered
    this.#writes = createWrites(db, (draft) => {
      const change = { ...draft, version: ++this.#version }
      this.#changes.push(change)
      return change
    })
    this.#others = { ...createMessageWrites(messages), ...createChecks(db) }
    this.#statements = prepare(db)
    this.#version = readVersion(db)
  }

  run(calls: readonly Call[]): Result[] {
    const results = new Map<Call, Result>()
    const writes = calls.filter((call) => call.name in this.#writes)
    if (writes.length > 0) this.#commit(writes, results)
    return calls.map((call) => results.get(call) ?? runAlone(this.#others, call, this.#messages))
  }

  /** All of them, or none when the disk refuses. A call that fails by itself is found by running each alone. */
  #commit(calls: readonly Call[], results: Map<Call, Result>): void {
    const versionBefore = this.#version
    try {
      this.#statements.begin.run()
      for (const call of calls) results.set(call, this.#write(call))
      if (this.#version !== versionBefore) this.#statements.setVersion.run(this.#version)
      this.#statements.commit.run()
    } catch (thrown) {
      if (this.#db.inTransaction) this.#statements.rollback.run()
      this.#version = versionBefore
      if (calls.length > 1 && !isStorageFailure(thrown))
        for (const call of calls) this.#commit([call], results)
      else for (const call of calls) results.set(call, failure(thrown, this.#db))
    }
  }

  #write(call: Call): Result {
    this.#changes = []
    return call.idempotency === undefined ? this.#execute(call) : this.#executeOnce(call, call.idempotency)
  }

  #execute({ name, args, texts = [] }: Call): Result {
    const command = this.#writes[name as keyof Writes] as (...args: readonly unknown[]) => unknown
    const value = command(...args, ...texts)
    return { value, version: this.#version, changes: this.#changes, repeated: false }
  }

  #executeOnce(call: Call, { key, fingerprint, at, expiresAt }: Idempotency): Result {
    this.#statements.forget.run(at)
    const known = this.#statements.find.get(key)
    if (known !== null) {
      if (known.fingerprint !== fingerprint) return { error: 'key-reused', detail: key }
      // Outcomes of earlier versions of this program have no version of their own.
      const { value, version = this.#version } = JSON.parse(known.outcome)
      return { value, version, changes: [], repeated: true }
    }
    const result = this.#execute(call)
    if ('value' in result) {
      const outcome = JSON.stringify({ value: result.value, version: result.version })
      const { seq } = this.#statements.insert.get(key, fingerprint, outcome, expiresAt) ?? { seq: 0 }
      this.#statements.forgetOldest.run(seq - this.#maxRemembered)
    }
    return result
  }
}

/** Runs reads, each on what is committed when it begins, on connections that can't write and never delay who does. */
export class Reader implements Executor {
  readonly #db: Database
  readonly #messages: Database
  readonly #reads: Reads & Checks
  readonly #messageReads: MessageReads

  constructor(db: Database, messages: Database) {
    this.#db = db
    this.#messages = messages
    this.#reads = { ...createReads(db), ...createChecks(db) }
    this.#messageReads = createMessageReads(messages)
  }

  run(calls: readonly Call[]): Result[] {
    return calls.map((call) =>
      call.name in this.#reads
        ? runAlone(this.#reads, call, this.#db)
        : runAlone(this.#messageReads, call, this.#messages),
    )
  }
}

function runAlone(
  commands: Partial<Record<Call['name'], unknown>>,
  { name, args }: Call,
  file: Database,
): Result {
  const command = commands[name] as ((...args: readonly unknown[]) => unknown) | undefined
  try {
    if (command === undefined) throw new Error(`There is no command ${name}.`)
    const value = command(...args)
    const given = value instanceof WithTexts ? value : { value }
    return { ...given, version: 0, changes: [], repeated: false }
  } catch (thrown) {
    return failure(thrown, file)
  }
}

const prepare = (db: Database) => ({
  begin: db.query<null, []>('BEGIN IMMEDIATE'),
  commit: db.query<null, []>('COMMIT'),
  rollback: db.query<null, []>('ROLLBACK'),
  find: db.query<{ fingerprint: string; outcome: string }, [string]>(
    'SELECT fingerprint, outcome FROM remembered WHERE key = ?',
  ),
  insert: db.query<{ seq: number }, [string, string, string, number]>(
    'INSERT INTO remembered (key, fingerprint, outcome, expires_at) VALUES (?, ?, ?, ?) RETURNING seq',
  ),
  forget: db.query<null, [number]>('DELETE FROM remembered WHERE expires_at <= ?'),
  forgetOldest: db.query<null, [number]>('DELETE FROM remembered WHERE seq <= ?'),
  setVersion: db.query<null, [number]>('UPDATE control SET version = ?'),
})

function failure(thrown: unknown, { filename }: Database): Result {
  const detail = `${filename}: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  if (isDamage(thrown)) return { error: 'damaged', detail }
  return { error: isStorageFailure(thrown) ? 'unavailable' : 'failed', detail }
}

/** What may pass by itself, or what only an operator can mend; never a mistake in a command. */
function isStorageFailure(thrown: unknown): boolean {
  return (
    isDamage(thrown) ||
    (thrown instanceof SQLiteError &&
      /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM|PROTOCOL)/.test(thrown.code ?? ''))
  )
}

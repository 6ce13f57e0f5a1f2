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
  /** Long texts, passed as the last arguments. */
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
      /** `damaged`: no retry on this file can succeed. */
      readonly error: 'unavailable' | 'key-reused' | 'failed' | 'damaged'
      readonly detail: string
      readonly texts?: undefined
    }

/** Writes that run outside the transaction of a batch. */
export type OtherWrites = MessageWrites & Checks
export type AllReads = Reads & MessageReads & Checks

/** Runs a batch of calls and returns a result for each. */
export interface Executor {
  run(calls: readonly Call[]): Result[]
}

/** Maximum number of stored outcomes of idempotent writes, besides their expiry. */
const MAX_REMEMBERED = 1_000_000

/** Runs writes in batches. Writes of facts in a batch share one commit, and so one disk flush. */
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

  /** Commits all calls or, on a storage failure, none. Any other failure is isolated by running each call alone. */
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
      // Outcomes stored by earlier releases have no version.
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

/** Runs reads on read-only connections, which see the last commit and never delay a writer. */
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
    if (command === undefined) throw new Error(`Unknown store command ${name}.`)
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

/** Whether the disk or the file is the cause, rather than a mistake in a command. */
function isStorageFailure(thrown: unknown): boolean {
  return (
    isDamage(thrown) ||
    (thrown instanceof SQLiteError &&
      /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM|PROTOCOL)/.test(thrown.code ?? ''))
  )
}

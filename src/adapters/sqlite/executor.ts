import { type Database, SQLiteError } from 'bun:sqlite'
import type { Change } from '../../core/events.ts'
import type { Once } from '../../core/store.ts'
import { createReads, createWrites, type Reads, readVersion, type Writes } from './commands.ts'
import { createMessageCommands, type MessageCommands } from './messages.ts'

export type Call = {
  readonly name: keyof Writes | keyof Reads | keyof MessageCommands
  readonly args: readonly unknown[]
  readonly once?: Once | undefined
}

export type Result =
  | {
      readonly value: unknown
      readonly version: number
      readonly changes: readonly Change[]
      readonly repeated: boolean
    }
  | { readonly error: 'unavailable' | 'key-reused' | 'failed'; readonly detail: string }

/** Outcomes kept for who repeats a write: none older than they asked for, and never more than this. */
const MAX_REMEMBERED = 1_000_000

/** Runs calls in batches: the writes of a batch share one commit, and so one wait for the disk. */
export class Executor {
  readonly #db: Database
  readonly #writes: Writes
  /** What needs no part in the batch's transaction. */
  readonly #others: Reads & MessageCommands
  readonly #statements: ReturnType<typeof prepare>
  #version: number
  #changes: Change[] = []

  constructor(db: Database, messages: Database) {
    this.#db = db
    this.#writes = createWrites(db, (draft) => {
      const change = { ...draft, version: ++this.#version }
      this.#changes.push(change)
      return change
    })
    this.#others = { ...createReads(db), ...createMessageCommands(messages) }
    this.#statements = prepare(db)
    this.#version = readVersion(db)
  }

  run(calls: readonly Call[]): Result[] {
    const results = new Map<Call, Result>()
    const writes = calls.filter((call) => call.name in this.#writes)
    if (writes.length > 0) this.#commit(writes, results)
    for (const call of calls) if (call.name in this.#others) results.set(call, this.#runAlone(call))
    return calls.map((call) => results.get(call) ?? failure(new Error(`There is no command ${call.name}.`)))
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
      if (calls.length > 1 && !isDiskTrouble(thrown)) for (const call of calls) this.#commit([call], results)
      else for (const call of calls) results.set(call, failure(thrown))
    }
  }

  #write(call: Call): Result {
    this.#changes = []
    return call.once === undefined ? this.#execute(call) : this.#executeOnce(call, call.once)
  }

  #execute({ name, args }: Call): Result {
    const command = this.#writes[name as keyof Writes] as (...args: readonly unknown[]) => unknown
    const value = command(...args)
    return { value, version: this.#version, changes: this.#changes, repeated: false }
  }

  #executeOnce(call: Call, { key, fingerprint, at, expiresAt }: Once): Result {
    this.#statements.forget.run(at)
    const known = this.#statements.find.get(key)
    if (known !== null) {
      if (known.fingerprint !== fingerprint) return { error: 'key-reused', detail: key }
      const { value } = JSON.parse(known.outcome)
      return { value, version: this.#version, changes: [], repeated: true }
    }
    const result = this.#execute(call)
    if ('value' in result) {
      const { seq } = this.#statements.insert.get(key, fingerprint, JSON.stringify(result), expiresAt) ?? {
        seq: 0,
      }
      this.#statements.forgetOldest.run(seq - MAX_REMEMBERED)
    }
    return result
  }

  #runAlone({ name, args }: Call): Result {
    try {
      const command = this.#others[name as keyof Reads] as (...args: readonly unknown[]) => unknown
      return { value: command(...args), version: this.#version, changes: [], repeated: false }
    } catch (thrown) {
      return failure(thrown)
    }
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

function failure(thrown: unknown): Result {
  const detail = thrown instanceof Error ? thrown.message : String(thrown)
  return { error: isDiskTrouble(thrown) ? 'unavailable' : 'failed', detail }
}

/** What may pass by itself, or what only an operator can mend; never a mistake in a command. */
function isDiskTrouble(thrown: unknown): boolean {
  return (
    thrown instanceof SQLiteError &&
    /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL)/.test(thrown.code ?? '')
  )
}

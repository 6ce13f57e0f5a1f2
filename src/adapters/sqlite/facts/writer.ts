import type { Database } from 'bun:sqlite'
import type { Idempotency } from '../../../core/context.ts'
import type { Change } from '../../../core/events.ts'
import { type Call, type Executor, failure, isStorageFailure, type Result } from '../executor.ts'
import { createWrites, type FactWrites, readVersion } from './commands.ts'

/** Outcomes kept for repeated writes; the oldest are evicted. */
const MAX_REMEMBERED = 1_000_000

/** Runs the writes of a batch in one transaction, so that they share one flush to disk. */
export class FactWriter implements Executor {
  readonly #db: Database
  readonly #writes: FactWrites
  readonly #statements: ReturnType<typeof prepare>
  readonly #maxRemembered: number
  #version: number
  #changes: Change[] = []

  constructor(db: Database, maxRemembered = MAX_REMEMBERED) {
    this.#db = db
    this.#maxRemembered = maxRemembered
    this.#writes = createWrites(db, (draft) => {
      const change = { ...draft, version: ++this.#version }
      this.#changes.push(change)
      return change
    })
    this.#statements = prepare(db)
    this.#version = readVersion(db)
  }

  /** Commits all calls, or none if the storage fails. If one call fails, each runs in its own transaction. */
  run(calls: readonly Call[]): Result[] {
    const versionBefore = this.#version
    try {
      this.#statements.begin.run()
      const results = calls.map((call) => this.#write(call))
      if (this.#version !== versionBefore) this.#statements.setVersion.run(this.#version)
      this.#statements.commit.run()
      return results
    } catch (thrown) {
      if (this.#db.inTransaction) this.#statements.rollback.run()
      this.#version = versionBefore
      if (calls.length > 1 && !isStorageFailure(thrown)) return calls.flatMap((call) => this.run([call]))
      return calls.map(() => failure(thrown, this.#db))
    }
  }

  #write(call: Call): Result {
    this.#changes = []
    const idempotency = call.context?.idempotency
    return idempotency === undefined ? this.#execute(call) : this.#executeOnce(call, idempotency)
  }

  #execute({ name, args, texts = [] }: Call): Result {
    const command: unknown = this.#writes[name as keyof FactWrites]
    if (typeof command !== 'function') throw new Error(`There is no command ${name}.`)
    const value: unknown = command(...args, ...texts)
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

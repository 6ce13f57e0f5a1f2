import type { Database } from 'bun:sqlite'
import type { Idempotency } from '../../../core/context.ts'
import type { Change } from '../../../core/events.ts'
import { type Clock, systemClock } from '../../../core/ports/clock.ts'
import type { FilterListOutcome } from '../../../core/ports/fact-store.ts'
import { type Call, type Executor, failure, isStorageFailure, type Result } from '../executor.ts'
import { CHANGE_RETENTION, type ChangeRetention, createChangeWrites, readVersion } from './changes.ts'
import { createWrites, type FactWrites } from './commands.ts'
import type { Draft } from './record.ts'

export interface FactWriterOptions {
  /** Outcomes kept for repeated writes; the oldest are evicted. */
  readonly maxRemembered?: number
  readonly changeRetention?: ChangeRetention
  readonly clock?: Clock
}

/** Not remembered: a retry may state another expected version, which is not part of the fingerprint. */
const STALE: FilterListOutcome = 'stale'

const DEFAULTS = { maxRemembered: 1_000_000, changeRetention: CHANGE_RETENTION, clock: systemClock }

/** Runs the writes of a batch in one transaction, so that they share one flush to disk. */
export class FactWriter implements Executor {
  readonly #db: Database
  readonly #writes: FactWrites
  readonly #statements: ReturnType<typeof prepare>
  readonly #changeWrites: ReturnType<typeof createChangeWrites>
  readonly #options: Required<FactWriterOptions>
  #version: number
  #changes: Change[] = []
  /** The time of the transaction. */
  #now = 0

  constructor(db: Database, options: FactWriterOptions = {}) {
    this.#db = db
    this.#options = { ...DEFAULTS, ...options }
    this.#changeWrites = createChangeWrites(db, this.#options.changeRetention)
    this.#writes = createWrites(db, (draft) => this.#record(draft))
    this.#statements = prepare(db)
    this.#version = readVersion(db)
  }

  /** Commits all calls, or none if the storage fails. If one call fails, each runs in its own transaction. */
  run(calls: readonly Call[]): Result[] {
    const versionBefore = this.#version
    try {
      this.#now = this.#options.clock()
      this.#statements.begin.run()
      const results = calls.map((call) => this.#write(call))
      if (this.#version !== versionBefore) this.#changeWrites.finish(this.#version, this.#now)
      this.#statements.commit.run()
      return results
    } catch (thrown) {
      if (this.#db.inTransaction) this.#statements.rollback.run()
      this.#version = versionBefore
      if (calls.length > 1 && !isStorageFailure(thrown)) return calls.flatMap((call) => this.run([call]))
      return calls.map(() => failure(thrown, this.#db))
    }
  }

  #record(draft: Draft): Change {
    const change = { ...draft, version: ++this.#version }
    this.#changeWrites.insert(draft, change.version, this.#now)
    this.#changes.push(change)
    return change
  }

  #write(call: Call): Result {
    this.#changes = []
    const idempotency = call.context?.idempotency
    return idempotency === undefined ? this.#execute(call) : this.#executeOnce(call, idempotency)
  }

  #execute({ name, args, attachments }: Call): Result {
    const command: unknown = this.#writes[name as keyof FactWrites]
    if (typeof command !== 'function') throw new Error(`There is no command ${name}.`)
    const value: unknown = command(...args, ...(attachments?.texts ?? []))
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
    if ('value' in result && result.value !== STALE) {
      const outcome = JSON.stringify({ value: result.value, version: result.version })
      const { seq } = this.#statements.insert.get(key, fingerprint, outcome, expiresAt) ?? { seq: 0 }
      this.#statements.forgetOldest.run(seq - this.#options.maxRemembered)
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
})

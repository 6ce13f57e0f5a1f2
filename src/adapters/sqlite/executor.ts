import { SQLiteError } from 'bun:sqlite'
import type { CallContext } from '../../core/context.ts'
import type { Change } from '../../core/events.ts'
import { isDamage } from './database.ts'
import { type Attachments, WithAttachments } from './envelope.ts'

export interface Call {
  readonly name: string
  readonly args: readonly unknown[]
  /** Of a write of the facts. */
  readonly context?: CallContext
  /** Its texts are passed as the last arguments. */
  readonly attachments?: Attachments | undefined
}

export type Result =
  | {
      readonly value: unknown
      readonly version: number
      readonly changes: readonly Change[]
      readonly repeated: boolean
      readonly attachments?: Attachments | undefined
    }
  | {
      /** `damaged`: no later attempt on this file can succeed. */
      readonly error: 'unavailable' | 'key-reused' | 'failed' | 'damaged'
      readonly detail: string
      readonly attachments?: undefined
    }

/** Runs a batch of calls and returns a result for each. */
export interface Executor {
  run(calls: readonly Call[]): Result[]
}

/** Runs each call of a batch separately. */
export class SeparateExecutor implements Executor {
  readonly #file: { readonly filename: string }
  readonly #commands: ReadonlyMap<string, unknown>

  /** `file` names the file that errors are about. */
  constructor(file: { readonly filename: string }, commands: object) {
    this.#file = file
    this.#commands = new Map(Object.entries(commands))
  }

  run(calls: readonly Call[]): Result[] {
    return calls.map((call) => this.#run(call))
  }

  #run({ name, args }: Call): Result {
    const command = this.#commands.get(name)
    try {
      if (typeof command !== 'function') throw new Error(`There is no command ${name}.`)
      const value: unknown = command(...args)
      const returned = value instanceof WithAttachments ? value : { value }
      return { ...returned, version: 0, changes: [], repeated: false }
    } catch (thrown) {
      return failure(thrown, this.#file)
    }
  }
}

export function failure(thrown: unknown, { filename }: { readonly filename: string }): Result {
  const detail = `${filename}: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  if (isDamage(thrown)) return { error: 'damaged', detail }
  return { error: isStorageFailure(thrown) ? 'unavailable' : 'failed', detail }
}

/** Failures that heal or that an operator can repair, as opposed to a defect in a command. */
export function isStorageFailure(thrown: unknown): boolean {
  return (
    isDamage(thrown) ||
    (thrown instanceof SQLiteError &&
      /^SQLITE_(FULL|IOERR|BUSY|READONLY|CANTOPEN|NOMEM|PROTOCOL)/.test(thrown.code ?? ''))
  )
}

import { ChatError } from '../../core/errors.ts'
import { Batcher } from '../batcher.ts'
import { RESTORE } from './database.ts'
import type { Call, Result } from './executor.ts'
import { FileGuard, FileLostError } from './file-guard.ts'
import { Verification } from './verification.ts'
import { type ConnectionOptions, WorkerConnection } from './worker-connection.ts'
import type { Mode } from './worker-host.ts'

const MAX_QUEUED = 10_000
const INSPECT_MS = 3000

/** Writes share a commit. A result of a read can be long, so each is received in its own turn of the event loop. */
const MAX_BATCH: Readonly<Record<Mode, number>> = { write: MAX_QUEUED, read: 1 }

export interface StoreOptions extends ConnectionOptions {
  /** Called after each batch of writes, for metrics. */
  readonly observe: (batch: { readonly calls: number; readonly seconds: number }) => void
  /** Other files whose loss is as bad as that of the database. */
  readonly companions?: readonly string[]
  /** How often the file is inspected for loss and damage. */
  readonly inspectEveryMs?: number
  readonly maxQueued?: number
}

export type Success = Extract<Result, { value: unknown }>

interface Channel {
  readonly connection: WorkerConnection
  readonly batcher: Batcher<Call, Result>
}

/** The workers of one database file: one that writes, and one that reads beside it on a read-only connection. */
export class StoreWorkers {
  readonly #options: StoreOptions
  readonly #writer: Channel
  readonly #guard: FileGuard
  readonly #timer: ReturnType<typeof setInterval>
  #reader: Promise<Channel> | undefined
  #openReader: Channel | undefined
  #inspecting: Promise<void> | undefined
  #verification: Verification | undefined
  #failure: Error | undefined
  #watched: readonly string[] = []

  private constructor(parts: { connection: WorkerConnection; guard: FileGuard }, options: StoreOptions) {
    this.#options = options
    this.#writer = this.#createChannel('write', parts.connection)
    this.#guard = parts.guard
    this.#timer = setInterval(() => {
      this.#inspecting ??= this.#inspect().finally(() => {
        this.#inspecting = undefined
      })
    }, options.inspectEveryMs ?? INSPECT_MS)
  }

  /** Throws if the data file cannot be used. */
  static async open(options: StoreOptions): Promise<StoreWorkers> {
    let workers: StoreWorkers | undefined
    const onFailure = (error: Error) =>
      workers === undefined ? options.onFailure(error) : workers.#fail(error)
    const connection = await WorkerConnection.open('write', { ...options, onFailure })
    try {
      const guard = await FileGuard.open([options.path], options.companions ?? [])
      workers = new StoreWorkers({ connection, guard }, options)
      return workers
    } catch (thrown) {
      await connection.close()
      throw thrown
    }
  }

  /** Calls that are queued or running. */
  get queueLength(): number {
    return this.#writer.batcher.length + (this.#openReader?.batcher.length ?? 0)
  }

  async write(call: Call): Promise<Success> {
    return this.#unwrap(await this.#writer.batcher.run(call))
  }

  /** The reader is started by the first read, so that the start of the server does not wait for it. */
  async read(call: Call): Promise<Success> {
    const { batcher } = await this.#requireReader()
    return this.#unwrap(await batcher.run(call))
  }

  /** Replaces the databases, besides the one at `path`, whose loss or damage is a failure. They must be open already. */
  async watch(databases: readonly string[]): Promise<void> {
    await this.#inspecting
    this.#watched = databases
    await this.#guard.watch(databases).catch((thrown: unknown) => {
      if (thrown instanceof FileLostError) this.#fail(thrown)
      throw thrown
    })
  }

  /** Closes the reader first: the last connection to a file in WAL mode cleans up, which needs write access. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#inspecting
    this.#failure ??= new Error('The store is closed.')
    this.#verification?.stop()
    const reader = await this.#reader?.catch(() => undefined)
    for (const channel of [reader, this.#writer]) {
      await channel?.batcher.whenIdle()
      await channel?.connection.close()
    }
    this.#guard.close()
  }

  #createChannel(mode: Mode, connection: WorkerConnection): Channel {
    const { maxQueued = MAX_QUEUED, observe } = this.#options
    const batcher = new Batcher<Call, Result>({
      run: (calls) => connection.run(calls),
      maxQueued,
      maxBatch: MAX_BATCH[mode],
      ...(mode === 'write' && { observe }),
    })
    return { connection, batcher }
  }

  async #requireReader(): Promise<Channel> {
    if (this.#failure !== undefined) throw new ChatError('unavailable', { cause: this.#failure })
    this.#reader ??= this.#startReader()
    return this.#reader
  }

  async #startReader(): Promise<Channel> {
    try {
      const onFailure = (error: Error) => this.#fail(error)
      const connection = await WorkerConnection.open('read', { ...this.#options, onFailure })
      if (this.#failure !== undefined) connection.fail(this.#failure)
      this.#openReader = this.#createChannel('read', connection)
      return this.#openReader
    } catch (thrown) {
      this.#reader = undefined
      throw new ChatError('unavailable', { cause: thrown })
    }
  }

  #unwrap(result: Result): Success {
    if (!('error' in result)) return result
    const { error, detail } = result
    const cause = new Error(`The data file ${detail}`)
    if (error === 'failed') throw cause
    if (error === 'damaged') this.#fail(new Error(`${cause.message}. ${RESTORE}`))
    throw new ChatError(error === 'damaged' ? 'unavailable' : error, { cause })
  }

  /** Damage is reported by `read`. Any other failure may heal. */
  async #inspect(): Promise<void> {
    this.#startVerification()
    try {
      await this.#guard.inspect()
      await this.read({ name: 'inspect', args: [this.#watched] })
    } catch (thrown) {
      if (thrown instanceof FileLostError) this.#fail(thrown)
    }
  }

  /** Not before the first inspection, so that it does not delay the start. */
  #startVerification(): void {
    if (!this.#writer.connection.needsVerification || this.#verification !== undefined) return
    const { startWorker, path } = this.#options
    this.#verification = new Verification(startWorker(), path, (error) => this.#fail(error))
  }

  /** Nothing can be stored any more, so nothing more is acknowledged. */
  #fail(error: Error): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    clearInterval(this.#timer)
    for (const channel of [this.#writer, this.#openReader]) channel?.connection.fail(error)
    this.#options.onFailure(error)
  }
}

import { ChatError } from '../../core/errors.ts'
import { attach, detach, type Envelope, type ItemAttachments, pack, unpack } from './envelope.ts'
import type { Call, Result } from './executor.ts'
import type { FromWorker, Mode, OpenRequest, ToWorker } from './worker-host.ts'

export interface ConnectionOptions extends Pick<OpenRequest, 'path' | 'isInitialized'> {
  readonly startWorker: () => Worker
  /** Called if the worker died or hangs, so that nothing can be stored any more. */
  readonly onFailure: (error: Error) => void
  /** Milliseconds after which an unanswered request counts as stuck. */
  readonly stuckMs?: number
}

/** Longer than any batch takes on a slow disk, including the five seconds that SQLite waits for another process's lock. */
const STUCK_MS = 20_000
const WATCH_MS = 1000
const LATE_WATCH_MS = 5 * WATCH_MS
/** A worker that does not close its file in this time is terminated. */
const CLOSE_MS = 5000

type Reply = { readonly message: FromWorker; readonly attachments: ItemAttachments }

/** A worker that has a database open. It answers requests in order. */
export class WorkerConnection {
  readonly #worker: Worker
  readonly #mode: Mode
  readonly #options: ConnectionOptions
  readonly #pending: PromiseWithResolvers<Reply>[] = []
  #needsVerification = false
  #watchdog: ReturnType<typeof setInterval> | undefined
  #failure: Error | undefined
  /** Whether the worker can still be expected to answer. */
  #isResponsive = true
  /** When the worker started on the first pending request. */
  #startedAt = 0
  #watchedAt = 0

  private constructor(mode: Mode, options: ConnectionOptions) {
    this.#worker = options.startWorker()
    this.#mode = mode
    this.#options = options
    this.#worker.onmessage = ({ data }: MessageEvent<Envelope>) => this.#receive(data)
    this.#worker.onerror = ({ message }) => this.#lose(`failed: ${message}`)
  }

  /** Throws if the data file cannot be used. */
  static async open(mode: Mode, options: ConnectionOptions): Promise<WorkerConnection> {
    const connection = new WorkerConnection(mode, options)
    const { path, isInitialized } = options
    try {
      const { message } = await connection.#request({ kind: 'open', mode, path, isInitialized })
      if (message.kind === 'failed') throw new Error(message.message)
      connection.#needsVerification = message.kind === 'opened' && message.needsVerification
      connection.#startWatchdog()
      return connection
    } catch (thrown) {
      connection.#end()
      throw thrown instanceof ChatError ? thrown.cause : thrown
    }
  }

  /** Whether the file was opened without a complete check. */
  get needsVerification(): boolean {
    return this.#needsVerification
  }

  async run(calls: readonly Call[]): Promise<readonly Result[]> {
    const { message, attachments } = await this.#request({ kind: 'run', calls: detach(calls) }, calls)
    return message.kind === 'ran' ? attach(message.results, attachments) : []
  }

  /** Rejects pending and later requests. */
  fail(error: Error): void {
    this.#failure ??= error
    // They stay in the list, so that late replies are not taken for those of later requests.
    for (const { reject } of this.#pending) reject(this.#unavailable(error))
  }

  /** Closes the file. */
  async close(): Promise<void> {
    if (this.#isResponsive) await this.#requestClose()
    this.#isResponsive = false
    this.fail(new Error('The store is closed.'))
    this.#end()
  }

  #end(): void {
    clearInterval(this.#watchdog)
    this.#worker.terminate()
  }

  #request(message: ToWorker, calls: readonly Call[] = []): Promise<Reply> {
    if (this.#failure !== undefined && message.kind !== 'close')
      return Promise.reject(this.#unavailable(this.#failure))
    if (this.#pending.length === 0) this.#startedAt = performance.now()
    const reply = Promise.withResolvers<Reply>()
    this.#pending.push(reply)
    this.#worker.postMessage(pack(JSON.stringify(message), calls))
    return reply.promise
  }

  async #requestClose(): Promise<void> {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, CLOSE_MS)
    await Promise.race([this.#request({ kind: 'close' }).catch(() => undefined), late.promise])
    clearTimeout(timer)
  }

  #receive(envelope: Envelope): void {
    const { json, attachments } = unpack(envelope)
    this.#startedAt = performance.now()
    this.#pending.shift()?.resolve({ message: JSON.parse(json), attachments })
  }

  /** Not while the file is opened: its migration and its check may take as long as they need. */
  #startWatchdog(): void {
    this.#watchedAt = performance.now()
    this.#watchdog = setInterval(() => this.#watch(), WATCH_MS)
  }

  #watch(): void {
    const now = performance.now()
    // The whole process was suspended, as a virtual machine can be: the reply may be waiting to be read.
    if (now - this.#watchedAt > LATE_WATCH_MS) this.#startedAt = now
    this.#watchedAt = now
    const stuckMs = this.#options.stuckMs ?? STUCK_MS
    if (this.#pending.length === 0 || now - this.#startedAt < stuckMs) return
    this.#lose(`has been stuck for ${Math.round(stuckMs / 1000)} seconds. Check whether the disk is failing.`)
  }

  #lose(reason: string): void {
    const error = new Error(`The ${this.#mode} worker of the data file ${this.#options.path} ${reason}`)
    this.#isResponsive = false
    clearInterval(this.#watchdog)
    this.fail(error)
    this.#options.onFailure(error)
  }

  #unavailable(cause: Error): ChatError {
    return new ChatError('unavailable', { cause })
  }
}

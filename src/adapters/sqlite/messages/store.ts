import type { SequencedMessage, Timestamp } from '../../../core/model.ts'
import type { LogLimits, MessageStore, PrunedLog } from '../../../core/ports/message-store.ts'
import { forward, type Names, type Remote } from '../forward.ts'
import { type StoreOptions, StoreWorkers } from '../store-workers.ts'
import { packMessages } from './batch.ts'
import { dayOf } from './days.ts'
import { firstKeyAt } from './keys.ts'
import type { LogReader, Reported } from './log-reader.ts'
import type { LogWriter } from './log-writer.ts'

const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

type Writes = LogWriter['commands']
type Reads = LogReader['commands']

const WRITES: Names<Writes> = {
  openDay: true,
  appendMessages: true,
  deleteMessage: true,
  dropFiles: true,
  openSequences: true,
  sealSequences: true,
  check: true,
}

const READS: Names<Reads> = {
  findMessage: true,
  listAround: true,
  listMessages: true,
  countWholeDays: true,
  countInDay: true,
  readSequence: true,
  readLastChatTimes: true,
  findExcess: true,
  inspect: true,
}

const COUNT_SLICE = 100_000

export interface MessageStoreOptions extends Omit<StoreOptions, 'startWorker' | 'companions'> {
  /** Start of the process: the file of this day must be intact. */
  readonly now: Timestamp
  /** Called once for each damaged file, whose messages are skipped. */
  readonly onDamagedFile: (description: string) => void
  /** Messages counted by one call, so that no other read waits long. */
  readonly countSlice?: number
}

/** The message log in SQLite files, one per day. */
export class SqliteMessageStore implements MessageStore {
  readonly #workers: StoreWorkers
  readonly #writes: Remote<Writes>
  readonly #reads: Remote<Reads>
  readonly #onDamagedFile: (description: string) => void
  readonly #countSlice: number
  readonly #damaged = new Set<string>()
  /** The file that messages are appended to. Its loss stops the server. */
  #current: string | null = null

  private constructor(workers: StoreWorkers, { onDamagedFile, countSlice }: MessageStoreOptions) {
    this.#workers = workers
    this.#onDamagedFile = onDamagedFile
    this.#countSlice = countSlice ?? COUNT_SLICE
    this.#writes = forward(WRITES, async (name, args) => (await workers.write({ name, args })).value)
    this.#reads = forward(READS, async (name, args) => (await workers.read({ name, args })).value)
  }

  /** Throws if the sequences or the file of today cannot be used. */
  static async open(options: MessageStoreOptions): Promise<SqliteMessageStore> {
    const workers = await StoreWorkers.open({ startWorker, ...options })
    const store = new SqliteMessageStore(workers, options)
    try {
      await store.#watch(await store.#writes.openDay(dayOf(options.now)))
      return store
    } catch (thrown) {
      await workers.close()
      throw thrown
    }
  }

  get queueLength(): number {
    return this.#workers.queueLength
  }

  async appendMessages(messages: readonly SequencedMessage[]): Promise<void> {
    if (messages.length > 0) await this.#watch(await this.#writes.appendMessages(packMessages(messages)))
  }

  async findMessage(id: string) {
    return this.#report(await this.#reads.findMessage(id))
  }

  async deleteMessage(id: string, at: Timestamp) {
    return this.#writes.deleteMessage(id, at)
  }

  async listAround({ id, shard, epoch, seq }: SequencedMessage, eachSide: number) {
    return this.#report(await this.#reads.listAround({ id, shard, epoch, seq }, eachSide))
  }

  async listMessages(page: Parameters<MessageStore['listMessages']>[0]) {
    return this.#report(await this.#reads.listMessages(page))
  }

  async countMessages(since: Timestamp, limit: number): Promise<number> {
    let counted = this.#report(await this.#reads.countWholeDays(since, limit))
    let from: number | undefined = firstKeyAt(since)
    while (from !== undefined && counted < limit) {
      const size = Math.min(this.#countSlice, limit - counted)
      const slice: { messages: number; next?: number | undefined } | undefined = this.#report(
        await this.#reads.countInDay(dayOf(since), from, size),
      )
      counted += slice?.messages ?? 0
      from = slice?.next
    }
    return counted
  }

  /** The reader lets go of the files before the writer removes them, so that their space is freed. */
  async pruneMessages(limits: LogLimits): Promise<PrunedLog> {
    const { files: excess, keptBytes: bytes } = this.#report(await this.#reads.findExcess(limits))
    if (excess.length === 0) return { dropped: [], bytes }
    const files = excess.map(({ file }) => file)
    if (this.#current !== null && files.includes(this.#current)) await this.#watch(null)
    await this.#writes.dropFiles(files, limits.before)
    return { dropped: excess.map(({ file: _, ...dropped }) => dropped), bytes }
  }

  openSequences() {
    return this.#writes.openSequences()
  }

  sealSequences() {
    return this.#writes.sealSequences()
  }

  async readSequence(...args: Parameters<MessageStore['readSequence']>) {
    return this.#report(await this.#reads.readSequence(...args))
  }

  async readLastChatTimes(shards: Parameters<MessageStore['readLastChatTimes']>[0]) {
    const times = this.#report(await this.#reads.readLastChatTimes(shards))
    return times.map((at) => at ?? undefined)
  }

  check() {
    return this.#writes.check()
  }

  close(): Promise<void> {
    return this.#workers.close()
  }

  async #watch(file: string | null): Promise<void> {
    if (file === this.#current) return
    this.#current = file
    await this.#workers.watch(file === null ? [] : [file])
  }

  #report<T>({ value, damaged }: Reported<T>): T {
    for (const description of damaged) {
      if (this.#damaged.has(description)) continue
      this.#damaged.add(description)
      this.#onDamagedFile(description)
    }
    return value
  }
}

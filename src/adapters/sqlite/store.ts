import type {
  Ban,
  ContextMessage,
  LoggedMessage,
  NewReport,
  Report,
  SequencedMessage,
  Shard,
  Timestamp,
} from '../../core/model.ts'
import type { ChannelHistory } from '../../core/ports/bus.ts'
import type {
  ChannelDeletion,
  ChannelDeletionOutcome,
  ChannelInsertion,
  ChannelQuota,
  ChannelUpdate,
  ChannelUpdateOutcome,
  Committed,
  FilterListEdit,
  FilterListOutcome,
  Idempotency,
  LastChatTime,
  LastChatTimePage,
  MessagePage,
  NewBan,
  NewChannel,
  ReportInsertion,
  ReportQuota,
  Snapshot,
  Store,
} from '../../core/ports/store.ts'
import type { Writes } from './commands.ts'
import { withoutText, withText } from './envelope.ts'
import type { AllReads, OtherWrites } from './executor.ts'
import { FileGuard, FileLostError } from './file-guard.ts'
import { type QueueOptions, WorkerQueue } from './queue.ts'

export interface StoreOptions extends QueueOptions {
  /** Other files whose loss is as serious as that of a database. */
  readonly companions?: readonly string[]
  /** Interval between inspections of the files. */
  readonly inspectEveryMs?: number
}

const INSPECT_EVERY_MS = 3000

/** Facts in one SQLite file, messages in another, through a write worker and a read worker. */
export class SqliteStore implements Store {
  readonly #writer: WorkerQueue
  readonly #reader: WorkerQueue
  readonly #guard: FileGuard
  readonly #options: StoreOptions
  readonly #timer: ReturnType<typeof setInterval>
  #inspecting: Promise<void> | undefined
  #hasFailed = false

  private constructor(
    parts: { writer: WorkerQueue; reader: WorkerQueue; guard: FileGuard },
    options: StoreOptions,
  ) {
    this.#writer = parts.writer
    this.#reader = parts.reader
    this.#guard = parts.guard
    this.#options = options
    this.#timer = setInterval(() => {
      this.#inspecting ??= this.#inspect().finally(() => {
        this.#inspecting = undefined
      })
    }, options.inspectEveryMs ?? INSPECT_EVERY_MS)
  }

  static async open(options: StoreOptions): Promise<SqliteStore> {
    await using opened = new AsyncDisposableStack()
    let store: SqliteStore | undefined
    const onFailure = (error: Error) => (store === undefined ? options.onFailure(error) : store.#fail(error))
    const own = { ...options, onFailure }
    const writer = opened.adopt(await WorkerQueue.open('write', own), (each) => each.close())
    const reader = opened.adopt(await WorkerQueue.open('read', own), (each) => each.close())
    const guard = await FileGuard.open([options.path, options.messagesPath], options.companions ?? [])
    opened.move()
    store = new SqliteStore({ writer, reader, guard }, options)
    return store
  }

  /** Calls that are queued or running. */
  get queueLength(): number {
    return this.#writer.length + this.#reader.length
  }

  insertChannel(
    channel: NewChannel,
    quota: ChannelQuota,
    idempotency?: Idempotency,
  ): Promise<Committed<ChannelInsertion>> {
    return this.#write('insertChannel', [channel, quota], idempotency)
  }

  updateChannel(update: ChannelUpdate, idempotency?: Idempotency): Promise<Committed<ChannelUpdateOutcome>> {
    return this.#write('updateChannel', [update], idempotency)
  }

  deleteChannel(
    deletion: ChannelDeletion,
    idempotency?: Idempotency,
  ): Promise<Committed<ChannelDeletionOutcome>> {
    return this.#write('deleteChannel', [deletion], idempotency)
  }

  putBan(ban: NewBan, idempotency?: Idempotency): Promise<Committed<Ban>> {
    return this.#write('putBan', [ban], idempotency)
  }

  liftBan(playerId: string, at: Timestamp, idempotency?: Idempotency): Promise<Committed<boolean>> {
    return this.#write('liftBan', [playerId, at], idempotency)
  }

  async replaceFilterList(
    edit: FilterListEdit,
    idempotency?: Idempotency,
  ): Promise<Committed<FilterListOutcome>> {
    const { list } = edit
    const { value, version, changes } = await this.#writer.run({
      name: 'replaceFilterList',
      args: [{ ...edit, list: withoutText(list) }],
      texts: [list.expressions.text],
      idempotency,
    })
    return {
      value: value as FilterListOutcome,
      version,
      changes: changes.map((change) => (change.kind === 'filter-list-set' ? { ...change, list } : change)),
    }
  }

  async insertReport(report: NewReport, quota: ReportQuota): Promise<ReportInsertion> {
    return (await this.#write('insertReport', [report, quota])).value
  }

  findReport(reporterId: string, messageId: string): Promise<number | undefined> {
    return this.#read('findReport', [reporterId, messageId])
  }

  readContext(messageId: string): Promise<ContextMessage[]> {
    return this.#read('readContext', [messageId])
  }

  appendMessages(messages: readonly SequencedMessage[]): Promise<void> {
    return this.#run('appendMessages', [messages])
  }

  findMessage(id: string): Promise<LoggedMessage | undefined> {
    return this.#read('findMessage', [id])
  }

  deleteMessage(id: string, at: Timestamp): Promise<LoggedMessage | undefined> {
    return this.#run('deleteMessage', [id, at])
  }

  listAround(message: SequencedMessage, each: number): Promise<LoggedMessage[]> {
    return this.#read('listAround', [message, each])
  }

  listMessages(page: MessagePage): Promise<LoggedMessage[]> {
    return this.#read('listMessages', [page])
  }

  countMessages(since: Timestamp, limit: number): Promise<number> {
    return this.#read('countMessages', [since, limit])
  }

  pruneMessages(before: Timestamp, limit: number): Promise<number> {
    return this.#run('pruneMessages', [before, limit])
  }

  openSequences(): Promise<string> {
    return this.#run('openSequences', [])
  }

  sealSequences(): Promise<void> {
    return this.#run('sealSequences', [])
  }

  readSequence(shard: Shard, messages: number): Promise<ChannelHistory | undefined> {
    return this.#read('readSequence', [shard, messages])
  }

  listLastChatTimes(page: LastChatTimePage): Promise<LastChatTime[]> {
    return this.#read('listLastChatTimes', [page])
  }

  async remember<T extends string>(
    outcome: T,
    idempotency: Idempotency,
  ): Promise<{ outcome: T; repeated: boolean }> {
    const { value, repeated } = await this.#writer.run({ name: 'remember', args: [outcome], idempotency })
    return { outcome: value as T, repeated }
  }

  async readSnapshot(at: Timestamp): Promise<Snapshot> {
    const { value, texts = [] } = await this.#reader.run({ name: 'readSnapshot', args: [at] })
    const snapshot = value as Snapshot
    const filterLists = snapshot.filterLists.map((list, index) => withText(list, texts[index] ?? ''))
    return { ...snapshot, filterLists }
  }

  listReports(page: { before: number | undefined; limit: number }): Promise<Report[]> {
    return this.#read('listReports', [page.before ?? Number.MAX_SAFE_INTEGER, page.limit])
  }

  async check(): Promise<void> {
    await Promise.all([this.#run('check', []), this.#read('check', [])])
  }

  /** Closes the reader first: the last connection to a WAL database checkpoints it, which needs write access. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#inspecting
    await this.#reader.close()
    await this.#writer.close()
    this.#guard.close()
  }

  /** Ignores other errors: the queues report damage, and anything else may be transient. */
  async #inspect(): Promise<void> {
    try {
      await this.#guard.inspect()
      await this.#read('inspect', [])
      await this.#read('inspectMessages', [])
    } catch (thrown) {
      if (thrown instanceof FileLostError) this.#fail(thrown)
    }
  }

  /** Nothing can be stored any more, so nothing may be acknowledged. */
  #fail(error: Error): void {
    if (this.#hasFailed) return
    this.#hasFailed = true
    clearInterval(this.#timer)
    this.#writer.fail(error)
    this.#reader.fail(error)
    this.#options.onFailure(error)
  }

  async #write<N extends keyof Writes>(
    name: N,
    args: Parameters<Writes[N]>,
    idempotency?: Idempotency,
  ): Promise<Committed<ReturnType<Writes[N]>>> {
    const { value, version, changes } = await this.#writer.run({ name, args, idempotency })
    return { value: value as ReturnType<Writes[N]>, version, changes }
  }

  async #run<N extends keyof OtherWrites>(
    name: N,
    args: Parameters<OtherWrites[N]>,
  ): Promise<ReturnType<OtherWrites[N]>> {
    return (await this.#writer.run({ name, args })).value as ReturnType<OtherWrites[N]>
  }

  async #read<N extends keyof AllReads>(
    name: N,
    args: Parameters<AllReads[N]>,
  ): Promise<ReturnType<AllReads[N]>> {
    return (await this.#reader.run({ name, args })).value as ReturnType<AllReads[N]>
  }
}

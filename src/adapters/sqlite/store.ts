import type {
  Ban,
  Channel,
  ChannelKey,
  ChannelSettings,
  LoggedMessage,
  NewReport,
  Report,
  SequencedMessage,
  Timestamp,
} from '../../core/model.ts'
import type {
  ChannelDeletion,
  ChannelDeletionOutcome,
  ChannelInsertion,
  ChannelQuota,
  Committed,
  FilterListEdit,
  FilterListOutcome,
  MessagePage,
  NewBan,
  NewChannel,
  Once,
  ReportInsertion,
  ReportQuota,
  Snapshot,
  Store,
} from '../../core/store.ts'
import type { Reads, Writes } from './commands.ts'
import type { MessageCommands } from './messages.ts'
import { type QueueOptions, WorkerQueue } from './queue.ts'

type Others = Reads & MessageCommands

/** Facts in one SQLite file, messages in another, through a worker thread. */
export class SqliteStore implements Store {
  readonly #queue: WorkerQueue

  private constructor(queue: WorkerQueue) {
    this.#queue = queue
  }

  static async open(options: QueueOptions): Promise<SqliteStore> {
    return new SqliteStore(await WorkerQueue.open(options))
  }

  /** Calls that wait for the disk. */
  get queueLength(): number {
    return this.#queue.length
  }

  insertChannel(channel: NewChannel, quota: ChannelQuota, once?: Once): Promise<Committed<ChannelInsertion>> {
    return this.#write('insertChannel', [channel, quota], once)
  }

  updateChannel(
    key: ChannelKey,
    settings: Partial<ChannelSettings>,
    once?: Once,
  ): Promise<Committed<Channel | undefined>> {
    return this.#write('updateChannel', [key, settings], once)
  }

  deleteChannel(deletion: ChannelDeletion, once?: Once): Promise<Committed<ChannelDeletionOutcome>> {
    return this.#write('deleteChannel', [deletion], once)
  }

  putBan(ban: NewBan, once?: Once): Promise<Committed<Ban>> {
    return this.#write('putBan', [ban], once)
  }

  liftBan(playerId: string, at: Timestamp, once?: Once): Promise<Committed<boolean>> {
    return this.#write('liftBan', [playerId, at], once)
  }

  replaceFilterList(edit: FilterListEdit, once?: Once): Promise<Committed<FilterListOutcome>> {
    return this.#write('replaceFilterList', [edit], once)
  }

  async insertReport(report: NewReport, quota: ReportQuota): Promise<ReportInsertion> {
    return (await this.#write('insertReport', [report, quota])).value
  }

  appendMessages(messages: readonly SequencedMessage[]): Promise<void> {
    return this.#run('appendMessages', [messages])
  }

  findMessage(id: string): Promise<LoggedMessage | undefined> {
    return this.#run('findMessage', [id])
  }

  deleteMessage(id: string, at: Timestamp): Promise<LoggedMessage | undefined> {
    return this.#run('deleteMessage', [id, at])
  }

  listAround(message: SequencedMessage, each: number): Promise<LoggedMessage[]> {
    return this.#run('listAround', [message, each])
  }

  listMessages(page: MessagePage): Promise<LoggedMessage[]> {
    return this.#run('listMessages', [page])
  }

  countMessages(since: Timestamp, limit: number): Promise<number> {
    return this.#run('countMessages', [since, limit])
  }

  pruneMessages(before: Timestamp, limit: number): Promise<number> {
    return this.#run('pruneMessages', [before, limit])
  }

  async remember<T extends string>(outcome: T, once: Once): Promise<{ outcome: T; repeated: boolean }> {
    const { value, repeated } = await this.#queue.run({ name: 'remember', args: [outcome], once })
    return { outcome: value as T, repeated }
  }

  readSnapshot(at: Timestamp): Promise<Snapshot> {
    return this.#run('readSnapshot', [at])
  }

  listReports(page: { before: number | undefined; limit: number }): Promise<Report[]> {
    return this.#run('listReports', [page.before ?? Number.MAX_SAFE_INTEGER, page.limit])
  }

  async check(): Promise<void> {
    await this.#run('check', [])
  }

  close(): Promise<void> {
    return this.#queue.close()
  }

  async #write<N extends keyof Writes>(
    name: N,
    args: Parameters<Writes[N]>,
    once?: Once,
  ): Promise<Committed<ReturnType<Writes[N]>>> {
    const { value, version, changes } = await this.#queue.run({ name, args, once })
    return { value: value as ReturnType<Writes[N]>, version, changes }
  }

  async #run<N extends keyof Others>(name: N, args: Parameters<Others[N]>): Promise<ReturnType<Others[N]>> {
    return (await this.#queue.run({ name, args })).value as ReturnType<Others[N]>
  }
}

import type { Recent } from '../../core/bus.ts'
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
  LastChat,
  LastChatPage,
  MessagePage,
  NewBan,
  NewChannel,
  Once,
  ReportInsertion,
  ReportQuota,
  Snapshot,
  Store,
} from '../../core/store.ts'
import type { Writes } from './commands.ts'
import type { AllReads, OtherWrites } from './executor.ts'
import { type QueueOptions, WorkerQueue } from './queue.ts'
import { withoutText, withText } from './texts.ts'

/** Facts in one SQLite file, messages in another, through a thread that writes and one that reads. */
export class SqliteStore implements Store {
  readonly #writer: WorkerQueue
  readonly #reader: WorkerQueue

  private constructor(writer: WorkerQueue, reader: WorkerQueue) {
    this.#writer = writer
    this.#reader = reader
  }

  static async open(options: QueueOptions): Promise<SqliteStore> {
    const writer = await WorkerQueue.open('write', options)
    try {
      return new SqliteStore(writer, await WorkerQueue.open('read', options))
    } catch (thrown) {
      await writer.close()
      throw thrown
    }
  }

  /** Calls that wait for the disk. */
  get queueLength(): number {
    return this.#writer.length + this.#reader.length
  }

  insertChannel(channel: NewChannel, quota: ChannelQuota, once?: Once): Promise<Committed<ChannelInsertion>> {
    return this.#write('insertChannel', [channel, quota], once)
  }

  updateChannel(update: ChannelUpdate, once?: Once): Promise<Committed<ChannelUpdateOutcome>> {
    return this.#write('updateChannel', [update], once)
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

  async replaceFilterList(edit: FilterListEdit, once?: Once): Promise<Committed<FilterListOutcome>> {
    const { list } = edit
    const { value, version, changes } = await this.#writer.run({
      name: 'replaceFilterList',
      args: [{ ...edit, list: withoutText(list) }],
      texts: [list.expressions.text],
      once,
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

  readSequence(shard: Shard, messages: number): Promise<Recent | undefined> {
    return this.#read('readSequence', [shard, messages])
  }

  listLastChats(page: LastChatPage): Promise<LastChat[]> {
    return this.#read('listLastChats', [page])
  }

  async remember<T extends string>(outcome: T, once: Once): Promise<{ outcome: T; repeated: boolean }> {
    const { value, repeated } = await this.#writer.run({ name: 'remember', args: [outcome], once })
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

  /** The reader first: the last to close a file in WAL mode tidies it up, for which it has to be able to write. */
  async close(): Promise<void> {
    await this.#reader.close()
    await this.#writer.close()
  }

  async #write<N extends keyof Writes>(
    name: N,
    args: Parameters<Writes[N]>,
    once?: Once,
  ): Promise<Committed<ReturnType<Writes[N]>>> {
    const { value, version, changes } = await this.#writer.run({ name, args, once })
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

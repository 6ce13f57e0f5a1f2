import type {
  Ban,
  Channel,
  ChannelKey,
  ChannelSettings,
  NewReport,
  Report,
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
  NewBan,
  Once,
  Snapshot,
  Store,
} from '../../core/store.ts'
import type { Reads, Writes } from './commands.ts'
import { type QueueOptions, WorkerQueue } from './queue.ts'

/** Facts in one SQLite file, through a worker thread. */
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

  insertChannel(channel: Channel, quota: ChannelQuota, once?: Once): Promise<Committed<ChannelInsertion>> {
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

  async insertReport(report: NewReport): Promise<Report> {
    return (await this.#write('insertReport', [report])).value
  }

  async remember<T extends string>(outcome: T, once: Once): Promise<{ outcome: T; repeated: boolean }> {
    const { value, repeated } = await this.#queue.run({ name: 'remember', args: [outcome], once })
    return { outcome: value as T, repeated }
  }

  readSnapshot(at: Timestamp): Promise<Snapshot> {
    return this.#read('readSnapshot', [at])
  }

  listReports(page: { before: number | undefined; limit: number }): Promise<Report[]> {
    return this.#read('listReports', [page.before ?? Number.MAX_SAFE_INTEGER, page.limit])
  }

  async check(): Promise<void> {
    await this.#read('check', [])
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

  async #read<N extends keyof Reads>(name: N, args: Parameters<Reads[N]>): Promise<ReturnType<Reads[N]>> {
    return (await this.#queue.run({ name, args })).value as ReturnType<Reads[N]>
  }
}

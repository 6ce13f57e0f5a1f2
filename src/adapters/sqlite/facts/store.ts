import type { Ban, ContextMessage, NewReport, Report, Timestamp } from '../../../core/model.ts'
import type {
  ChannelDeletion,
  ChannelDeletionOutcome,
  ChannelInsertion,
  ChannelQuota,
  ChannelUpdate,
  ChannelUpdateOutcome,
  Committed,
  FactStore,
  FilterListEdit,
  FilterListOutcome,
  Idempotency,
  NewBan,
  NewChannel,
  ReportInsertion,
  ReportQuota,
  Snapshot,
} from '../../../core/ports/fact-store.ts'
import { withoutText, withText } from '../envelope.ts'
import { type StoreOptions, StoreWorkers } from '../store-workers.ts'
import type { FactReads, FactWrites } from './commands.ts'

const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

export type FactStoreOptions = Omit<StoreOptions, 'startWorker'> & Partial<Pick<StoreOptions, 'startWorker'>>

/** Facts in an SQLite file. */
export class SqliteFactStore implements FactStore {
  readonly #workers: StoreWorkers

  private constructor(workers: StoreWorkers) {
    this.#workers = workers
  }

  static async open(options: FactStoreOptions): Promise<SqliteFactStore> {
    return new SqliteFactStore(await StoreWorkers.open({ startWorker, ...options }))
  }

  /** Calls that are queued or running. */
  get queueLength(): number {
    return this.#workers.queueLength
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
    const { value, version, changes } = await this.#workers.write({
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

  listReports(page: { before: number | undefined; limit: number }): Promise<Report[]> {
    return this.#read('listReports', [page.before ?? Number.MAX_SAFE_INTEGER, page.limit])
  }

  async remember<T extends string>(
    outcome: T,
    idempotency: Idempotency,
  ): Promise<{ outcome: T; repeated: boolean }> {
    const { value, repeated } = await this.#workers.write({ name: 'remember', args: [outcome], idempotency })
    return { outcome: value as T, repeated }
  }

  async readSnapshot(at: Timestamp): Promise<Snapshot> {
    const { value, texts = [] } = await this.#workers.read({ name: 'readSnapshot', args: [at] })
    const snapshot = value as Snapshot
    const filterLists = snapshot.filterLists.map((list, index) => withText(list, texts[index] ?? ''))
    return { ...snapshot, filterLists }
  }

  async check(): Promise<void> {
    await this.#write('check', [])
  }

  close(): Promise<void> {
    return this.#workers.close()
  }

  async #write<N extends keyof FactWrites>(
    name: N,
    args: Parameters<FactWrites[N]>,
    idempotency?: Idempotency,
  ): Promise<Committed<ReturnType<FactWrites[N]>>> {
    const { value, version, changes } = await this.#workers.write({ name, args, idempotency })
    return { value: value as ReturnType<FactWrites[N]>, version, changes }
  }

  async #read<N extends keyof FactReads>(
    name: N,
    args: Parameters<FactReads[N]>,
  ): Promise<ReturnType<FactReads[N]>> {
    return (await this.#workers.read({ name, args })).value as ReturnType<FactReads[N]>
  }
}

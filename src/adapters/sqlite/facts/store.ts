import type { CallContext } from '../../../core/context.ts'
import type { FactStore, FilterListOutcome, Snapshot } from '../../../core/ports/fact-store.ts'
import { withoutText, withText } from '../envelope.ts'
import { forward, type Names, type Remote, type RemoteWrites } from '../forward.ts'
import { type StoreOptions, StoreWorkers } from '../store-workers.ts'
import type { FactReads, FactWrites } from './commands.ts'

const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

export type FactStoreOptions = Omit<StoreOptions, 'startWorker'> & Partial<Pick<StoreOptions, 'startWorker'>>

export type SqliteFactStore = FactStore & { readonly queueLength: number }

const WRITES: Names<FactWrites> = {
  insertChannel: true,
  updateChannel: true,
  deleteChannel: true,
  putBan: true,
  liftBan: true,
  replaceFilterList: true,
  insertReport: true,
  remember: true,
  check: true,
}

const READS: Names<FactReads> = {
  readSnapshot: true,
  findReport: true,
  readContext: true,
  listReports: true,
  inspect: true,
}

/** Opens the facts in an SQLite file. */
export async function openFactStore(options: FactStoreOptions): Promise<SqliteFactStore> {
  const workers = await StoreWorkers.open({ startWorker, ...options })
  return {
    ...forwardReads(workers),
    ...forwardWrites(workers),
    ...filterListCommands(workers),
    check: async () => void (await workers.write({ name: 'check', args: [] })),
    close: () => workers.close(),
    get queueLength() {
      return workers.queueLength
    },
  }
}

const forwardReads = (workers: StoreWorkers) =>
  forward<Remote<FactReads>>(READS, async (name, args) => (await workers.read({ name, args })).value)

const forwardWrites = (workers: StoreWorkers) =>
  forward<RemoteWrites<FactWrites>>(WRITES, (name, args) =>
    workers.write({ name, args: args.slice(0, -1), context: args.at(-1) as CallContext }),
  )

/** Commands that send the texts of lists separately. */
const filterListCommands = (
  workers: StoreWorkers,
): Pick<FactStore, 'replaceFilterList' | 'readSnapshot'> => ({
  async replaceFilterList(edit, context) {
    const { list } = edit
    const { changes, ...committed } = await workers.write({
      name: 'replaceFilterList',
      args: [{ ...edit, list: withoutText(list) }],
      texts: [list.expressions.text],
      context,
    })
    return {
      ...committed,
      value: committed.value as FilterListOutcome,
      changes: changes.map((change) => (change.kind === 'filter-list-set' ? { ...change, list } : change)),
    }
  },

  async readSnapshot(at) {
    const { value, texts = [] } = await workers.read({ name: 'readSnapshot', args: [at] })
    const snapshot = value as Snapshot
    const filterLists = snapshot.filterLists.map((list, index) => withText(list, texts[index] ?? ''))
    return { ...snapshot, filterLists }
  },
})

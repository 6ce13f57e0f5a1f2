import type { CallContext } from '../../../core/context.ts'
import type { Change } from '../../../core/events.ts'
import type { FactStore, FilterListOutcome, StoredFilterList } from '../../../core/ports/fact-store.ts'
import { withoutText, withText } from '../envelope.ts'
import { forward, type Names, type Remote, type RemoteWrites } from '../forward.ts'
import { type StoreOptions, StoreWorkers } from '../store-workers.ts'
import { decodeBans } from './ban-page.ts'
import { listKey } from './changes.ts'
import type { FactReads, FactWrites } from './commands.ts'

const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

export type FactStoreOptions = Omit<StoreOptions, 'startWorker'> & Partial<Pick<StoreOptions, 'startWorker'>>

export type SqliteFactStore = FactStore & { readonly queueLength: number }

/** Commands whose calls or results have attachments, and `check`, which returns nothing. */
type Adapted = 'replaceFilterList' | 'listFilterLists' | 'listActiveBans' | 'readChanges' | 'check'

const WRITES: Names<Omit<FactWrites, Adapted>> = {
  insertChannel: true,
  updateChannel: true,
  deleteChannel: true,
  putBan: true,
  liftBan: true,
  insertReport: true,
  remember: true,
}

const READS: Names<Omit<FactReads, Adapted>> = {
  readVersion: true,
  listChannels: true,
  findReport: true,
  readContext: true,
  listReports: true,
  inspect: true,
}

/** Opens the facts in an SQLite file. */
export async function openFactStore(options: FactStoreOptions): Promise<SqliteFactStore> {
  const workers = await StoreWorkers.open({ startWorker, ...options })
  return {
    ...forward<Remote<Omit<FactReads, Adapted>>>(
      READS,
      async (name, args) => (await workers.read({ name, args })).value,
    ),
    ...forward<RemoteWrites<Omit<FactWrites, Adapted>>>(WRITES, (name, args) =>
      workers.write({ name, args: args.slice(0, -1), context: args.at(-1) as CallContext }),
    ),
    ...adaptedCommands(workers),
    close: () => workers.close(),
    get queueLength() {
      return workers.queueLength
    },
  }
}

const adaptedCommands = (workers: StoreWorkers): Pick<FactStore, Adapted> => ({
  async replaceFilterList(edit, context) {
    const { list } = edit
    const { changes, ...committed } = await workers.write({
      name: 'replaceFilterList',
      args: [{ ...edit, list: withoutText(list) }],
      attachments: { texts: [list.expressions.text] },
      context,
    })
    return {
      ...committed,
      value: committed.value as FilterListOutcome,
      changes: changes.map((change) => (change.kind === 'filter-list-set' ? { ...change, list } : change)),
    }
  },

  async listFilterLists(page) {
    const { value, attachments } = await workers.read({ name: 'listFilterLists', args: [page] })
    return (value as StoredFilterList[]).map(({ list, version }, index) => ({
      list: withText(list, attachments?.texts?.[index] ?? ''),
      version,
    }))
  },

  async listActiveBans(page) {
    const { attachments = {} } = await workers.read({ name: 'listActiveBans', args: [page] })
    return decodeBans(attachments)
  },

  async readChanges(after, limit) {
    const { value, attachments } = await workers.read({ name: 'readChanges', args: [after, limit] })
    return (value as Change[] | undefined) && withTexts(value as Change[], attachments?.texts ?? [])
  },

  check: async () => void (await workers.write({ name: 'check', args: [] })),
})

function withTexts(changes: readonly Change[], texts: readonly string[]): Change[] {
  const positions = new Map<string, number>()
  return changes.map((change) => {
    if (change.kind !== 'filter-list-set') return change
    const key = listKey(change.list)
    const position = positions.get(key) ?? positions.size
    positions.set(key, position)
    return { ...change, list: withText(change.list, texts[position] ?? '') }
  })
}

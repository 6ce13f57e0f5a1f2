import type { MessageStore } from '../../../core/ports/message-store.ts'
import { forward, type Names, type Remote } from '../forward.ts'
import { type StoreOptions, StoreWorkers } from '../store-workers.ts'
import type { MessageReads, MessageWrites } from './log.ts'

const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

export type SqliteMessageStore = MessageStore & { readonly queueLength: number }

const WRITES: Names<MessageWrites> = {
  appendMessages: true,
  deleteMessage: true,
  pruneMessages: true,
  openSequences: true,
  sealSequences: true,
  check: true,
}

const READS: Names<MessageReads> = {
  findMessage: true,
  listAround: true,
  listMessages: true,
  countMessages: true,
  readSequence: true,
  listLastChatTimes: true,
  inspect: true,
}

/** Opens the message log in an SQLite file. */
export async function openMessageStore(
  options: Omit<StoreOptions, 'startWorker'>,
): Promise<SqliteMessageStore> {
  const workers = await StoreWorkers.open({ startWorker, ...options })
  return {
    ...forward<Remote<MessageWrites>>(
      WRITES,
      async (name, args) => (await workers.write({ name, args })).value,
    ),
    ...forward<Remote<MessageReads>>(READS, async (name, args) => (await workers.read({ name, args })).value),
    close: () => workers.close(),
    get queueLength() {
      return workers.queueLength
    },
  }
}

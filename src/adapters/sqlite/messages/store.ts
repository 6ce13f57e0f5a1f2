import type { MessageStore } from '../../../core/ports/message-store.ts'
import { forward, type Routes } from '../forward.ts'
import { type StoreOptions, StoreWorkers } from '../store-workers.ts'
import type { MessageReads, MessageWrites } from './log.ts'

const startWorker = () => new Worker(new URL('./worker.ts', import.meta.url).href)

const ROUTES: Routes<MessageWrites & MessageReads> = {
  appendMessages: 'write',
  deleteMessage: 'write',
  pruneMessages: 'write',
  openSequences: 'write',
  sealSequences: 'write',
  check: 'write',
  findMessage: 'read',
  listAround: 'read',
  listMessages: 'read',
  countMessages: 'read',
  readSequence: 'read',
  listLastChatTimes: 'read',
  inspect: 'read',
}

export type SqliteMessageStore = MessageStore & { readonly queueLength: number }

/** The message log in an SQLite file. */
export async function openMessageStore(
  options: Omit<StoreOptions, 'startWorker'>,
): Promise<SqliteMessageStore> {
  const workers = await StoreWorkers.open({ startWorker, ...options })
  return {
    ...forward<MessageWrites & MessageReads>(
      ROUTES,
      async (mode, name, args) => (await workers[mode]({ name, args })).value,
    ),
    get queueLength() {
      return workers.queueLength
    },
    close: () => workers.close(),
  }
}

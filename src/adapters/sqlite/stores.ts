import { type FactStoreOptions, openFactStore } from './facts/store.ts'
import { type MessageStoreOptions, SqliteMessageStore } from './messages/store.ts'

export interface StoresOptions
  extends Omit<FactStoreOptions, 'path'>,
    Pick<MessageStoreOptions, 'now' | 'onDamagedFile'> {
  readonly databasePath: string
  readonly messagesPath: string
}

/** Opens both stores in parallel. Throws if either cannot be used. */
export async function openStores({
  databasePath,
  messagesPath,
  startWorker,
  companions,
  ...options
}: StoresOptions) {
  const facts = {
    path: databasePath,
    ...options,
    ...(startWorker && { startWorker }),
    ...(companions && { companions }),
  }
  const opening = [openFactStore(facts), SqliteMessageStore.open({ ...options, path: messagesPath })] as const
  const [factStore, messageStore] = await Promise.allSettled(opening)
  if (factStore.status === 'fulfilled' && messageStore.status === 'fulfilled')
    return { factStore: factStore.value, messageStore: messageStore.value }
  for (const each of [factStore, messageStore]) if (each.status === 'fulfilled') await each.value.close()
  throw [factStore, messageStore].find((each) => each.status === 'rejected')?.reason
}

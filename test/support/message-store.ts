import { messagesPath } from '../../src/adapters/sqlite/data-folder.ts'
import { type MessageStoreOptions, SqliteMessageStore } from '../../src/adapters/sqlite/messages/store.ts'
import type { Timestamp } from '../../src/core/model.ts'

export interface OpenedMessageStore extends AsyncDisposable {
  readonly store: SqliteMessageStore
  /** Descriptions of damaged files that were reported. */
  readonly damaged: readonly string[]
}

/** Opens the message log of a data folder, as a server would at this time. */
export async function openMessagesIn(
  folder: string,
  now: Timestamp = 0,
  options: Partial<Pick<MessageStoreOptions, 'inspectEveryMs' | 'countSlice'>> = {},
): Promise<OpenedMessageStore> {
  const damaged: string[] = []
  const store = await SqliteMessageStore.open({
    path: messagesPath(folder),
    isInitialized: false,
    now,
    ...options,
    observe: () => undefined,
    onFailure: (error) => {
      throw error
    },
    onDamagedFile: (file) => damaged.push(file),
  })
  return { store, damaged, [Symbol.asyncDispose]: () => store.close() }
}

import { messagesPath } from '../../src/adapters/sqlite/data-folder.ts'
import { SqliteMessageStore } from '../../src/adapters/sqlite/messages/store.ts'
import type { SequencedMessage } from '../../src/core/model.ts'

/** The log spans more days than it is kept for by default, oldest first. */
const DAYS = 40
const DAY_MS = 86_400_000
const CHANNELS = 200
const BATCH = 2000

/** Fills the message log of a folder through the store, so that it does not depend on the schema. */
export async function seedMessages(folder: string, messages: number): Promise<void> {
  const store = await openStore(folder)
  await store.openSequences()
  const startsAt = Date.now() - DAYS * DAY_MS
  const every = (DAYS * DAY_MS) / messages
  let committing: Promise<void> = Promise.resolve()
  for (let first = 0; first < messages; first += BATCH) {
    const length = Math.min(BATCH, messages - first)
    const batch = Array.from({ length }, (_, n) => createMessage(first + n, startsAt + (first + n) * every))
    await committing
    committing = store.appendMessages(batch)
  }
  await committing
  await store.close()
}

const openStore = (folder: string) =>
  SqliteMessageStore.open({
    path: messagesPath(folder),
    isInitialized: true,
    now: Date.now(),
    observe: () => undefined,
    onFailure: (error) => {
      throw error
    },
    onDamagedFile: (file) => {
      throw new Error(file)
    },
  })

function createMessage(n: number, time: number): SequencedMessage {
  const at = Math.floor(time)
  const channel = n % CHANNELS
  const text = `who joins us for the raid at the old gate tonight then ${n}`
  return {
    id: Bun.randomUUIDv7('hex', at),
    shard: { group: 'seeded', name: `seeded-${channel}`, incarnation: 1, number: 1 },
    player: { id: `player-${n % 5000}`, name: `Name of player ${n % 5000}` },
    text,
    original: text,
    language: 'en',
    hits: [],
    at,
    seq: Math.floor(n / CHANNELS) + 1,
    epoch: `epoch-of-channel-${channel}`,
  }
}

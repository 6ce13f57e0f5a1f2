import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { databasePath } from '../../src/adapters/sqlite/data-folder.ts'
import { startParley } from '../support.ts'
import { seedMessages } from './seed-messages.ts'

/** What a data folder holds before a server starts on it. */
export interface Contents {
  readonly bans?: number
  /** All in `SEEDED_GROUP`; the first is its FALLBACK. */
  readonly channels?: number
  readonly reports?: number
  /** Reports that have a context of 21 messages, about 8 KB each; all of them by default. */
  readonly contexts?: number
  readonly messages?: number
}

export const SEEDED_GROUP = 'seeded'
export const seededChannel = (n: number) => `seeded-${String(n).padStart(6, '0')}`

const DAY_MS = 86_400_000
const CONTEXT_MESSAGES = 21

/** Data folders with given contents, each filled once. A server that runs on one may add to it. */
export class SeededFolders implements AsyncDisposable {
  readonly #folders = new Map<string, Promise<string>>()

  fill(contents: Contents): Promise<string> {
    const key = JSON.stringify(contents)
    const folder = this.#folders.get(key) ?? fillFolder(contents)
    this.#folders.set(key, folder)
    return folder
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const folder of this.#folders.values()) rmSync(await folder, { recursive: true })
  }
}

async function fillFolder({ messages = 0, ...facts }: Contents): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'))
  // A first start creates the files with the newest schema.
  const server = await startParley(undefined, { PARLEY_DATA_DIR: folder })
  await server.stop()
  seedFacts(databasePath(folder), facts)
  if (messages > 0) await seedMessages(folder, messages)
  return folder
}

function seedFacts(
  file: string,
  { bans = 0, channels = 0, reports = 0, contexts = reports }: Contents,
): void {
  using db = new Database(file, { strict: true })
  db.run('PRAGMA synchronous = OFF')
  const now = Date.now()
  if (bans > 0) db.query(SEED_BANS).run({ last: bans, now, end: now + 30 * DAY_MS })
  if (channels > 0) db.query(SEED_CHANNELS).run({ last: channels, group: SEEDED_GROUP, now })
  if (reports > 0) db.query(SEED_REPORTS).run({ last: reports, now })
  if (contexts > 0) db.query(SEED_CONTEXTS).run({ last: contexts, context: contextJson(now) })
  db.query(
    `UPDATE control SET version = version + $changes, channels = channels + $channels,
       channels_created = channels_created + $channels, channel_groups = channel_groups + $groups`,
  ).run({ changes: bans + channels, channels, groups: channels > 0 ? 1 : 0 })
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

const NUMBERS = 'WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $last)'

const SEED_BANS = `${NUMBERS} INSERT INTO ban (player_id, count, starts_at, ends_at)
  SELECT 'banned-' || n, 1, $now - n * 1000, $end + n * 1000 FROM numbers`

const SEED_CHANNELS = `${NUMBERS} INSERT INTO channel
    (channel_group, channel_name, max_members, is_fallback, is_autoscaling, created_at, incarnation)
  SELECT $group, format('seeded-%06d', n - 1), 50, n = 1, 1, $now, n FROM numbers`

const SEED_REPORTS = `${NUMBERS} INSERT INTO report (reported_id, reported_name, reporter_id, reporter_name,
    message, keyword, reason, status, outcome, updated_at, created_at, message_id)
  SELECT 'player-' || (n % 5000), 'Name of player ' || (n % 5000), 'reporter-' || n, 'Name of reporter ' || n,
    'who joins us for the raid at the old gate tonight then', 'SPAM', 'says it again and again', 1, 0,
    $now - ($last - n) * 1000, $now - ($last - n) * 1000, 'message-' || n FROM numbers`

const SEED_CONTEXTS = `${NUMBERS} INSERT INTO report_context (message_id, messages)
  SELECT 'message-' || n, $context FROM numbers`

const contextJson = (at: number) =>
  JSON.stringify(
    Array.from({ length: CONTEXT_MESSAGES }, (_, seq) => ({
      id: crypto.randomUUID(),
      shard: { group: SEEDED_GROUP, name: seededChannel(seq), incarnation: 1, number: 1 },
      player: { id: `player-${seq}`, name: `Name of player ${seq}` },
      text: 'who joins us for the raid at the old gate tonight then',
      original: 'who joins us for the raid at the old gate tonight then',
      language: 'en',
      at,
      seq,
      epoch: 'c3f2b7d49a1e5d0c3b7f4e',
    })),
  )

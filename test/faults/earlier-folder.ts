import { Database } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../support/process.ts'

/** A version of Parley, named by the schemas of its two files. Its DDL was read from files that it had created. */
export interface EarlierVersion {
  readonly facts: 'facts-3' | 'facts-8'
  readonly messages: 'messages-3' | 'messages-5'
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

export const CONTEXT = [{ text: 'before', original: 'before', at: 1, seq: 1 }]
export const EPOCH = 'NALbyY2fI3cMqAjc6YPX8I'
export const messageId = (seq: number) => `6f047c06-5317-48e0-806a-${String(seq).padStart(12, '0')}`

/** Fills a folder as an earlier version left it after a clean stop. */
export function writeEarlierFolder(folder: string, { facts, messages }: EarlierVersion): void {
  const now = Math.floor(Date.now() / 1000) * 1000
  {
    using db = create(folder, 'parley.db', facts)
    if (facts === 'facts-3') fillFacts3(db, now)
    else fillFacts8(db, now)
    fillBans(db, now)
  }
  {
    using db = create(folder, 'messages.db', messages)
    fillMessages(db, messages === 'messages-5', now)
  }
  using lock = new Database(path.join(folder, 'lock.db'), { create: true })
  lock.run('PRAGMA user_version = 1')
}

function create(folder: string, file: string, schema: string): Database {
  const db = new Database(path.join(folder, file), { create: true, strict: true })
  db.run('PRAGMA journal_mode = WAL')
  db.run(readFileSync(path.join(ROOT, `test/data/schemas/${schema}.sql`), 'utf8'))
  return db
}

function fillFacts3(db: Database, now: number): void {
  db.run('INSERT INTO control VALUES (12)')
  const channel = db.query('INSERT INTO channel VALUES (?, ?, ?, ?, ?, ?)')
  for (const [group, name, max, isFallback, isAutoscaling] of CHANNELS)
    channel.run(group, name, max, isFallback, isAutoscaling, now - DAY_MS)
  const list = db.query('INSERT INTO filter_list VALUES (?, ?, ?, ?, ?, ?)')
  for (const [kind, expressions] of LISTS)
    list.run(kind, 'en', 'en', JSON.stringify(expressions), expressions.length, 12)
  fillReports(db, now)
  db.query("UPDATE report SET context = ? WHERE message_id <> ''").run(JSON.stringify(CONTEXT))
  remember(db, now, { changes: [], repeated: false })
}

function fillFacts8(db: Database, now: number): void {
  db.run('INSERT INTO control VALUES (12, 3, 3, 2)')
  const channel = db.query('INSERT INTO channel VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const [index, [group, name, max, isFallback, isAutoscaling]] of CHANNELS.entries())
    channel.run(group, name, max, isFallback, isAutoscaling, now - DAY_MS, index + 1)
  const list = db.query('INSERT INTO filter_list VALUES (?, ?, ?, ?, ?, ?)')
  for (const [kind, expressions] of LISTS)
    list.run(kind, 'en', 'en', expressions.join('\n'), expressions.length, 12)
  fillReports(db, now)
  db.query('INSERT INTO report_context VALUES (?, ?)').run(messageId(2), JSON.stringify(CONTEXT))
  const change = { kind: 'filter-list-set', list: { kind: 'allowed', language: 'en' } }
  db.query('INSERT INTO change VALUES (12, ?, ?)').run(now, JSON.stringify(change))
  remember(db, now)
}

/** Group, name, seats per number, FALLBACK, autoscaling. */
const CHANNELS = [
  ['global', 'lobby', 50, 1, 1],
  ['global', 'trade', 20, 0, 0],
  ['raid', 'one', 30, 1, 1],
] as const

const LISTS = [
  ['forbidden', ['darn', 'two words']],
  ['allowed', ['darning']],
] as const

/** Active ones of `b1` and `b2`, the second of `b2`, one that has expired and one that was lifted. */
function fillBans(db: Database, now: number): void {
  const ban = db.query('INSERT INTO ban VALUES (?, ?, ?, ?, ?, ?)')
  ban.run(1, 'b1', 1, now - HOUR_MS, now + DAY_MS, null)
  ban.run(2, 'b2', 1, now - HOUR_MS, now + DAY_MS, now - HOUR_MS)
  ban.run(3, 'b2', 2, now - HOUR_MS, now + 9 * DAY_MS, null)
  ban.run(4, 'expired', 1, now - DAY_MS, now - HOUR_MS, null)
  ban.run(5, 'lifted', 1, now - DAY_MS, now + DAY_MS, now - HOUR_MS)
}

function fillReports(db: Database, now: number): void {
  const report = db.query(
    `INSERT INTO report (reported_id, reported_name, reporter_id, reporter_name, message, keyword, reason, status,
       outcome, updated_at, created_at, message_id) VALUES ('p2', 'Joon', 'p1', 'Mina', ?, 'SPAM', 'again', 1, 0, ?, ?, ?)`,
  )
  report.run('without a message id', now - DAY_MS, now - DAY_MS, '')
  report.run('gate 2', now - HOUR_MS, now - HOUR_MS, messageId(2))
}

/** The outcome of a ban of `b1` for three days, with the key `ban-b1`. */
function remember(db: Database, now: number, more: object = {}): void {
  const ban = { seq: 1, playerId: 'b1', count: 1, startsAt: now - HOUR_MS, endsAt: now + DAY_MS }
  db.query('INSERT INTO remembered VALUES (1, ?, ?, ?, ?)').run(
    'master ban-b1',
    'MV5xrdDA6e71oyA1S9ghAApVzMi8M2XKlEPvCcOe4b8',
    JSON.stringify({ value: ban, version: 3, ...more }),
    now + DAY_MS,
  )
}

/** Five messages in `lobby`, of which the fourth was deleted. */
function fillMessages(db: Database, hasSequences: boolean, now: number): void {
  const insert = db.query(
    `INSERT INTO message (id, channel_group, channel_name, number, epoch, seq, player_id, player_name, text, original, at,
       deleted_at, language, hits) VALUES (?, 'global', 'lobby', 1, ?, ?, 'p2', 'Joon', ?, ?, ?, ?, 'en', '[]')`,
  )
  for (let seq = 1; seq <= 5; seq++) {
    const deletedAt = seq === 4 ? now - HOUR_MS : null
    insert.run(messageId(seq), EPOCH, seq, `gate ${seq}`, `gate ${seq}`, now - HOUR_MS + seq, deletedAt)
  }
  if (!hasSequences) return
  db.run('UPDATE message SET incarnation = 1')
  db.run("INSERT INTO lineage VALUES ('a44ac34c-93c1-46e5-acc0-3e8615a99a9c', 1)")
  db.query(
    "INSERT INTO sequence VALUES ('global', 'lobby', 1, 1, 'a44ac34c-93c1-46e5-acc0-3e8615a99a9c', ?, 5, ?, ?)",
  ).run(EPOCH, now - HOUR_MS + 5, now - HOUR_MS + 5)
}

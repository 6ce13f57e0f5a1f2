/** Durable bans without batching: one `synchronous=FULL` commit per request, on the thread that handles it. */
import { Database } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { TOKEN } from '../support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'))
process.on('SIGTERM', () => {
  rmSync(folder, { recursive: true })
  process.exit(0)
})

const db = new Database(path.join(folder, 'ban.db'), { create: true })
db.run('PRAGMA journal_mode = WAL')
db.run('PRAGMA synchronous = FULL')
db.run(`CREATE TABLE ban (seq INTEGER PRIMARY KEY, player_id TEXT NOT NULL, count INTEGER NOT NULL,
  starts_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, ended_at INTEGER, UNIQUE (player_id, count)) STRICT`)
const end = db.query('UPDATE ban SET ended_at = ? WHERE player_id = ? AND ended_at IS NULL')
const insert = db.query(`INSERT INTO ban (player_id, count, starts_at, ends_at)
  VALUES (?1, (SELECT ifnull(max(count), 0) + 1 FROM ban WHERE player_id = ?1), ?2, ?3)`)
const apply = db.transaction((playerId: string, days: number) => {
  const now = Date.now()
  end.run(now, playerId)
  insert.run(playerId, now, now + days * 86_400_000)
})

const expected = `Bearer ${TOKEN}`
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    if (request.headers.get('authorization') !== expected) return new Response('', { status: 400 })
    const body = (await request.json()) as { gamer_id: string; days: number }
    apply(body.gamer_id, body.days)
    return Response.json(body)
  },
})
console.log(server.url.href)

import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { databasePath } from '../../src/adapters/sqlite/data-folder.ts'
import { spawnServer } from '../support/process.ts'
import { makeFolder, TOKEN } from '../support/server.ts'

const BANS = 25_000

function seedBans(folder: string): void {
  using db = new Database(databasePath(folder), { strict: true })
  db.query(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $last)
       INSERT INTO ban (player_id, count, starts_at, ends_at) SELECT 'p' || n, 1, $now, $now + 86400000 FROM numbers`,
  ).run({ last: BANS, now: Date.now() })
  db.query('UPDATE control SET version = version + ?').run(BANS)
}

test('a long list of bans is streamed as it was when it was requested', async () => {
  const folder = makeFolder()
  try {
    await (await spawnServer(folder)).kill('SIGTERM')
    seedBans(folder)
    await using server = await spawnServer(folder)
    const response = await fetch(`${server.url}/chat/v1/block_user_list`, {
      headers: { Authorization: `Bearer ${TOKEN}` },
    })
    expect(response.headers.get('content-length')).toBeNull()
    // Applied again while the list is sent, which makes it the newest ban.
    await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'p1', days: 1 } })
    const listed = (await response.json()) as { gamer_id: string; count: number }[]
    expect(listed.map(({ gamer_id }) => gamer_id)).toEqual(
      Array.from({ length: BANS }, (_, index) => `p${BANS - index}`),
    )
    expect(listed.at(-1)?.count).toBe(1)
    const [newest] = (await server.call('GET', '/block_user_list')).json
    expect(newest).toMatchObject({ gamer_id: 'p1', count: 2 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)

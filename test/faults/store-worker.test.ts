import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { spawnServer } from '../support/process.ts'
import { databasePath, expectOk, fatalLines, temporaryFolder, UNAVAILABLE } from './support.ts'

const STUCK_MS = '3000'

describe.each([
  ['hangs', 'stuck', /write worker of the data file .+ has been stuck for 3 seconds/],
  ['dies', 'dead', /write worker of the data file .+ failed: .*broken/],
])('a store worker that %s', (_, gamer_id, reason) => {
  test('rejects pending and new writes, logs it once, and exits with 1', async () => {
    using folder = temporaryFolder()
    await using server = await spawnServer(folder.path, {}, ['test/faults/stuck-server.ts', STUCK_MS])
    const ban = (id: string) =>
      server.call('PUT', '/block_user_chat', { body: { gamer_id: id, days: 1 } }).catch(() => undefined)
    expectOk((await ban('before'))!)
    const [first, second] = await Promise.all([ban(gamer_id), ban('behind')])
    expect([first?.status, first?.json]).toEqual([503, UNAVAILABLE])
    expect([second?.status, second?.json]).toEqual([503, UNAVAILABLE])
    expect(await server.exited).toBe(1)
    const fatal = fatalLines(server.output())
    expect(fatal).toHaveLength(1)
    expect(fatal[0]).toMatch(reason)
    expect(fatal[0]).toContain(databasePath(folder.path))
  }, 60_000)
})

test('a store worker that hangs makes the server not ready before the timeout', async () => {
  using folder = temporaryFolder()
  await using server = await spawnServer(folder.path, {}, ['test/faults/stuck-server.ts', '3600000'])
  const ban = server.call('PUT', '/block_user_chat', { body: { gamer_id: 'stuck', days: 1 } })
  ban.catch(() => undefined)
  const response = await fetch(new URL('/readyz', server.url))
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ checks: { store: 'failing', bus: 'ok' } })
}, 30_000)

test('rejects writes while another process holds a lock, and recovers', async () => {
  using folder = temporaryFolder()
  await using server = await spawnServer(folder.path)
  const ban = (gamer_id: string) => server.call('PUT', '/block_user_chat', { body: { gamer_id, days: 1 } })
  expectOk(await ban('before'))
  {
    using other = new Database(databasePath(folder.path), { readwrite: true })
    other.run('BEGIN IMMEDIATE')
    const rejected = await ban('meanwhile')
    expect([rejected.status, rejected.json]).toEqual([503, UNAVAILABLE])
    other.run('ROLLBACK')
  }
  expectOk(await ban('after'))
  const { json } = expectOk(await server.call('GET', '/block_user_list'))
  expect(json.map((each: { gamer_id: string }) => each.gamer_id).sort()).toEqual(['after', 'before'])
  expect(await server.kill('SIGTERM')).toBe(0)
}, 60_000)

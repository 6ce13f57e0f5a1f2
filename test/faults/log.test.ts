import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ThrottledLog } from '../../src/log.ts'
import { OPERATIONS } from '../api/helpers.ts'
import { signToken, TestPlayer } from '../support/player.ts'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { databasePath, expectOk, temporaryFolder } from './support.ts'

const linesOf = (server: ServerProcess): { level: number; msg: string; err?: unknown; cause?: string }[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

test('logs a burst of expected 503s as one warning without a stack trace', async () => {
  using folder = temporaryFolder()
  await using server = await spawnServer(folder.path)
  const ban = (id: number) =>
    server.call('PUT', '/block_user_chat', { body: { gamer_id: `p${id}`, days: 1 } })
  {
    using other = new Database(databasePath(folder.path), { readwrite: true })
    other.run('BEGIN IMMEDIATE')
    const rejected = await Promise.all(Array.from({ length: 50 }, (_, id) => ban(id)))
    expect(new Set(rejected.map(({ status }) => status))).toEqual(new Set([503]))
    other.run('ROLLBACK')
  }
  expectOk(await ban(1))
  expect(await server.kill('SIGTERM')).toBe(0)
  const lines = linesOf(server)
  expect(lines.filter(({ level }) => level > 40)).toEqual([])
  const warnings = lines.filter(({ msg }) => msg === 'rejecting requests with 503')
  expect(warnings).toHaveLength(1)
  expect(warnings[0]?.cause).toContain(databasePath(folder.path))
  expect(server.output()).not.toMatch(/\\n\s+at /)
}, 60_000)

test('logs an outage once for each cause in ten seconds', () => {
  const warned: unknown[] = []
  let now = 0
  const log = { warn: (details: object, what: string) => warned.push([what, details]) }
  const outages = new ThrottledLog(log as never, () => now)
  const full = new Error('unavailable', { cause: new Error('disk full') })
  for (let call = 0; call < 100; call++) outages.warn('rejected', full)
  outages.warn('rejected', new Error('busy'))
  expect(warned).toEqual([
    ['rejected', { cause: 'disk full' }],
    ['rejected', { cause: 'busy' }],
  ])
  now = 10_000
  outages.warn('rejected', full)
  expect(warned).toHaveLength(3)
})

test('logs no secret at any level, whatever the request', async () => {
  using folder = temporaryFolder()
  const env = { PARLEY_MASTER_TOKEN: '', PARLEY_LOG_LEVEL: 'trace' }
  await using server = await spawnServer(folder.path, env)
  const secretOf = (name: string) => readFileSync(path.join(folder.path, name), 'utf8').trim()
  const [token, playerSecret] = [secretOf('master-token'), secretOf('player-secret')]
  const secrets = [token, playerSecret]
  for (const { method, path: called, body } of OPERATIONS) {
    const response = await server.call(method, called, { token, ...(body && { body }) })
    if (response.json?.token !== undefined) secrets.push(response.json.token)
    await server.call(method, called, { token: `wrong-${token}`, ...(body && { body }) })
  }
  await server.call('GET', `/open_channels?token=${token}`, { token: null })
  for (const secret of [playerSecret, 'another secret of thirty-two characters']) {
    const shown = await signToken('mina', {}, secret)
    secrets.push(shown)
    using player = await TestPlayer.open(server.url)
    await player.ask('connect', { token: shown })
  }
  expect(secrets.length).toBeGreaterThan(4)
  expect(await server.kill('SIGTERM')).toBe(0)
  expect(linesOf(server).length).toBeGreaterThan(OPERATIONS.length)
  for (const secret of secrets) expect(server.output()).not.toContain(secret)
}, 60_000)

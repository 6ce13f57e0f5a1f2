import { expect, test } from 'bun:test'
import { readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { spawnServer } from '../support/process.ts'
import { expectOk, runStart, temporaryFolder, tryStart } from './support.ts'

const IN_USE = /data folder .+ is in use by another Parley/

test('rejects a second process on the same folder and keeps serving the first', async () => {
  using folder = temporaryFolder()
  await using first = await spawnServer(folder.path)
  expectOk(await first.call('PUT', '/block_user_chat', { body: { gamer_id: 'before', days: 1 } }))

  const second = await runStart(folder.path)
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(IN_USE)
  expect(second.stderr).toContain(folder.path)
  expect(second.stderr.trim().split('\n')).toHaveLength(1)

  expectOk(await first.call('PUT', '/block_user_chat', { body: { gamer_id: 'after', days: 1 } }))
  const { json } = expectOk(await first.call('GET', '/block_user_list'))
  expect(json.map((ban: { gamer_id: string }) => ban.gamer_id).sort()).toEqual(['after', 'before'])
}, 30_000)

test('locks the folder under all its names', async () => {
  using folder = temporaryFolder()
  using other = temporaryFolder()
  const alias = path.join(other.path, 'alias')
  symlinkSync(folder.path, alias)
  await using _first = await spawnServer(folder.path)
  const second = await runStart(alias)
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(IN_USE)
}, 30_000)

test('lets exactly one of several concurrent starts use a new folder', async () => {
  using folder = temporaryFolder()
  const started = await Promise.all(Array.from({ length: 5 }, () => tryStart(folder.path)))
  const servers = started.filter((each) => typeof each !== 'string')
  const rejected = started.filter((each) => typeof each === 'string')
  try {
    expect(servers).toHaveLength(1)
    for (const message of rejected) expect(message).toMatch(IN_USE)
    const call = servers[0]!.call
    expectOk(await call('PUT', '/block_user_chat', { body: { gamer_id: 'one', days: 1 } }))
  } finally {
    await Promise.all(servers.map((server) => server.kill('SIGKILL')))
  }
}, 60_000)

test('starts immediately after kill -9 with every acknowledged write', async () => {
  using folder = temporaryFolder()
  for (let life = 1; life <= 5; life++) {
    await using server = await spawnServer(folder.path)
    expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'again', days: life } }))
    const { json } = expectOk(await server.call('GET', '/block_user_list'))
    expect(json).toMatchObject([{ gamer_id: 'again', count: life }])
    await server.kill('SIGKILL')
  }
}, 60_000)

test('releases the folder on stop', async () => {
  using folder = temporaryFolder()
  for (let life = 0; life < 3; life++) {
    await using server = await spawnServer(folder.path)
    expect(await server.kill('SIGTERM')).toBe(0)
    expect(readdirSync(folder.path).filter((name) => /-(wal|shm)$/.test(name))).toEqual([])
  }
}, 60_000)

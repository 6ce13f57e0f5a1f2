import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'
import { startServer } from '../../src/server.ts'
import { PLAYER_SECRET, TestPlayer } from '../support/player.ts'
import { spawnServer } from '../support/process.ts'
import { createCaller, makeFolder, startTestServer, type TestServer, TOKEN } from '../support/server.ts'
import { expectError, makeChannel } from './helpers.ts'

const NOT_FOUND = { message: 'The requested path was not found.', code: 404100, error: true }
const ADMIN_PATHS = ['/', '/metrics', '/chat/v1/docs', '/chat/v1/openapi.json', '/chat/v1/block_user_list']
const HEALTH_PATHS = ['/livez', '/readyz']

const read = (path: string, url: URL | string, init: RequestInit = {}) =>
  fetch(new URL(path, url), { headers: { Authorization: `Bearer ${TOKEN}` }, ...init })

describe('with a separate management port', () => {
  let s: TestServer
  let admin: URL

  beforeAll(async () => {
    s = await startTestServer({ PARLEY_ADMIN_PORT: '0', PARLEY_PLAYER_SECRET: PLAYER_SECRET })
    admin = s.server.adminUrl
  })
  afterAll(async () => {
    await s[Symbol.asyncDispose]()
  })

  test('listens on two ports', () => {
    expect(admin.port).not.toBe(s.server.url.port)
  })

  test.each(ADMIN_PATHS)('serves %s on the management port only', async (path) => {
    expect((await read(path, admin)).status).toBe(200)
    const rejected = await read(path, s.url)
    expect([rejected.status, await rejected.json()]).toEqual([404, NOT_FOUND])
    expect(rejected.headers.get('x-request-id')).not.toBeNull()
  })

  test.each(HEALTH_PATHS)('serves %s on both ports', async (path) => {
    for (const url of [admin, s.url]) expect((await read(path, url)).status).toBe(200)
  })

  test('rejects a write to the player port with 404 and changes nothing', async () => {
    const body = { gamer_id: 'x', days: 1 }
    expectError(await s.call('PUT', '/block_user_chat', { body }), 404100, NOT_FOUND.message)
    expectError(await s.call('PUT', '/block_user_chat', { body, token: null }), 404100, NOT_FOUND.message)
    expect((await createCaller(admin.href)('GET', '/block_user_list')).json).toEqual([])
  })

  test('accepts players on the player port only, and delivers system messages sent through the management port', async () => {
    await expect(TestPlayer.open(admin.href)).rejects.toThrow()
    const manage = createCaller(admin.href)
    await makeChannel(manage, 'g', 'a', { is_default: true })
    using player = await TestPlayer.connect(s.url, 'p')
    await player.join('g')
    const body = { channel_type: 1, channel_group: 'g', channel_name: 'a', message: 'hello' }
    expect((await manage('POST', '/system_message', { body })).status).toBe(200)
    expect((await player.push('message')).message).toBe('hello')
  })
})

test('serves everything on one port by default', async () => {
  await using s = await startTestServer()
  expect(s.server.adminUrl.href).toBe(s.server.url.href)
  for (const path of [...ADMIN_PATHS, ...HEALTH_PATHS]) expect((await read(path, s.url)).status).toBe(200)
})

test('lists the public pages at / without a token or secrets', async () => {
  await using s = await startTestServer()
  const response = await fetch(s.url)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await response.text()
  for (const path of text.match(/^\/\S+/gm) ?? [])
    expect((await fetch(new URL(path, s.url))).status).toBe(200)
  expect(text).toContain('/chat/v1/docs')
  expect(text).not.toContain(TOKEN)
  expect((await fetch(s.url, { method: 'POST' })).status).toBe(405)
})

test('closes both ports on stop', async () => {
  const s = await startTestServer({ PARLEY_ADMIN_PORT: '0' })
  const urls = [s.server.url, s.server.adminUrl]
  await s[Symbol.asyncDispose]()
  for (const url of urls) await expect(read('/livez', url)).rejects.toThrow()
})

test('releases the first port when the second is in use', async () => {
  await using taken = await startTestServer()
  const free = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const port = String(free.port)
  await free.stop(true)
  const env = {
    PARLEY_DATA_DIR: makeFolder(),
    PARLEY_MASTER_TOKEN: TOKEN,
    PARLEY_PORT: port,
    PARLEY_ADMIN_PORT: taken.server.url.port,
  }
  const surroundings = { log: createLogger('silent'), onFailure: () => undefined }
  const started = startServer(readConfig({ flags: {}, env }), surroundings)
  await expect(started).rejects.toThrow(/Cannot listen on 127\.0\.0\.1:\d+: .*PARLEY_ADMIN_PORT/)
  await using again = await startTestServer({ PARLEY_PORT: port })
  expect((await read('/livez', again.url)).status).toBe(200)
})

test('logs the chosen ports', async () => {
  await using s = await spawnServer(makeFolder(), { PARLEY_ADMIN_PORT: '0' })
  const [player, admin] = Array.from(s.output().matchAll(/http:\/\/127\.0\.0\.1:\d+/g), ([url]) => url)
  expect((await read('/metrics', player!)).status).toBe(404)
  expect((await read('/metrics', admin!)).status).toBe(200)
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expectError, makeChannel } from './api/helpers.ts'
import { PLAYER_SECRET, TestPlayer } from './support/player.ts'
import { ROOT } from './support/process.ts'
import { createCaller, makeFolder, startTestServer, type TestServer } from './support/server.ts'

const NGINX = Bun.which('nginx') ?? ((await Bun.file('/usr/sbin/nginx').exists()) ? '/usr/sbin/nginx' : null)

/** A port that is currently free. */
async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port ?? 0
}

/** The documented configuration, without TLS and on the ports of this test. */
function configure(
  folder: string,
  ports: Record<'players' | 'admin' | 'toPlayers' | 'toAdmin', number>,
): string {
  const documented = readFileSync(path.join(ROOT, 'docs', 'nginx.conf'), 'utf8')
    .replace('127.0.0.1:4140', `127.0.0.1:${ports.toPlayers}`)
    .replace('127.0.0.1:4141', `127.0.0.1:${ports.toAdmin}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${ports.players}`)
    .replace('listen 8443 ssl', `listen 127.0.0.1:${ports.admin}`)
    .replaceAll(/^ *ssl_certificate.*$/gm, '')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  // Run by root, nginx would give its folders to another user, who has no access to this one.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  return `daemon off; ${user} pid ${folder}/pid; error_log stderr error; worker_processes 1;
events { worker_connections 256; }
http { access_log off; ${temporary}\n${documented} }`
}

describe.skipIf(NGINX === null)('behind nginx with the documented configuration', () => {
  let s: TestServer
  let nginx: Bun.Subprocess
  let folder: string
  let players: string
  let call: ReturnType<typeof createCaller>

  beforeAll(async () => {
    s = await startTestServer({
      PARLEY_ADMIN_PORT: '0',
      PARLEY_TRUSTED_PROXIES: '127.0.0.1',
      PARLEY_PLAYER_SECRET: PLAYER_SECRET,
    })
    folder = makeFolder()
    mkdirSync(path.join(folder, 'logs'))
    const ports = { players: await freePort(), admin: await freePort() }
    const to = { toPlayers: Number(s.server.url.port), toAdmin: Number(s.server.adminUrl.port) }
    writeFileSync(path.join(folder, 'nginx.conf'), configure(folder, { ...ports, ...to }))
    nginx = Bun.spawn([NGINX!, '-p', folder, '-c', 'nginx.conf'], { stdout: 'ignore', stderr: 'inherit' })
    players = `http://127.0.0.1:${ports.players}/`
    call = createCaller(`http://127.0.0.1:${ports.admin}/`)
    while ((await fetch(`http://127.0.0.1:${ports.admin}/livez`).catch(() => undefined))?.status !== 200)
      await Bun.sleep(10)
  }, 60_000)
  afterAll(async () => {
    nginx.kill()
    await nginx.exited
    await s[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('forwards X-Request-Id', async () => {
    const { headers } = await call('GET', '/open_channel_groups', { headers: { 'X-Request-Id': 'mine-1' } })
    expect(headers.get('x-request-id')).toBe('mine-1')
  })

  test('keeps the ETags and content codings of the API', async () => {
    const body = { language: 'ko', filters: Array.from({ length: 500 }, (_, index) => `욕설 ${index}`) }
    expect((await call('PUT', '/bad_word_list', { body })).status).toBe(200)
    const list = await call('GET', '/bad_word_list', { headers: { 'Accept-Encoding': 'gzip' } })
    expect(list.json).toEqual([body])
    expect(list.headers.get('etag')).toMatch(/^"\d+-gzip"$/)
    const edit = { body, headers: { 'If-Match': list.headers.get('etag') ?? '' } }
    expect((await call('PUT', '/bad_word_list', edit)).status).toBe(200)
  })

  test('keeps the body of DELETE', async () => {
    await makeChannel(call, 'g', 'gone')
    const body = { channel_group: 'g', channel_name: 'gone' }
    expect((await call('DELETE', '/open_channels', { body })).json).toEqual([{ ...body, channel_id: 1 }])
  })

  test('lets Parley reject a body over the limit', async () => {
    const raw = 'x'.repeat(9_000_000)
    expectError(await call('PUT', '/block_user_chat', { raw }), 413100, 'The request body is too large.')
  })

  test('lets players connect and chat, and nothing else', async () => {
    await makeChannel(call, 'world', 'main', { is_default: true })
    using mina = await TestPlayer.connect(players, 'mina')
    using joon = await TestPlayer.connect(players, 'joon')
    await mina.join('world')
    await joon.join('world')
    await mina.say('world', 'hello')
    expect((await joon.push('message')).message).toBe('hello')
    for (const path of ['', 'metrics', 'chat/v1/block_user_list'])
      expect((await fetch(new URL(path, players))).status).toBe(404)
  })
})

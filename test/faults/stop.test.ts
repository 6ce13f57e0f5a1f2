import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { RawWebSocket } from '../gateway/raw-websocket.ts'
import { ROOT, type ServerProcess, spawnServer } from '../support/process.ts'
import { TOKEN } from '../support/server.ts'
import {
  AUTH_HEADERS,
  BAD_CREDENTIALS,
  expectOk,
  getPage,
  lastResponse,
  RawClient,
  temporaryFolder,
  UNAVAILABLE,
  until,
} from './support.ts'

const DRAIN_MS = 60_000
const PATIENT = { PARLEY_DRAIN_SECONDS: '60', PARLEY_IDLE_SECONDS: '120', PARLEY_BODY_SECONDS: '120' }

/** A ban whose body is half sent: the server has read the headers and awaits the rest. */
async function beginBan(server: ServerProcess, gamer_id: string) {
  const body = JSON.stringify({ gamer_id, days: 1 })
  const client = await RawClient.connect(server.url)
  client.send(
    `PUT /chat/v1/block_user_chat HTTP/1.1\r\n${AUTH_HEADERS}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  await client.until(/100 Continue/)
  client.send(body.slice(0, 5))
  return {
    client,
    finish: async () => {
      client.send(body.slice(5))
      await client.closed
      return lastResponse(client.received)
    },
    [Symbol.dispose]: () => client[Symbol.dispose](),
  }
}

const untilDraining = (server: ServerProcess) =>
  until(
    () => getPage(server, '/readyz'),
    ({ status }) => status === 503,
  )

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('completes requests in flight, rejects new ones, and exits with 0', async () => {
    using folder = temporaryFolder()
    await using server = await spawnServer(folder.path, PATIENT)
    using ban = await beginBan(server, 'under-way')
    const exited = server.kill(signal)
    expect(await untilDraining(server)).toEqual({ status: 503, json: { status: 'draining' } })

    const write = { body: { gamer_id: 'late', days: 1 } }
    const rejected = await server.call('PUT', '/block_user_chat', write)
    expect([rejected.status, rejected.json]).toEqual([503, UNAVAILABLE])
    expect(rejected.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(rejected.headers.get('connection')?.toLowerCase()).toBe('close')
    const read = await server.call('GET', '/block_user_list')
    expect([read.status, read.json]).toEqual([503, UNAVAILABLE])
    for (const token of [null, 'not-the-token']) {
      const stranger = await server.call('PUT', '/block_user_chat', { ...write, token })
      expect([stranger.status, stranger.json]).toEqual([400, BAD_CREDENTIALS])
    }
    expect((await getPage(server, '/livez')).status).toBe(200)
    using player = await RawWebSocket.open(server.url)
    expect(await player.status).toBe(503)

    const response = await ban.finish()
    expect(response.status).toBe(200)
    expect(JSON.parse(response.body)).toEqual({ gamer_id: 'under-way', days: 1 })
    expect(response.headers).toMatch(/\r\nconnection: close/i)
    expect(await exited).toBe(0)

    await using next = await spawnServer(folder.path)
    const { json } = expectOk(await next.call('GET', '/block_user_list'))
    expect(json).toMatchObject([{ gamer_id: 'under-way', count: 1 }])
  }, 60_000)

  test('exits immediately with nothing in flight, despite keep-alive connections', async () => {
    using folder = temporaryFolder()
    await using server = await spawnServer(folder.path, PATIENT)
    using idle = await RawClient.connect(server.url)
    idle.send('GET /livez HTTP/1.1\r\nHost: parley\r\n\r\n')
    await idle.until(/alive/)
    using _silent = await RawClient.connect(server.url)
    const startedAt = performance.now()
    expect(await server.kill(signal)).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(DRAIN_MS / 2)
    await idle.closed
  }, 60_000)
})

test('treats the two signals of one Ctrl-C under npm as one request to stop', async () => {
  using folder = temporaryFolder()
  await using server = await spawnServer(folder.path, PATIENT)
  using ban = await beginBan(server, 'under-way')
  const exited = server.kill('SIGINT')
  server.kill('SIGINT')
  await untilDraining(server)
  expect((await ban.finish()).status).toBe(200)
  expect(await exited).toBe(0)
}, 60_000)

test('completes many requests in flight', async () => {
  using folder = temporaryFolder()
  await using server = await spawnServer(folder.path, PATIENT)
  const bans = await Promise.all(Array.from({ length: 50 }, (_, index) => beginBan(server, `many-${index}`)))
  const exited = server.kill('SIGTERM')
  await untilDraining(server)
  const responses = await Promise.all(bans.map((ban) => ban.finish()))
  expect(responses.map(({ status }) => status)).toEqual(bans.map(() => 200))
  expect(await exited).toBe(0)
}, 60_000)

test('completes a large response in flight', async () => {
  using folder = temporaryFolder()
  await using server = await spawnServer(folder.path, PATIENT)
  const filters = Array.from({ length: 60_000 }, (_, index) => `word-${index}-${'x'.repeat(100)}`)
  expectOk(await server.call('PUT', '/bad_word_list', { body: { language: 'all', filters } }))
  using client = await RawClient.connect(server.url)
  client.send(`GET /chat/v1/bad_word_list HTTP/1.1\r\n${AUTH_HEADERS}Connection: close\r\n\r\n`)
  await client.until(/\r\n\r\n/)
  client.pause()
  const exited = server.kill('SIGTERM')
  await Promise.race([exited, untilDraining(server).catch(() => undefined)])
  client.resume()
  await client.closed
  const { headers, body } = lastResponse(client.received)
  expect(body.length).toBe(Number(/content-length: (\d+)/i.exec(headers)?.[1]))
  expect(JSON.parse(body)).toEqual([{ language: 'all', filters }])
  expect(await exited).toBe(0)
}, 60_000)

test.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGINT'],
  ['SIGTERM', 'SIGINT'],
  ['SIGINT', 'SIGTERM'],
] as const)(
  '%s followed by %s exits without draining',
  async (first, second) => {
    using folder = temporaryFolder()
    await using server = await spawnServer(folder.path, PATIENT)
    using _ban = await beginBan(server, 'stuck')
    server.kill(first)
    await untilDraining(server)
    const startedAt = performance.now()
    // The second signal may follow so soon after the first that it counts as the same request.
    const repeated = setInterval(() => server.kill(second), 100)
    expect(await server.exited).not.toBe(0)
    clearInterval(repeated)
    expect(performance.now() - startedAt).toBeLessThan(DRAIN_MS / 2)
  },
  60_000,
)

test('abandons a stuck request after PARLEY_DRAIN_SECONDS', async () => {
  using folder = temporaryFolder()
  await using server = await spawnServer(folder.path, { ...PATIENT, PARLEY_DRAIN_SECONDS: '1' })
  expectOk(await server.call('PUT', '/block_user_chat', { body: { gamer_id: 'before', days: 1 } }))
  using ban = await beginBan(server, 'stuck')
  const startedAt = performance.now()
  expect(await server.kill('SIGTERM')).toBe(0)
  // Nothing else would end it before this test times out.
  expect(performance.now() - startedAt).toBeGreaterThan(950)
  await ban.client.closed

  await using next = await spawnServer(folder.path)
  const { json } = expectOk(await next.call('GET', '/block_user_list'))
  expect(json).toMatchObject([{ gamer_id: 'before' }])
}, 60_000)

/** The descendants of `pid`, from /proc. */
function descendants(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), statusOf(Number(name))?.parent] as const)
  const below = (parent: number): number[] =>
    parents.flatMap(([child, of]) => (of === parent ? [child, ...below(child)] : []))
  return below(pid)
}

function statusOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { state, parent: Number(parent) }
  } catch {
    return undefined
  }
}

test.skipIf(!existsSync('/proc/self/stat'))(
  'npm start stops with npm and leaves no process behind',
  async () => {
    using folder = temporaryFolder()
    const npm = Bun.spawn(['npm', 'start'], {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder.path,
        PARLEY_DATA_DIR: `${folder.path}/data`,
        PARLEY_PORT: '0',
        PARLEY_MASTER_TOKEN: TOKEN,
        PARLEY_NODE_NAME: 'test',
      },
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const started: number[] = []
    let output = ''
    const read = async () => {
      for await (const chunk of npm.stdout.pipeThrough(new TextDecoderStream())) {
        output += chunk
        if (started.length > 0 || !output.includes('is listening on')) continue
        started.push(...descendants(npm.pid))
        npm.kill('SIGTERM')
      }
    }
    try {
      // The pipe ends when the last process that holds it exits: npm, or one that npm left behind.
      const ended = read()
      await npm.exited
      expect(started.length).toBeGreaterThan(0)
      await ended
      expect(output).toContain('SIGTERM: stopping')
      expect(output).toContain('"stopped"')
      expect(started.filter((pid) => !['Z', undefined].includes(statusOf(pid)?.state))).toEqual([])
      expect(readdirSync(`${folder.path}/data`).filter((name) => name.endsWith('-wal'))).toEqual([])
    } finally {
      for (const pid of [npm.pid, ...started]) if (statusOf(pid) !== undefined) process.kill(pid, 'SIGKILL')
    }
  },
  60_000,
)

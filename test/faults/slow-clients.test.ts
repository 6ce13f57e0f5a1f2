import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { AUTH_HEADERS, expectOk, RawClient, temporaryFolder, until } from './support.ts'

/** Bun checks its timers every four seconds, so one second may take up to five. */
const IDLE_SECONDS = 1
const DRIP_MS = 300
/** Bun allows ten seconds for a first request, whatever is configured, and checks every four. */
const TIMEOUT_MS = 150_000

const folder = temporaryFolder()
let server: ServerProcess

beforeAll(async () => {
  const filters = Array.from({ length: 60_000 }, (_, index) => `word-${index}-${'x'.repeat(100)}`)
  // On a busy machine the edit may take longer than the timeouts under test.
  const patient = await spawnServer(folder.path)
  expectOk(await patient.call('PUT', '/bad_word_list', { body: { language: 'all', filters } }))
  await patient.kill('SIGTERM')
  server = await spawnServer(folder.path, {
    PARLEY_IDLE_SECONDS: String(IDLE_SECONDS),
    PARLEY_BODY_SECONDS: String(IDLE_SECONDS),
  })
}, 120_000)

afterAll(async () => {
  folder[Symbol.dispose]()
  await server.kill('SIGKILL')
})

const connect = () => RawClient.connect(server.url)

const BAN_HEAD = `PUT /chat/v1/block_user_chat HTTP/1.1\r\n${AUTH_HEADERS}`
const BIG_LIST = `GET /chat/v1/bad_word_list HTTP/1.1\r\n${AUTH_HEADERS}\r\n`
const LIVEZ = 'GET /livez HTTP/1.1\r\nHost: parley\r\n'

const CLIENTS: readonly { readonly name: string; readonly behave: (client: RawClient) => unknown }[] = [
  { name: 'never sends anything', behave: () => undefined },
  { name: 'stops in the middle of its headers', behave: (client) => client.send(LIVEZ) },
  {
    name: 'sends its headers byte by byte',
    behave: (client) => client.send(`${LIVEZ}X-Slow: `).drip('y', DRIP_MS),
  },
  {
    name: 'sends the headers of its second request byte by byte',
    behave: async (client) => {
      await client.send(`${LIVEZ}\r\n`).until(/alive/)
      client.send(`${LIVEZ}X-Slow: `).drip('y', DRIP_MS)
    },
  },
  {
    name: 'never sends its body',
    behave: (client) => client.send(`${BAN_HEAD}Content-Length: 1000\r\n\r\n`),
  },
  {
    name: 'sends its body byte by byte',
    behave: (client) => client.send(`${BAN_HEAD}Content-Length: 1000\r\n\r\n{`).drip(' ', DRIP_MS),
  },
  {
    name: 'sends its body chunk by small chunk',
    behave: (client) =>
      client.send(`${BAN_HEAD}Transfer-Encoding: chunked\r\n\r\n`).drip('1\r\n \r\n', DRIP_MS),
  },
  {
    name: 'sends a rejected body byte by byte',
    behave: (client) =>
      client
        .send('PUT /chat/v1/block_user_chat HTTP/1.1\r\nHost: parley\r\nContent-Length: 1000\r\n\r\n')
        .drip(' ', DRIP_MS),
  },
  {
    name: 'leaves a keep-alive connection idle',
    behave: (client) => client.send(`${LIVEZ}\r\n`),
  },
]

describe('disconnects a client that', () => {
  test.concurrent.each(CLIENTS)(
    '$name',
    async ({ behave }) => {
      using client = await connect()
      await behave(client)
      await client.closed
    },
    TIMEOUT_MS,
  )

  test.concurrent.skipIf(!existsSync('/proc/net/tcp'))(
    'requests a large response and never reads it',
    async () => {
      using client = await connect()
      client.pause().send(BIG_LIST)
      // A client that does not read sees no close, so only the kernel's tables show that the server closed the connection.
      await until(
        async () => serverSideState(client.localPort),
        (state) => state !== ESTABLISHED,
      )
      client.resume()
      await client.closed
    },
    TIMEOUT_MS,
  )

  test.concurrent(
    'requests a large response, reads nothing and keeps sending',
    async () => {
      using client = await connect()
      client.pause().send(BIG_LIST).drip('\r\n', DRIP_MS)
      await client.closed
    },
    TIMEOUT_MS,
  )
})

test.concurrent(
  'serves other clients while hundreds of slow clients are connected',
  async () => {
    const clients = await Promise.all(Array.from({ length: 300 }, connect))
    try {
      for (const [index, client] of clients.entries()) {
        if (index % 3 === 0) client.send(`${BAN_HEAD}Content-Length: 1000\r\n\r\n{`).drip(' ', DRIP_MS)
        else if (index % 3 === 1) client.send(`${LIVEZ}X-Slow: `).drip('y', DRIP_MS)
        else client.pause().send(BIG_LIST)
      }
      const reading = clients.filter((_, index) => index % 3 !== 2)
      let [completed, disconnected] = [0, 0]
      for (const client of reading) client.closed.then(() => disconnected++)
      for (; disconnected < reading.length; completed++) {
        const body = { gamer_id: `fast-${completed}`, days: 1 }
        // On a busy machine a keep-alive connection could exceed the idle timeout.
        const headers = { Connection: 'close' }
        expectOk(await server.call('PUT', '/block_user_chat', { body, headers }))
      }
      // If they blocked others, no request would complete until the last of them is disconnected, after ten seconds.
      expect(completed).toBeGreaterThan(10)
    } finally {
      for (const client of clients) client[Symbol.dispose]()
    }
    const { json } = expectOk(await server.call('GET', '/block_user_list'))
    expect(json.every((ban: { gamer_id: string }) => ban.gamer_id.startsWith('fast-'))).toBe(true)
  },
  TIMEOUT_MS,
)

test.concurrent(
  'a disconnected client neither delays the drain nor logs a failure',
  async () => {
    using own = temporaryFolder()
    await using other = await spawnServer(own.path, {
      PARLEY_IDLE_SECONDS: '1',
      PARLEY_BODY_SECONDS: '1',
      PARLEY_DRAIN_SECONDS: '60',
    })
    using client = await RawClient.connect(other.url)
    client.send(`${BAN_HEAD}Content-Length: 1000\r\n\r\n{`)
    await client.closed
    const startedAt = performance.now()
    expect(await other.kill('SIGTERM')).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(other.output()).not.toContain('request failed')
  },
  TIMEOUT_MS,
)

test.concurrent(
  'accepts a body that arrives steadily for longer than the idle timeout',
  async () => {
    using own = temporaryFolder()
    await using patient = await spawnServer(own.path, { PARLEY_IDLE_SECONDS: '1', PARLEY_BODY_SECONDS: '60' })
    using client = await RawClient.connect(patient.url)
    const [start, piece, end, pieces] = ['{"gamer_id":"slow",', ' '.repeat(1000), '"days":1}', 60]
    client.send(
      `${BAN_HEAD}Content-Length: ${start.length + pieces * piece.length + end.length}\r\n\r\n${start}`,
    )
    for (let sent = 0; sent < pieces; sent++) {
      client.send(piece)
      await Bun.sleep(DRIP_MS / 3)
    }
    await client.send(end).until(/"days":1\}$/)
    expect(client.received).toStartWith('HTTP/1.1 200')
  },
  TIMEOUT_MS,
)

test(
  'applies the idle timeout, not the body timeout, after a write',
  async () => {
    using own = temporaryFolder()
    await using patient = await spawnServer(own.path, {
      PARLEY_IDLE_SECONDS: '255',
      PARLEY_BODY_SECONDS: '1',
    })
    using kept = await RawClient.connect(patient.url)
    const body = '{"gamer_id":"x","days":1}'
    await kept.send(`${BAN_HEAD}Content-Length: ${body.length}\r\n\r\n${body}`).until(/"days":1\}$/)
    using slow = await RawClient.connect(patient.url)
    await slow.send(`${BAN_HEAD}Content-Length: 1000\r\n\r\n`).closed
    await kept.send(`${LIVEZ}\r\n`).until(/alive/)
  },
  TIMEOUT_MS,
)

const ESTABLISHED = '01'

/** The kernel's state of the server side of a connection; undefined when it is closed. */
function serverSideState(clientPort: number): string | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const ends = `:${hex(Number(new URL(server.url).port))} [0-9A-F]{8}:${hex(clientPort)} `
  return new RegExp(`${ends}([0-9A-F]{2}) `).exec(readFileSync('/proc/net/tcp', 'utf8'))?.[1]
}

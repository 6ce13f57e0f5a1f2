import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { type ServerProcess, spawnServer } from '../support/process.ts'
import { AUTH_HEADERS, expectOk, RawClient, temporaryFolder, until } from './support.ts'

/** Bun looks at its timers every four seconds, so that a second is at most five. */
const IDLE_SECONDS = 1
const DRIP_MS = 300
/** Until a first request is whole Bun gives ten seconds, whatever is configured, and looks every four. */
const TIMEOUT_MS = 150_000

const folder = temporaryFolder()
let server: ServerProcess

beforeAll(async () => {
  const filters = Array.from({ length: 60_000 }, (_, index) => `word-${index}-${'x'.repeat(100)}`)
  // On a busy machine the edit may take longer than the time-outs that are tested here.
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
  { name: 'never says anything', behave: () => undefined },
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
    name: 'sends a body byte by byte although it was rejected',
    behave: (client) =>
      client
        .send('PUT /chat/v1/block_user_chat HTTP/1.1\r\nHost: parley\r\nContent-Length: 1000\r\n\r\n')
        .drip(' ', DRIP_MS),
  },
  {
    name: 'keeps its connection alive and is idle',
    behave: (client) => client.send(`${LIVEZ}\r\n`),
  },
]

describe('a client that', () => {
  test.concurrent.each(CLIENTS)(
    '$name is cut',
    async ({ behave }) => {
      using client = await connect()
      await behave(client)
      await client.closed
    },
    TIMEOUT_MS,
  )

  test.concurrent.skipIf(!existsSync('/proc/net/tcp'))(
    'asks for a large answer and never reads it is cut',
    async () => {
      using client = await connect()
      client.pause().send(BIG_LIST)
      // Who does not read is not told, so that only the tables of the system show that the server has let go.
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
    'asks for a large response, reads nothing and goes on sending is cut',
    async () => {
      using client = await connect()
      client.pause().send(BIG_LIST).drip('\r\n', DRIP_MS)
      await client.closed
    },
    TIMEOUT_MS,
  )
})

test.concurrent(
  'hundreds of slow clients do not slow the others, and leave nothing behind',
  async () => {
    const clients = await Promise.all(Array.from({ length: 300 }, connect))
    try {
      for (const [index, client] of clients.entries()) {
        if (index % 3 === 0) client.send(`${BAN_HEAD}Content-Length: 1000\r\n\r\n{`).drip(' ', DRIP_MS)
        else if (index % 3 === 1) client.send(`${LIVEZ}X-Slow: `).drip('y', DRIP_MS)
        else client.pause().send(BIG_LIST)
      }
      const reading = clients.filter((_, index) => index % 3 !== 2)
      let [answered, cut] = [0, 0]
      for (const client of reading) client.closed.then(() => cut++)
      for (; cut < reading.length; answered++) {
        const body = { gamer_id: `fast-${answered}`, days: 1 }
        // On a busy machine a connection that is kept alive could be idle for long enough to be cut.
        const headers = { Connection: 'close' }
        expectOk(await server.call('PUT', '/block_user_chat', { body, headers }))
      }
      // Were they in the way, nobody would be answered before the last of them is gone, ten seconds from now.
      expect(answered).toBeGreaterThan(10)
    } finally {
      for (const client of clients) client[Symbol.dispose]()
    }
    const { json } = expectOk(await server.call('GET', '/block_user_list'))
    expect(json.every((ban: { gamer_id: string }) => ban.gamer_id.startsWith('fast-'))).toBe(true)
  },
  TIMEOUT_MS,
)

test.concurrent(
  'a client that was cut counts for nothing that is under way, and is no failure of the server',
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
  'a long body that comes steadily over a slow line is taken, though it takes longer than a silence may',
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
  'a connection stays open after a write for as long as after a read, however short the time for bodies',
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

/** What the system says of the server's end of a connection, undefined when it is gone. */
function serverSideState(clientPort: number): string | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
  const ends = `:${hex(Number(new URL(server.url).port))} [0-9A-F]{8}:${hex(clientPort)} `
  return new RegExp(`${ends}([0-9A-F]{2}) `).exec(readFileSync('/proc/net/tcp', 'utf8'))?.[1]
}

import { afterEach, describe, expect, test } from 'bun:test'
import net from 'node:net'
import { PLAYER_SECRET, signToken } from '../support/player.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { GATEWAY, RawWebSocket } from './raw-websocket.ts'

const KEY = 'dGhlIHNhbXBsZSBub25jZQ=='
const HANDSHAKE = {
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': KEY,
}

let now = 0
let s: TestServer
let clients: RawWebSocket[] = []

/** The clock stands still, so limits never recover; a trusted proxy header sets each client's address. */
async function start(env: Record<string, string>): Promise<void> {
  now = 0
  s = await startTestServer(
    { PARLEY_PLAYER_SECRET: PLAYER_SECRET, PARLEY_TRUSTED_PROXIES: '127.0.0.1', ...env },
    { monotonicClock: () => now },
  )
}

afterEach(async () => {
  for (const client of clients) client[Symbol.dispose]()
  clients = []
  await s[Symbol.asyncDispose]()
})

async function open(address: string, headers: Record<string, string> = {}): Promise<RawWebSocket> {
  const client = await RawWebSocket.open(s.url, { 'X-Forwarded-For': address, ...headers })
  clients.push(client)
  return client
}

const statusOf = async (address: string, headers: Record<string, string> = {}) =>
  (await open(address, headers)).status

/** Sends a request with exactly these headers and returns the raw response. */
function request(headers: Record<string, string>, method = 'GET'): Promise<string> {
  const { hostname, port } = new URL(s.url)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = net.connect({ host: hostname, port: Number(port) })
  let response = ''
  socket.on('data', (chunk: Buffer) => {
    response += chunk.toString()
    if (response.includes('}')) socket.end()
  })
  socket.on('close', () => resolve(response))
  socket.write(`${method} ${GATEWAY} HTTP/1.1\r\nHost: parley\r\n${lines.join('')}\r\n`)
  return promise
}

describe('a malformed handshake', () => {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(HANDSHAKE).filter(([each]) => each !== name))
  const malformed: [string, Record<string, string>, string, string?][] = [
    ['without an upgrade', {}, 'Upgrade'],
    ['to something else', { ...HANDSHAKE, Upgrade: 'x' }, 'Upgrade'],
    ['by POST', { ...HANDSHAKE, 'Content-Length': '0' }, 'Upgrade', 'POST'],
    ['without a key', without('Sec-WebSocket-Key'), 'Sec-WebSocket-Key'],
    ['with a short key', { ...HANDSHAKE, 'Sec-WebSocket-Key': 'dGhl' }, 'Sec-WebSocket-Key'],
    [
      'with a key that is not base64',
      { ...HANDSHAKE, 'Sec-WebSocket-Key': `${'!'.repeat(22)}==` },
      'Sec-WebSocket-Key',
    ],
    ['without a version', without('Sec-WebSocket-Version'), 'Sec-WebSocket-Version'],
    ['of another version', { ...HANDSHAKE, 'Sec-WebSocket-Version': '8' }, 'Sec-WebSocket-Version'],
  ]

  test('gets 400 with the name of the header and uses up no limit', async () => {
    await start({ PARLEY_CONNECTIONS_PER_SECOND: '1', PARLEY_CONNECTIONS_PER_ADDRESS: '1' })
    for (const [what, headers, name, method] of malformed) {
      const response = await request({ ...headers, 'X-Forwarded-For': '203.0.113.7' }, method)
      expect([what, response.slice(9, 12), response.slice(response.indexOf('{'))]).toEqual([
        what,
        '400',
        JSON.stringify({ message: `"${name}" has an invalid value.`, code: 400111, error: true }),
      ])
    }
    expect(await statusOf('203.0.113.7')).toBe(101)
    expect(await statusOf('203.0.113.8')).toBe(503)
  })

  test('gets the supported version', async () => {
    await start({})
    const response = await request({ ...HANDSHAKE, 'Sec-WebSocket-Version': '8' })
    expect(response.toLowerCase()).toContain('sec-websocket-version: 13\r\n')
  })
})

describe('the limit per address', () => {
  test('does not lock out other addresses', async () => {
    await start({ PARLEY_CONNECTIONS_PER_ADDRESS: '3' })
    const greedy: number[] = []
    for (let each = 0; each < 20; each++) greedy.push(await statusOf('203.0.113.7'))
    expect(greedy).toEqual([101, 101, 101, ...Array<number>(17).fill(429)])
    expect(await statusOf('203.0.113.8')).toBe(101)
    now += 1000
    expect(await statusOf('203.0.113.7')).toBe(101)
  })

  test('rejects with 429 and Retry-After', async () => {
    await start({ PARLEY_CONNECTIONS_PER_ADDRESS: '1' })
    await open('203.0.113.7')
    const response = await request({ ...HANDSHAKE, 'X-Forwarded-For': '203.0.113.7' })
    expect(response).toContain(JSON.stringify({ message: 'Too many requests.', code: 429100, error: true }))
    expect(response.toLowerCase()).toContain('retry-after: 1\r\n')
  })

  test('uses up no shared capacity for rejected attempts', async () => {
    await start({ PARLEY_CONNECTIONS_PER_ADDRESS: '2', PARLEY_CONNECTIONS_PER_SECOND: '4' })
    for (let each = 0; each < 20; each++) await open('203.0.113.7')
    expect(await statusOf('203.0.113.8')).toBe(101)
    expect(await statusOf('203.0.113.9')).toBe(101)
    expect(await statusOf('203.0.113.10')).toBe(503)
  })

  test('does not count attempts rejected for their origin', async () => {
    await start({
      PARLEY_ORIGINS: 'https://game.example',
      PARLEY_CONNECTIONS_PER_ADDRESS: '1',
      PARLEY_CONNECTIONS_PER_SECOND: '1',
    })
    for (let each = 0; each < 5; each++)
      expect(await statusOf('203.0.113.7', { Origin: 'https://evil.example' })).toBe(400)
    expect(await statusOf('203.0.113.7', { Origin: 'https://game.example' })).toBe(101)
  })

  test('applies to a whole IPv6 /64', async () => {
    await start({ PARLEY_CONNECTIONS_PER_ADDRESS: '1' })
    expect(await statusOf('2001:db8:1:2::1')).toBe(101)
    expect(await statusOf('2001:db8:1:2:ffff::2')).toBe(429)
    expect(await statusOf('2001:db8:1:3::1')).toBe(101)
  })

  test('cannot be bypassed with a header from an untrusted peer', async () => {
    await start({ PARLEY_CONNECTIONS_PER_ADDRESS: '1', PARLEY_TRUSTED_PROXIES: '10.0.0.0/8' })
    expect(await statusOf('203.0.113.7')).toBe(101)
    expect(await statusOf('203.0.113.8')).toBe(429)
  })

  test('is disabled by 0', async () => {
    await start({ PARLEY_CONNECTIONS_PER_ADDRESS: '0' })
    for (let each = 0; each < 150; each++) expect(await statusOf('203.0.113.7')).toBe(101)
  })
})

describe('unauthenticated connections', () => {
  test('are limited per address until they authenticate or close', async () => {
    await start({ PARLEY_PENDING_PER_ADDRESS: '2' })
    const [first, second] = [await open('203.0.113.7'), await open('203.0.113.7')]
    expect(await statusOf('203.0.113.7')).toBe(429)
    expect(await statusOf('203.0.113.8')).toBe(101)
    expect(await first.ask({ type: 'connect', id: 1, token: await signToken('mina') })).toMatchObject({
      type: 'connected',
    })
    const third = await open('203.0.113.7')
    expect(await third.status).toBe(101)
    expect(await statusOf('203.0.113.7')).toBe(429)
    // Closing an authenticated connection frees no pending slot; closing an unauthenticated one does.
    first[Symbol.dispose]()
    second.send({ type: 'connect', id: 1, token: 'nonsense' })
    expect(await second.closed()).toBe(4101)
    expect(await statusOf('203.0.113.7')).toBe(101)
    expect(await statusOf('203.0.113.7')).toBe(429)
  })
})

test('slows down an address that guesses master tokens, even behind a proxy', async () => {
  await start({})
  const guess = async (address: string) => {
    const startedAt = performance.now()
    const headers = { 'X-Forwarded-For': address }
    const { json } = await s.call('GET', '/open_channel_groups', { token: 'x'.repeat(43), headers })
    expect(json.code).toBe(400701)
    return performance.now() - startedAt
  }
  await Promise.all(Array.from({ length: 180 }, () => guess('203.0.113.7')))
  expect(await guess('203.0.113.7')).toBeGreaterThan(700)
  expect(await guess('203.0.113.8')).toBeLessThan(600)
}, 30_000)

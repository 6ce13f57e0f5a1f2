import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { RawClient } from '../faults/support.ts'
import { startTestServer, type TestServer, TOKEN } from '../support/server.ts'

/** Exceeds the limit of 8 MiB and the socket buffers. */
const BODY_BYTES = 20_000_000
const ATTEMPTS = 5
const TIMEOUT_MS = 120_000

let s: TestServer

beforeAll(async () => {
  s = await startTestServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const NODE = `
const [url, token] = process.argv.slice(1)
for (let i = 0; i < ${ATTEMPTS}; i++) {
  const response = await fetch(url, {
    method: 'PUT', headers: { Authorization: 'Bearer ' + token }, body: Buffer.alloc(${BODY_BYTES}, 120),
  })
  console.log(response.status, (await response.json()).code)
}`

const PYTHON = `
import json, sys, urllib.error, urllib.request
for _ in range(${ATTEMPTS}):
    headers = {"Authorization": "Bearer " + sys.argv[2]}
    try:
        urllib.request.urlopen(urllib.request.Request(sys.argv[1], b"x" * ${BODY_BYTES}, headers, method="PUT"))
    except urllib.error.HTTPError as error:
        print(error.code, json.load(error)["code"])`

const CURL = `
for i in $(seq ${ATTEMPTS}); do
  head -c ${BODY_BYTES} /dev/zero | curl -s -X PUT -H "Authorization: Bearer $2" --data-binary @- "$1" |
    sed -E 's/.*"code":(413|400)([0-9]+).*/\\1 \\1\\2\\n/'
done`

const CLIENTS = [
  { name: "Node's fetch", program: 'node', args: ['--input-type=module', '-e', NODE] },
  { name: "Python's urllib", program: 'python3', args: ['-c', PYTHON] },
  { name: 'curl', program: 'curl', args: ['-c', CURL, 'sh'], shell: 'sh' },
]

async function run({ program, args, shell }: (typeof CLIENTS)[number], token: string): Promise<string[]> {
  const url = new URL('/chat/v1/block_user_chat', s.url).href
  const child = Bun.spawn([shell ?? program, ...args, url, token], { stdout: 'pipe', stderr: 'pipe' })
  const [out, problem] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect(problem).toBe('')
  return out.trim().split('\n')
}

describe.each(CLIENTS)('$name', (client) => {
  test.skipIf(Bun.which(client.program) === null)(
    'always receives the 413 for a body over the limit',
    async () => expect(await run(client, TOKEN)).toEqual(Array(ATTEMPTS).fill('413 413100')),
    TIMEOUT_MS,
  )

  test.skipIf(Bun.which(client.program) === null)(
    'always receives the error for bad credentials while it sends a large body',
    async () => expect(await run(client, 'wrong')).toEqual(Array(ATTEMPTS).fill('400 400701')),
    TIMEOUT_MS,
  )
})

describe('a connection with a rejected body', () => {
  const HEAD = `PUT /chat/v1/block_user_chat HTTP/1.1\r\nHost: parley\r\nAuthorization: Bearer ${TOKEN}\r\n`

  test(
    'receives the whole response immediately and is closed when idle',
    async () => {
      using client = await RawClient.connect(s.url)
      client.send(`${HEAD}Content-Length: 999999999999\r\n\r\n`)
      const response = await client.until(/"error":true\}/)
      expect(response).toStartWith('HTTP/1.1 413')
      expect(response).toMatch(/\r\nconnection: close\r\n/i)
      expect(await client.closed).toBeLessThan(60_000)
    },
    TIMEOUT_MS,
  )

  test.each(['Content-Length: 999999999999', 'Transfer-Encoding: chunked'])(
    'is closed while it sends endlessly: %s',
    async (length) => {
      using client = await RawClient.connect(s.url)
      const data = 'x'.repeat(0x10000)
      client.send(`${HEAD}${length}\r\n\r\n`)
      const piece = length.startsWith('Content') ? data : `10000\r\n${data}\r\n`
      let isOpen = true
      client.closed.then(() => {
        isOpen = false
      })
      while (isOpen) await client.sendAll(piece)
      expect(client.received).toStartWith('HTTP/1.1 413')
    },
    TIMEOUT_MS,
  )

  test(
    'is closed after 64 MiB, even with a long body timeout',
    async () => {
      await using patient = await startTestServer({ PARLEY_BODY_SECONDS: '255' })
      using client = await RawClient.connect(patient.url)
      const piece = 'x'.repeat(0x10000)
      client.send(`${HEAD}Content-Length: 999999999999\r\n\r\n`)
      let sent = 0
      let isOpen = true
      client.closed.then(() => {
        isOpen = false
      })
      for (; isOpen && sent < 200_000_000; sent += piece.length) await client.sendAll(piece)
      expect(client.received).toStartWith('HTTP/1.1 413')
      // The drained bytes plus the buffers of both sockets.
      expect(sent).toBeLessThan(150_000_000)
    },
    TIMEOUT_MS,
  )

  test(
    'is closed at the body timeout while it keeps sending slowly',
    async () => {
      await using strict = await startTestServer({ PARLEY_BODY_SECONDS: '1' })
      using client = await RawClient.connect(strict.url)
      client.send(`${HEAD}Content-Length: 999999999999\r\n\r\n`).drip('x', 100)
      expect(await client.closed).toBeLessThan(30_000)
      expect(client.received).toStartWith('HTTP/1.1 413')
    },
    TIMEOUT_MS,
  )

  test('changes nothing on the server', async () => {
    expect((await s.call('GET', '/block_user_list')).json).toEqual([])
  })
})

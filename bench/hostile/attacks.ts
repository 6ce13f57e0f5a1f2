/**
 * The attacks of the `hostile` benchmark, as a process of its own: runs one until it is killed or its input ends.
 * Usage: bun bench/hostile/attacks.ts NAME PORT
 */
import { connect } from 'node:net'
import { signToken } from '../../test/support/player.ts'
import { GROUP } from '../dialects.ts'
import { TOKEN } from '../support.ts'

/** The server trusts this machine as a proxy, so attackers get an address of their own. */
const ATTACKER = '203.0.113.7'
const HEADERS = { 'X-Forwarded-For': ATTACKER }
const MEGABYTE = 1_048_576
const BODY_BYTES = 8 * MEGABYTE - 1024

type Attack = (port: number) => Promise<void>

/** Opens a connection and sends `hello`, then `next` for each frame that arrives, until it is closed. */
function player(
  port: number,
  hello: string,
  next: (frame: string) => readonly string[] = () => [],
): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway/v1`, { headers: HEADERS } as never)
  return new Promise((resolve) => {
    socket.onopen = () => socket.send(hello)
    socket.onmessage = ({ data }) => {
      for (const text of next(String(data))) socket.send(text)
    }
    socket.onclose = () => resolve()
    socket.onerror = () => resolve()
  })
}

const frame = (type: string, fields: object = {}) => JSON.stringify({ type, id: 1, ...fields })

async function hello(id: string, fields: object = {}): Promise<string> {
  return frame('connect', { token: await signToken(id), ...fields })
}

/** Keeps an attacker whose connection is refused from looping without a pause. */
const pause = () => Bun.sleep(1)

async function reconnect(attempt: (n: number) => Promise<void>): Promise<never> {
  for (let n = 0; ; n++) {
    await attempt(n)
    await pause()
  }
}

const lanes = async (count: number, lane: (n: number) => Promise<void>) => {
  await Promise.all(Array.from({ length: count }, (_, n) => lane(n)))
}

async function send(port: number, method: string, path: string, body: string): Promise<void> {
  const headers = { ...HEADERS, Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
  const url = `http://127.0.0.1:${port}/chat/v1${path}`
  const response = await fetch(url, { method, headers, body }).catch(() => undefined)
  await response?.arrayBuffer().catch(() => undefined)
}

const put =
  (body: string): Attack =>
  (port) =>
    reconnect(() => send(port, 'PUT', '/bad_word_list', body))

const expressions = Array.from(
  { length: 100_000 },
  (_, n) => `expression ${n} ${n * 7919} and so on and so forth until it is long`,
)

const join = frame('join', { channel_group: GROUP })
const leave = frame('leave', { channel_group: GROUP })
const unknownReport = frame('report', { message_id: crypto.randomUUID(), keyword: 'SPAM' })
/** Attackers use a group of their own, because the load counts every message in the main group. */
const joinAside = frame('join', { channel_group: `${GROUP}-0` })
const say = frame('say', { channel_group: `${GROUP}-0`, message: 'buy gold' })

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'player reconnecting with a very long language code': (port) =>
    lanes(4, () =>
      reconnect(async (n) => {
        const language = Array.from({ length: 4000 }, (_, part) => (part + n).toString(36)).join('-')
        await player(port, await hello('linguist', { language: `en-${language}` }), () => [joinAside, say])
      }),
    ),
  'player flooding and reconnecting': (port) =>
    reconnect(async () => {
      let said = 0
      await player(port, await hello('flooder'), (text) => {
        if (text.startsWith('{"type":"connected"')) return [joinAside]
        return said++ < 50 ? [say] : []
      })
    }),
  'player joining and leaving in a loop': (port) =>
    reconnect(async () =>
      player(port, await hello('revolver'), (text) =>
        text.startsWith('{"type":"connected"') || text.startsWith('{"type":"left"')
          ? [join]
          : text.startsWith('{"type":"joined"') || text.startsWith('{"type":"error"')
            ? [leave]
            : [],
      ),
    ),
  'player reporting nonexistent messages': (port) =>
    reconnect(async () =>
      player(port, await hello('reporter'), (text) =>
        text.startsWith('{"type":"message"') ? [] : Array.from({ length: 16 }, () => unknownReport),
      ),
    ),
  'player joining 40 groups and disconnecting': (port) =>
    reconnect(async () => {
      const joins = Array.from({ length: 40 }, (_, n) => frame('join', { channel_group: `${GROUP}-${n}` }))
      await player(port, await hello('tourist'), (text) =>
        text.startsWith('{"type":"connected"') ? joins : [],
      )
    }),
  'malformed upgrades on 40 connections': (port) =>
    lanes(40, () =>
      reconnect(
        () =>
          new Promise<void>((resolve) => {
            const request = `GET /gateway/v1 HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ATTACKER}\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`
            const socket = connect(port, '127.0.0.1', () => socket.write(request))
            socket.on('data', () => socket.write(request))
            socket.on('close', () => resolve())
            socket.on('error', () => resolve())
          }),
      ),
    ),
  'endless connections that never authenticate': (port) =>
    lanes(40, () => reconnect(() => player(port, frame('ping'), () => []))),
  'list of numbers, 8 MB': put(`{"language":"en","filters":[${'0,'.repeat(BODY_BYTES / 2 - 32)}0]}`),
  'numbers instead of texts, 8 MB': (port) =>
    reconnect(() =>
      send(port, 'POST', '/filter_check', `{"language":"en","texts":[${'0,'.repeat(BODY_BYTES / 2 - 32)}0]}`),
    ),
  'unknown properties, 8 MB': put(`{"language":"en","filters":[],"junk":"${'x'.repeat(BODY_BYTES)}"}`),
  'nested brackets, 8 MB': put('['.repeat(BODY_BYTES)),
  'body over the size limit': put(`{"language":"en","filters":["${'x'.repeat(BODY_BYTES + 2 * MEGABYTE)}"]}`),
  'valid list of 100,000 expressions, edited in a loop': put(
    JSON.stringify({ language: 'zu', filters: expressions }),
  ),
}

if (import.meta.main) {
  const [name = '', port = ''] = process.argv.slice(2)
  const attack = ATTACKS[name]
  if (attack === undefined) throw new Error(`Unknown attack "${name}".`)
  // The benchmark may be killed: an attack must not outlive it.
  process.stdin.on('end', () => process.exit(0)).resume()
  await attack(Number(port))
}

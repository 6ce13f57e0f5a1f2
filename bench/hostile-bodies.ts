import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Measurement, median, ROOT, residentMb, type Subject, startParley, TOKEN } from './support.ts'

const BYTES = 8 * 1024 * 1024
const TARGET_MS = 20
const QUIET_MS = 500

/** JSON with as many elements as fit into the largest allowed body. */
function fill(open: string, element: (index: number) => string, close: string): string {
  const parts = [open]
  let size = open.length + close.length
  for (let index = 0; ; index++) {
    const part = (index === 0 ? '' : ',') + element(index)
    size += Buffer.byteLength(part)
    if (size > BYTES) break
    parts.push(part)
  }
  return parts.join('') + close
}

const EXPRESSIONS = 100_000
const filters = Array.from({ length: EXPRESSIONS }, (_, index) => `${index} 욕설 ${'가나다'.repeat(7)}`)
const texts = Array.from({ length: 1000 }, (_, index) => `${filters[index]} `)
const draft = filters.slice(0, 95_000)

/** Bodies of up to 8 MiB that a faulty or hostile backend might send, and the expected status. */
const ATTACKS = [
  {
    what: `PUT of ${EXPRESSIONS.toLocaleString('en')} expressions`,
    request: ['PUT', '/bad_word_list', JSON.stringify({ language: 'en', filters })],
    status: 200,
  },
  {
    what: 'numbers instead of strings',
    request: ['PUT', '/bad_word_list', fill('{"language":"en","filters":[', () => '0', ']}')],
    status: 400,
  },
  {
    what: 'far too many strings',
    request: ['PUT', '/bad_word_list', fill('{"language":"en","filters":[', () => '"a"', ']}')],
    status: 400,
  },
  {
    what: 'unknown properties',
    request: [
      'PUT',
      '/block_user_chat',
      fill('{"gamer_id":"p","days":1,"more":[', (index) => `"junk ${index}"`, ']}'),
    ],
    status: 200,
  },
  {
    what: 'deep nesting',
    request: ['PUT', '/block_user_chat', '['.repeat(BYTES)],
    status: 400,
  },
  {
    what: 'filter check with a draft',
    request: ['POST', '/filter_check', JSON.stringify({ language: 'en', texts, filters: draft })],
    status: 200,
  },
] as const

/** How long a large body stalls the event loop that carries chat, compared with the idle server. */
export async function measureHostileBodies(rounds: number): Promise<Measurement[]> {
  const watch = path.join(ROOT, 'bench/servers/loop-watch.ts')
  const parley = await startParley(['--preload', watch, 'src/main.ts', 'start'])
  try {
    const measurements: Measurement[] = []
    for (const attack of ATTACKS) measurements.push(await measure(parley, attack, rounds))
    return measurements
  } finally {
    await parley.stop()
  }
}

async function measure(
  parley: Subject,
  attack: (typeof ATTACKS)[number],
  rounds: number,
): Promise<Measurement> {
  const { what, request } = attack
  // The first request starts the parser worker.
  await attackOnce(parley, attack)
  const results: Awaited<ReturnType<typeof attackOnce>>[] = []
  for (let round = 0; round < rounds; round++) results.push(await attackOnce(parley, attack))
  const figure = median(results.map(({ held }) => held.cpuMs))
  const worst = Math.max(...results.map(({ held }) => held.cpuMs))
  const byClock = median(results.map(({ held }) => held.wallMs))
  const idle = median(results.map((each) => each.idle.cpuMs))
  const seconds = median(results.map((each) => each.seconds))
  return {
    what: `A body of ${Math.round(Buffer.byteLength(request[2]) / 1024 / 1024)} MiB, ${what}: longest event-loop stall`,
    parley: `${figure.toFixed(1)} ms of CPU time (worst ${worst.toFixed(1)}; wall clock ${byClock.toFixed(1)}); response after ${seconds.toFixed(2)} s; ${residentMb(parley.pid).toFixed(0)} MB`,
    baseline: `idle for ${QUIET_MS} ms: ${idle.toFixed(1)} ms`,
    figure,
    unit: 'ms',
    target: `≤ ${TARGET_MS}`,
    isMet: figure <= TARGET_MS,
  }
}

async function attackOnce(parley: Subject, { what, request, status }: (typeof ATTACKS)[number]) {
  const [method, target, body] = request
  await parley.longestStall()
  const startedAt = performance.now()
  const response = await fetch(`http://127.0.0.1:${parley.port}/chat/v1${target}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}` },
    body,
  })
  await response.bytes()
  if (response.status !== status) throw new Error(`${what}: ${response.status}`)
  const seconds = (performance.now() - startedAt) / 1000
  const held = await parley.longestStall()
  await sleep(QUIET_MS)
  return { held, seconds, idle: await parley.longestStall() }
}

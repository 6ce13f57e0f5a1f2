import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Measurement, median, ROOT, residentMb, type Subject, startParley, TOKEN } from './support.ts'

const BYTES = 8 * 1024 * 1024
const TARGET_MS = 20
const QUIET_MS = 500

/** JSON of at most the bytes that a body may have, with as many elements as fit. */
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

/** Bodies of 8 MiB that an unskilled or hostile backend may send, and what they are answered with. */
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
    what: 'a draft to try',
    request: ['POST', '/filter_check', JSON.stringify({ language: 'en', texts, filters: draft })],
    status: 200,
  },
] as const

/** How long a long body holds the loop that carries chat, beside what the same server needs with nothing to do. */
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
  // The first one starts the thread.
  await attackOnce(parley, attack)
  const found: Awaited<ReturnType<typeof attackOnce>>[] = []
  for (let round = 0; round < rounds; round++) found.push(await attackOnce(parley, attack))
  const figure = median(found.map(({ held }) => held.cpuMs))
  const worst = Math.max(...found.map(({ held }) => held.cpuMs))
  const byClock = median(found.map(({ held }) => held.wallMs))
  const idle = median(found.map((each) => each.idle.cpuMs))
  const seconds = median(found.map((each) => each.seconds))
  return {
    what: `A body of ${Math.round(Buffer.byteLength(request[2]) / 1024 / 1024)} MiB, ${what}: longest hold of the loop`,
    parley: `${figure.toFixed(1)} ms of processor time (worst ${worst.toFixed(1)}; by the clock ${byClock.toFixed(1)}); answered after ${seconds.toFixed(2)} s; ${residentMb(parley.pid).toFixed(0)} MB`,
    baseline: `nothing to do for ${QUIET_MS} ms: ${idle.toFixed(1)} ms`,
    figure,
    unit: 'ms',
    target: `≤ ${TARGET_MS}`,
    isMet: figure <= TARGET_MS,
  }
}

async function attackOnce(parley: Subject, { what, request, status }: (typeof ATTACKS)[number]) {
  const [method, target, body] = request
  await parley.longestHold()
  const startedAt = performance.now()
  const answer = await fetch(`http://127.0.0.1:${parley.port}/chat/v1${target}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}` },
    body,
  })
  await answer.bytes()
  if (answer.status !== status) throw new Error(`${what}: ${answer.status}`)
  const seconds = (performance.now() - startedAt) / 1000
  const held = await parley.longestHold()
  await sleep(QUIET_MS)
  return { held, seconds, idle: await parley.longestHold() }
}

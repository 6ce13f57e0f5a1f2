import path from 'node:path'
import { PLAYER_SECRET } from '../test/support/player.ts'
import type { ChatResult } from './chat-load.ts'
import { drive } from './chat-sides.ts'
import { channelName, GROUP } from './dialects.ts'
import { ATTACKS } from './hostile/attacks.ts'
import { call, type Measurement, ROOT, residentMb, type Subject, startParley } from './support.ts'

const MEMBERS = 100
const MESSAGES_PER_SECOND = 50
const NICE = 10

const MAX_RATIO = 3
const MAX_HOLD_MS = 50
const MAX_MORE_MB = 100

/** The effect of an attack on other players: the same conversation without and during it, on one server. */
export async function measureHostile(seconds: number, only = ''): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  const names = Object.keys(ATTACKS).filter((name) => name.includes(only))
  for (const name of names) measurements.push(...(await measureAttack(name, seconds)))
  return measurements
}

async function measureAttack(name: string, seconds: number): Promise<Measurement[]> {
  const parley = await startTarget()
  try {
    await converse(parley, 1)
    const quiet = await observe(parley, seconds)
    await using _attack = startAttack(name, parley.port)
    const during = await observe(parley, seconds)
    return describe(name, quiet, during)
  } finally {
    await parley.stop()
  }
}

async function startTarget(): Promise<Subject> {
  const watch = path.join(ROOT, 'bench/servers/loop-watch.ts')
  const parley = await startParley(['--preload', watch, 'src/main.ts', 'start'], {
    PARLEY_PLAYER_SECRET: PLAYER_SECRET,
    PARLEY_TRUSTED_PROXIES: '127.0.0.1',
    PARLEY_CONNECTIONS_PER_ADDRESS: '1000',
  })
  const channel = { channel_group: GROUP, channel_name: channelName(0), max_count: 2 * MEMBERS }
  await call(parley.port, 'PUT', '/open_channels', { ...channel, is_default: true })
  for (let n = 0; n < 40; n++)
    await call(parley.port, 'PUT', '/open_channels', {
      channel_group: `${GROUP}-${n}`,
      channel_name: 'main',
      is_default: true,
    })
  return parley
}

function startAttack(name: string, port: number) {
  return Bun.spawn(
    ['nice', '-n', String(NICE), process.execPath, 'bench/hostile/attacks.ts', name, String(port)],
    {
      cwd: ROOT,
      stdin: 'pipe',
      stdout: 'ignore',
      stderr: 'inherit',
    },
  )
}

/** Ordinary players, each within the flood limit. */
const converse = (parley: Subject, seconds: number): Promise<ChatResult> =>
  drive(parley, {
    dialect: 'parley',
    members: MEMBERS,
    channels: 1,
    warmSeconds: 1,
    seconds,
    speech: { kind: 'rate', perSecond: MESSAGES_PER_SECOND },
  })

interface Observation {
  readonly chat: ChatResult
  readonly heldMs: number
  readonly peakMb: number
}

async function observe(parley: Subject, seconds: number): Promise<Observation> {
  await parley.longestStall()
  let peakMb = residentMb(parley.pid)
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(parley.pid))
  }, 50)
  const chat = await converse(parley, seconds)
  clearInterval(timer)
  const { cpuMs } = await parley.longestStall()
  return { chat, heldMs: cpuMs, peakMb }
}

function describe(name: string, quiet: Observation, during: Observation): Measurement[] {
  const ratio = during.chat.p99Ms / quiet.chat.p99Ms
  const moreMb = during.peakMb - quiet.peakMb
  const row = (
    what: string,
    figure: number,
    unit: string,
    bound: number,
    texts: readonly [string, string],
  ) => ({
    what: `${name}: ${what}`,
    parley: texts[0],
    baseline: `without attack: ${texts[1]}`,
    figure,
    unit,
    target: `≤ ${bound}`,
    isMet: figure <= bound,
  })
  const latency = ({ chat }: Observation) =>
    `p99 ${chat.p99Ms.toFixed(1)} ms, max ${chat.maxMs.toFixed(1)} ms`
  return [
    row('latency from say to delivery', ratio, '×', MAX_RATIO, [latency(during), latency(quiet)]),
    row('longest event-loop stall', during.heldMs, 'ms', MAX_HOLD_MS, ['', `${quiet.heldMs.toFixed(1)} ms`]),
    row('memory', moreMb, 'MB more', MAX_MORE_MB, [
      `${during.peakMb.toFixed(0)} MB`,
      `${quiet.peakMb.toFixed(0)} MB`,
    ]),
  ]
}

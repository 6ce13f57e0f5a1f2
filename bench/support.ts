import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Load, LoadResult } from './load.ts'

export const TOKEN = 'bench-master-token-of-43-characters-xxxxxxx'

export const ROOT = path.join(import.meta.dir, '..')

/** One row of the table. */
export interface Measurement {
  readonly what: string
  readonly parley: string
  readonly baseline: string
  readonly figure: number
  readonly unit: string
  readonly target: string
  readonly isMet: boolean
}

export interface Subject {
  readonly port: number
  readonly pid: number
  /** Since the last call. Requires a server that preloads `bench/servers/loop-watch.ts`. */
  longestStall(): Promise<LoopStall>
  stop(): Promise<void>
}

export interface LoopStall {
  readonly wallMs: number
  readonly cpuMs: number
}

/** Starts a server and waits for the line with its port. */
export async function start(
  command: readonly string[],
  env: Record<string, string> = {},
  runtime = process.execPath,
): Promise<Subject> {
  const { PATH = '', HOME = '' } = process.env
  let hold = Promise.withResolvers<LoopStall>()
  const child = Bun.spawn([runtime, ...command], {
    cwd: ROOT,
    env: { PATH, HOME, ...env },
    stdout: 'pipe',
    ipc: (message: LoopStall) => hold.resolve(message),
  })
  const longestStall = () => {
    hold = Promise.withResolvers()
    child.send('longest stall')
    return hold.promise
  }
  const listening = Promise.withResolvers<number>()
  let output = ''
  const read = async () => {
    for await (const chunk of child.stdout) {
      output += new TextDecoder().decode(chunk)
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
      if (port !== undefined) listening.resolve(Number(port))
    }
    listening.reject(new Error(`${command.join(' ')} did not listen: ${output}`))
  }
  const reading = read()
  const stop = async () => {
    child.kill()
    await child.exited
    await reading
  }
  return { port: await listening.promise, pid: child.pid, longestStall, stop }
}

const PEERS = path.join(ROOT, 'bench/peers')

/** Installs the packages that Parley is compared with. Parley itself does not depend on them. */
export async function installPeer(name: string): Promise<void> {
  if (existsSync(path.join(PEERS, 'node_modules', name))) return
  const install = Bun.spawn(['npm', 'ci', '--prefix', PEERS], { stdout: 'ignore', stderr: 'inherit' })
  if ((await install.exited) !== 0) throw new Error('Installing the peers failed.')
}

/** Loads a module of a peer. The caller knows its shape. */
export async function loadPeer<Module>(name: string): Promise<Module> {
  await installPeer(name)
  return import(Bun.resolveSync(name, PEERS)) as Promise<Module>
}

/** Starts Parley on a folder of its own, with the rate limiter active but set too high to trigger. */
export async function startParley(
  entry: readonly string[] = ['src/main.ts', 'start'],
  env: Record<string, string> = {},
): Promise<Subject> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'))
  const subject = await start(entry, {
    PARLEY_DATA_DIR: folder,
    PARLEY_PORT: '0',
    PARLEY_MASTER_TOKEN: TOKEN,
    PARLEY_RATE_PER_SECOND: '10000000',
    ...env,
  })
  return {
    ...subject,
    stop: async () => {
      await subject.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

export async function load(options: Omit<Load, 'token'>): Promise<LoadResult> {
  const child = Bun.spawn([process.execPath, 'bench/load.ts', JSON.stringify({ ...options, token: TOKEN })], {
    cwd: ROOT,
    stdout: 'pipe',
  })
  return JSON.parse(await child.stdout.text())
}

export async function call(
  port: number,
  method: string,
  pathAndQuery: string,
  body?: unknown,
): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/chat/v1${pathAndQuery}`, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${pathAndQuery}: ${await response.text()}`)
  return response.text()
}

/**
 * Measures both sides in turns and compares each turn with its neighbour. Other load on the machine changes rates over
 * minutes by half, but hardly the ratio of two consecutive seconds.
 */
export async function compare(
  rounds: number,
  parley: () => Promise<LoadResult>,
  baseline: () => Promise<LoadResult>,
) {
  await parley()
  await baseline()
  const turns: { parley: LoadResult; baseline: LoadResult }[] = []
  for (let round = 0; round < rounds; round++)
    turns.push({ parley: await parley(), baseline: await baseline() })
  const failures = turns.reduce((sum, turn) => sum + turn.parley.failures + turn.baseline.failures, 0)
  if (failures > 0) throw new Error(`${failures} requests failed`)
  return {
    parley: middle(turns.map((turn) => turn.parley)),
    baseline: middle(turns.map((turn) => turn.baseline)),
    ratio: median(turns.map((turn) => turn.parley.perSecond / turn.baseline.perSecond)),
  }
}

const middle = (results: readonly LoadResult[]) =>
  results.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(results.length / 2)]!

export const rate = ({ perSecond, p99Ms }: LoadResult) =>
  `${Math.round(perSecond).toLocaleString('en')}/s, p99 ${p99Ms.toFixed(1)} ms`

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Resident memory of a process in MB, as Linux reports it. */
export function residentMb(pid: number): number {
  const pages = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  return pages / 1024
}

const TICK_MS = 10

/** User and system CPU time of all threads of a process, as Linux reports it. */
export function cpuMs(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) * TICK_MS
}

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { call, type Measurement, median, residentMb, TOKEN } from './support.ts'

const START_TARGET_MS = 400
const MEMORY_TARGET_MB = 80
const IDLE_MS = 3000

/** Time from the command to the first 200 response, and the memory of the idle process. */
export async function measureStart(rounds: number): Promise<Measurement[]> {
  const times: number[] = []
  let memory = 0
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'))
  for (let round = 0; round < rounds; round++) {
    const port = await freePort()
    const { PATH = '', HOME = '' } = process.env
    const startedAt = performance.now()
    const child = Bun.spawn(['bin/parley', 'start'], {
      env: { PATH, HOME, PARLEY_DATA_DIR: folder, PARLEY_PORT: String(port), PARLEY_MASTER_TOKEN: TOKEN },
      stdout: 'ignore',
    })
    await firstResponse(port)
    times.push(performance.now() - startedAt)
    if (round === rounds - 1) {
      await Bun.sleep(IDLE_MS)
      memory = residentMb(child.pid)
    }
    child.kill()
    await child.exited
  }
  rmSync(folder, { recursive: true })
  return [
    figure('Startup to first 200 response', median(times), 'ms', START_TARGET_MS),
    figure('Idle memory', memory, 'MB', MEMORY_TARGET_MB),
  ]
}

const figure = (what: string, value: number, unit: string, target: number): Measurement => ({
  what,
  parley: `${value.toFixed(0)} ${unit}`,
  baseline: '',
  figure: value,
  unit,
  target: `≤ ${target}`,
  isMet: value <= target,
})

async function firstResponse(port: number): Promise<void> {
  for (;;) {
    try {
      await call(port, 'GET', '/open_channel_groups')
      return
    } catch {
      await Bun.sleep(1)
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

import { type Measurement, median, ROOT } from '../support.ts'
import type { CompileCost } from './compile-once.ts'
import { measureCosts } from './cost.ts'
import { measurePeers } from './peer-comparison.ts'
import { toMeasurement } from './rows.ts'
import { loadSpeedTexts } from './speed-texts.ts'
import { measureWorstCase, measureWorstTexts } from './worst-case.ts'
import { searchWorstTexts } from './worst-search.ts'

const COMPILE_GOAL_SECONDS = 1
const COMPILE_GOAL_MB = 60

export interface SpeedOptions {
  readonly data: string
  readonly isQuick: boolean
  readonly withPeers: boolean
  /** How long to search for slower texts first; 0 for not at all. */
  readonly searchMinutes: number
}

/** The cost of each message and of changing a list. */
export async function measureFilterSpeed({
  data,
  isQuick,
  withPeers,
  searchMinutes,
}: SpeedOptions): Promise<Measurement[]> {
  const texts = loadSpeedTexts(data)
  if (searchMinutes > 0) searchWorstTexts(texts, searchMinutes)
  return [
    ...measureCosts(texts, isQuick ? 11 : 101),
    ...(withPeers ? await measurePeers(texts, isQuick ? 5 : 41) : []),
    ...measureWorstCase(texts),
    ...measureWorstTexts(texts),
    ...(await measureCompiling(data, isQuick ? 1 : 5)),
  ]
}

async function measureCompiling(data: string, runs: number): Promise<Measurement[]> {
  const costs: CompileCost[] = []
  for (let run = 0; run < runs; run++) costs.push(await compileOnce(data))
  const middle = (figure: keyof CompileCost) => median(costs.map((cost) => cost[figure]))
  return [
    toMeasurement({
      what: 'Compiling 100,000 expressions in a new process',
      parley: `${runs} runs, fastest ${Math.min(...costs.map(({ seconds }) => seconds)).toFixed(2)} s`,
      figure: middle('seconds'),
      unit: 's',
      goal: { atMost: COMPILE_GOAL_SECONDS },
    }),
    toMeasurement({
      what: 'Memory of 100,000 compiled expressions',
      parley: `resident memory +${middle('residentMb').toFixed(1)} MB`,
      figure: middle('heldMb'),
      unit: 'MB',
      goal: { atMost: COMPILE_GOAL_MB },
    }),
  ]
}

async function compileOnce(data: string): Promise<CompileCost> {
  const child = Bun.spawn([process.execPath, 'bench/filter/compile-once.ts', data], {
    cwd: ROOT,
    stdout: 'pipe',
  })
  const output = await child.stdout.text()
  if ((await child.exited) !== 0) throw new Error('Compiling the lists failed.')
  return JSON.parse(output)
}

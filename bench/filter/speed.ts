import { type Measurement, median, ROOT } from '../support.ts'
import type { CompileCost } from './compile-once.ts'
import { measureContest } from './contest.ts'
import { measureCosts } from './cost.ts'
import { toMeasurement } from './rows.ts'
import { gatherSpeedTexts } from './speed-texts.ts'
import { measureWorstCase } from './worst-case.ts'

const COMPILE_GOAL_SECONDS = 1
const COMPILE_GOAL_MB = 60

export interface SpeedWish {
  readonly data: string
  readonly isQuick: boolean
  readonly withPeers: boolean
}

/** What the filter costs for each message, and what it costs to change a list. */
export async function measureFilterSpeed({ data, isQuick, withPeers }: SpeedWish): Promise<Measurement[]> {
  const texts = gatherSpeedTexts(data)
  return [
    ...measureCosts(texts, isQuick ? 11 : 101),
    ...(withPeers ? await measureContest(texts, isQuick ? 5 : 41) : []),
    ...measureWorstCase(texts),
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
      parley: `${runs} runs, the fastest ${Math.min(...costs.map(({ seconds }) => seconds)).toFixed(2)} s`,
      figure: middle('seconds'),
      unit: 's',
      goal: { atMost: COMPILE_GOAL_SECONDS },
    }),
    toMeasurement({
      what: 'Memory of 100,000 compiled expressions',
      parley: `resident ${middle('residentMb').toFixed(1)} MB more`,
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
  if ((await child.exited) !== 0) throw new Error('The lists could not be compiled.')
  return JSON.parse(output)
}

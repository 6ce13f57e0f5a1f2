import { type Measurement, median } from '../support.ts'
import { cleaning } from './cost.ts'
import { race, ratioOf } from './pace.ts'
import { ENGLISH_PEERS, type Peer } from './peers.ts'
import { toMeasurement } from './rows.ts'
import type { SpeedTexts } from './speed-texts.ts'
import { compileSubject } from './subject.ts'

const SLOW_LINES = 200

const GOALS: Record<keyof typeof ENGLISH_PEERS, number | undefined> = {
  twoToad: 2,
  leoProfanity: 2,
  obscenity: 60,
  glinProfanity: 400,
  badWords: undefined,
  allProfanity: undefined,
}

/** Lines of chat as they come: Parley masks, the others only say whether there is something to mask. */
export async function measureContest(texts: SpeedTexts, rounds: number): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const [name, goal] of Object.entries(GOALS) as [keyof typeof GOALS, number | undefined][])
    rows.push(await measureAgainst(ENGLISH_PEERS[name], goal, texts, rounds))
  return rows
}

async function measureAgainst(
  { name, isSlow, create }: Peer,
  goal: number | undefined,
  texts: SpeedTexts,
  rounds: number,
): Promise<Measurement> {
  const has = await create()
  const lines = isSlow ? texts.lines.slice(0, SLOW_LINES) : texts.lines
  const times = race(
    {
      parley: cleaning(compileSubject(texts.small), lines),
      peer: () => lines.reduce((count, line) => count + (has(line) ? 1 : 0), 0),
    },
    rounds,
  )
  const perSecond = (nanos: readonly number[]) =>
    `${Math.round((lines.length * 1e9) / median(nanos)).toLocaleString('en')} messages/s`
  return toMeasurement({
    what: `Lines of chat, 403 expressions, against ${name} with its own`,
    parley: perSecond(times.parley),
    baseline: `${name}: ${perSecond(times.peer)}`,
    figure: ratioOf(times.peer, times.parley),
    unit: '× the baseline',
    goal: goal === undefined ? undefined : { atLeast: goal },
  })
}

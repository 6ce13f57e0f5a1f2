import { type Measurement, median } from '../support.ts'
import { cleaning } from './cost.ts'
import { ENGLISH_PEERS, type Peer } from './peers.ts'
import { toMeasurement } from './rows.ts'
import type { SpeedTexts } from './speed-texts.ts'
import { compileSubject } from './subject.ts'
import { type Pass, ratioOf, timeAlternately } from './timing.ts'

const SLOW_LINES = 100

const GOALS: Record<keyof typeof ENGLISH_PEERS, number | undefined> = {
  twoToad: 2,
  leoProfanity: 2,
  obscenity: 60,
  glinProfanity: 400,
  badWords: undefined,
  allProfanity: undefined,
}

/** Throughput on real chat lines. Parley masks; the peers only tell whether there is something to mask. */
export async function measurePeers(texts: SpeedTexts, rounds: number): Promise<Measurement[]> {
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
  const { lines } = texts
  const checked = isSlow ? SLOW_LINES : lines.length
  const times = timeAlternately(
    { parley: cleaning(compileSubject(texts.small), lines), peer: checking(await create(), lines, checked) },
    rounds,
  )
  const nanos = {
    parley: times.parley.map((time) => time / lines.length),
    peer: times.peer.map((time) => time / checked),
  }
  const perSecond = (each: readonly number[]) =>
    `${Math.round(1e9 / median(each)).toLocaleString('en')} messages/s`
  return toMeasurement({
    what: `Chat lines, 403 expressions, against ${name} with its own list`,
    parley: perSecond(nanos.parley),
    baseline: `${name}: ${perSecond(nanos.peer)}`,
    figure: ratioOf(nanos.peer, nanos.parley),
    unit: '× the baseline',
    goal: goal === undefined ? undefined : { atLeast: goal },
  })
}

/** Each pass checks the next few lines: all of them would take a slow peer too long. */
function checking(has: (text: string) => boolean, lines: readonly string[], count: number): Pass {
  let next = 0
  return () => {
    let found = 0
    for (let index = next; index < next + count; index++) found += has(lines[index]!) ? 1 : 0
    next = (next + count) % lines.length
    return found
  }
}

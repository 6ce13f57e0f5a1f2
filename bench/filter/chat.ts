import type { Measurement } from '../support.ts'
import type { Details } from './details.ts'
import { describeScore, type Engine, judge, Parley } from './engine.ts'
import { listPeers, type Part } from './part.ts'
import { toMeasurement } from './rows.ts'
import type { Labelled } from './texts.ts'

interface Contest {
  readonly name: string
  readonly parley: Parley
  readonly peers: readonly Engine[]
  readonly rows: readonly Labelled[]
  readonly precisionGoal: number
  /** Without one, the best of the peers sets it. */
  readonly recallGoal?: number
  readonly details: Details
}

export const judgeGameChat: Part = async ({ texts, details, englishPeers }) => {
  const list = texts.english()
  return judgeChat({
    name: 'Game chat',
    parley: new Parley(list),
    peers: await englishPeers(list),
    rows: texts.gameChat(),
    precisionGoal: 95,
    details,
  })
}

export const judgeKoreanChat: Part = async ({ texts, details, koreanPeers }) =>
  judgeChat({
    name: 'Korean comments',
    parley: new Parley(texts.korean()),
    peers: await koreanPeers(),
    rows: texts.koreanComments(),
    precisionGoal: 90,
    recallGoal: 60,
    details,
  })

function judgeChat({
  name,
  parley,
  peers,
  rows,
  precisionGoal,
  recallGoal,
  details,
}: Contest): Measurement[] {
  const score = judge(parley, rows)
  const scores = new Map(peers.map((peer) => [peer, judge(peer, rows)]))
  details.add(`${name}: false positives`, score.falsePositives, parley)
  details.add(`${name}: false negatives`, score.falseNegatives, parley)
  const shared = {
    parley: describeScore(score),
    baseline: listPeers(peers, (peer) => describeScore(scores.get(peer)!)),
    unit: '%',
  }
  const toReach = recallGoal ?? Math.max(...[...scores.values()].map(({ recall }) => recall))
  return [
    toMeasurement({
      ...shared,
      what: `${name}, ${rows.length.toLocaleString('en')} rows: precision`,
      figure: score.precision,
      goal: { atLeast: precisionGoal },
    }),
    toMeasurement({
      ...shared,
      what: `${name}: recall`,
      figure: score.recall,
      goal: Number.isFinite(toReach) ? { atLeast: toReach } : undefined,
    }),
    toMeasurement({ ...shared, what: `${name}: F1`, figure: score.f1 }),
    toMeasurement({ ...shared, what: `${name}: false-positive rate`, figure: score.falsePositiveRate }),
  ]
}

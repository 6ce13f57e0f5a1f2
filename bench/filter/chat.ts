import type { Measurement } from '../support.ts'
import type { Details } from './details.ts'
import { type Engine, type Figures, judge, Parley } from './engine.ts'
import { listPeers, type Part } from './part.ts'
import { percent, toMeasurement } from './rows.ts'
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

const NAMES: Record<keyof Figures, string> = {
  precision: 'precision',
  recall: 'recall',
  f1: 'F1',
  falsePositiveRate: 'false-positive rate',
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
  const rowOf = (figure: keyof Figures, goal?: { atLeast: number }) =>
    toMeasurement({
      what: `${name}, ${rows.length.toLocaleString('en')} rows: ${NAMES[figure]}`,
      parley: percent(score[figure], 2),
      baseline: listPeers(peers, (peer) => percent(scores.get(peer)![figure], 2)),
      figure: score[figure],
      unit: '%',
      ...(goal && { goal }),
    })
  const toReach = recallGoal ?? Math.max(0, ...[...scores.values()].map(({ recall }) => recall))
  return [
    rowOf('precision', { atLeast: precisionGoal }),
    rowOf('recall', toReach === 0 ? undefined : { atLeast: toReach }),
    rowOf('f1'),
    rowOf('falsePositiveRate'),
  ]
}

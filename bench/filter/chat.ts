import type { Measurement } from '../support.ts'
import type { Labeled } from './corpora.ts'
import type { Details } from './details.ts'
import { type Engine, type Figures, Parley, score } from './engine.ts'
import { listPeers, type Part } from './evaluation.ts'
import { percent, toMeasurement } from './rows.ts'

interface ChatEvaluation {
  readonly name: string
  readonly parley: Parley
  readonly peers: readonly Engine[]
  readonly rows: readonly Labeled[]
  readonly precisionGoal: number
  /** Defaults to the best recall of the peers. */
  readonly recallGoal?: number
  readonly details: Details
}

const NAMES: Record<keyof Figures, string> = {
  precision: 'precision',
  recall: 'recall',
  f1: 'F1',
  falsePositiveRate: 'false-positive rate',
}

export const evaluateGameChat: Part = async ({ texts, details, englishPeers }) => {
  const list = texts.english()
  return evaluateChat({
    name: 'Game chat',
    parley: new Parley(list),
    peers: await englishPeers(list),
    rows: texts.gameChat(),
    precisionGoal: 95,
    details,
  })
}

export const evaluateKoreanChat: Part = async ({ texts, details, koreanPeers }) =>
  evaluateChat({
    name: 'Korean comments',
    parley: new Parley(texts.korean()),
    peers: await koreanPeers(),
    rows: texts.koreanComments(),
    precisionGoal: 90,
    recallGoal: 60,
    details,
  })

function evaluateChat({
  name,
  parley,
  peers,
  rows,
  precisionGoal,
  recallGoal,
  details,
}: ChatEvaluation): Measurement[] {
  const own = score(parley, rows)
  const scores = new Map(peers.map((peer) => [peer, score(peer, rows)]))
  details.add(`${name}: false positives`, own.falsePositives, parley)
  details.add(`${name}: false negatives`, own.falseNegatives, parley)
  const rowOf = (figure: keyof Figures, goal?: { atLeast: number }) =>
    toMeasurement({
      what: `${name}, ${rows.length.toLocaleString('en')} rows: ${NAMES[figure]}`,
      parley: percent(own[figure], 2),
      baseline: listPeers(peers, (peer) => percent(scores.get(peer)![figure], 2)),
      figure: own[figure],
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

import type { Measurement } from '../support.ts'
import type { Labeled } from './corpora.ts'
import type { Details } from './details.ts'
import { type Engine, type Figures, Parley, score } from './engine.ts'
import { listPeers, type Part } from './evaluation.ts'
import { type Goal, percent, toMeasurement } from './rows.ts'

interface ChatEvaluation {
  readonly name: string
  readonly parley: Parley
  readonly peers: readonly Engine[]
  readonly rows: readonly Labeled[]
  readonly goals: Partial<Record<keyof Figures, Goal>>
  readonly details: Details
}

const NAMES: Record<keyof Figures, string> = {
  precision: 'precision',
  recall: 'recall',
  f1: 'F1',
  falsePositiveRate: 'false-positive rate',
}

/** Every English set at hand, with the same public list for all engines. */
export const evaluateEnglishChat: Part = async ({ texts, details, englishPeers }) => {
  const list = texts.english()
  const parley = new Parley(list)
  const peers = await englishPeers(list)
  const label = (isProfane: boolean) => (text: string) => ({ text, isProfane })
  const phrases = [...texts.evasions().map(label(true)), ...texts.innocents().map(label(false))]
  return [
    ...evaluateChat({
      name: 'Game chat',
      parley,
      peers,
      rows: texts.gameChat(),
      goals: { precision: { atLeast: 95 } },
      details,
    }),
    ...evaluateChat({
      name: 'Evasive and innocent phrases',
      parley,
      peers,
      rows: phrases,
      goals: {},
      details,
    }),
  ]
}

export const evaluateKoreanChat: Part = async ({ texts, details, koreanPeers }) =>
  evaluateChat({
    name: 'Korean comments',
    parley: new Parley(texts.korean()),
    peers: await koreanPeers(),
    rows: texts.koreanComments(),
    goals: { precision: { atLeast: 90 }, recall: { atLeast: 62 } },
    details,
  })

/** The F1 score is to be the best of all engines. */
function evaluateChat({ name, parley, peers, rows, goals, details }: ChatEvaluation): Measurement[] {
  const own = score(parley, rows)
  const scores = new Map(peers.map((peer) => [peer, score(peer, rows)]))
  details.add(`${name}: false positives`, parley.describeAll(own.falsePositives))
  details.add(`${name}: false negatives`, own.falseNegatives)
  const best = Math.max(0, ...[...scores.values()].map(({ f1 }) => f1))
  const allGoals: ChatEvaluation['goals'] = { ...(best > 0 && { f1: { atLeast: best } }), ...goals }
  return (Object.keys(NAMES) as (keyof Figures)[]).map((figure) =>
    toMeasurement({
      what: `${name}, ${rows.length.toLocaleString('en')} rows: ${NAMES[figure]}`,
      parley: percent(own[figure], 2),
      baseline: listPeers(peers, (peer) => percent(scores.get(peer)![figure], 2)),
      figure: own[figure],
      unit: '%',
      goal: allGoals[figure],
    }),
  )
}

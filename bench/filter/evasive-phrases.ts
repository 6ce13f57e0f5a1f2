import { Parley } from './engine.ts'
import type { Part } from './evaluation.ts'
import { type Goal, percentOf, toMeasurement } from './rows.ts'

const EVASIVE_GOAL = 85
const INNOCENT_GOAL = 10

/** Phrases that players wrote to evade a filter, with the list of that filter. */
export const evaluateEvasivePhrases: Part = async ({ texts, details }) => {
  const list = texts.evasionList()
  const parley = new Parley(list)
  const [evasive, innocent] = [texts.evasions(), texts.innocents()]
  const isFlagged = (text: string) => parley.has(text)
  const rowOf = (name: string, phrases: readonly string[], goal: Goal) => {
    const flagged = phrases.filter(isFlagged).length
    return toMeasurement({
      what: `${name} phrases flagged, ${list.expressions.length.toLocaleString('en')} expressions of the same source`,
      parley: `${flagged.toLocaleString('en')} of ${phrases.length.toLocaleString('en')}`,
      figure: percentOf(flagged, phrases.length),
      unit: '%',
      goal,
    })
  }
  const missed = evasive.filter((text) => !isFlagged(text))
  details.addAll('Evasive phrases: missed', parley.describeAll(missed))
  details.addAll('Innocent phrases: flagged', parley.describeAll(innocent.filter(isFlagged)))
  return [
    rowOf('Evasive', evasive, { atLeast: EVASIVE_GOAL }),
    rowOf('Innocent', innocent, { atMost: INNOCENT_GOAL }),
  ]
}

import { Parley, shareFlagged } from './engine.ts'
import { listPeers, type Part } from './evaluation.ts'
import { findFlaggedWords } from './flagged-words.ts'
import { matchListed } from './listed.ts'
import { type Goal, percent, percentOf, toMeasurement } from './rows.ts'

const DICTIONARY_GOAL = 0.03
const INNOCENTS_GOAL = 2

/** The Scunthorpe problem: innocent words and phrases that contain a profane one. */
export const evaluateScunthorpe: Part = async ({ texts, details, englishPeers }) => {
  const list = texts.english()
  const parley = new Parley(list)
  const peers = await englishPeers(list)
  const words = findFlaggedWords('Public English list', list, parley, texts, details)
  const rowOf = (what: string, all: readonly string[], flagged: string, goal?: Goal) =>
    toMeasurement({
      what,
      parley: flagged,
      baseline: listPeers(peers, (peer) => percent(shareFlagged(peer, all), 2)),
      figure: percentOf(all.filter((text) => parley.has(text)).length, all.length),
      unit: '%',
      goal,
    })
  const evaluatePhrases = (what: string, all: readonly string[], goal?: Goal) => {
    const flagged = all.filter((text) => parley.has(text))
    details.add(`${what}`, parley.describeAll(flagged))
    return rowOf(what, all, `${flagged.length} of ${all.length.toLocaleString('en')}`, goal)
  }
  /** The list forbids some of these phrases verbatim, so no engine can pass them. */
  const containsListed = matchListed(list.expressions)
  const withoutListed = (phrases: readonly string[]) => phrases.filter((phrase) => !containsListed(phrase))
  return [
    rowOf('Innocent words of the dictionary flagged', words.words, words.summary, {
      atMost: DICTIONARY_GOAL,
    }),
    evaluatePhrases('Innocent phrases flagged', withoutListed(texts.innocents()), { atMost: INNOCENTS_GOAL }),
    evaluatePhrases('Innocent fragments flagged', withoutListed(texts.fragments())),
  ]
}

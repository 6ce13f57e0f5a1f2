import { Parley, shareFlagged } from './engine.ts'
import { listPeers, type Part } from './evaluation.ts'
import { matchForms, matchListed } from './listed.ts'
import { percent, percentOf, toMeasurement } from './rows.ts'

const DICTIONARY_GOAL = 0.15
const INNOCENTS_GOAL = 2

/** The Scunthorpe problem: innocent words and phrases that contain a profane one; for comparison, known evasions. */
export const evaluateScunthorpe: Part = async ({ texts, details, englishPeers }) => {
  const list = texts.english()
  const parley = new Parley(list)
  const peers = await englishPeers(list)
  const evaluateTexts = (what: string, all: readonly string[], goal?: { atMost: number }, remark = '') => {
    const flagged = all.filter((text) => parley.has(text))
    details.add(`${what}: flagged`, flagged, parley)
    return toMeasurement({
      what,
      parley: `${flagged.length} of ${all.length.toLocaleString('en')}${remark}`,
      baseline: listPeers(peers, (peer) => percent(shareFlagged(peer, all), 2)),
      figure: percentOf(flagged.length, all.length),
      unit: '%',
      goal,
    })
  }

  /** The list forbids some of these phrases verbatim, so no engine can pass them. */
  const containsListed = matchListed(list.expressions)
  const withoutListed = (phrases: readonly string[]) => phrases.filter((phrase) => !containsListed(phrase))

  const dictionary = texts.dictionary()
  const isForm = matchForms(list.expressions)
  const unlisted = dictionary.filter((word) => !isForm(word) && parley.has(word))
  details.add('Dictionary: flagged, not a form of a listed word', unlisted, parley)
  const evasions = texts.evasions()
  details.add(
    'Known evasions: missed',
    evasions.filter((text) => !parley.has(text)),
    parley,
  )
  return [
    evaluateTexts(
      'Dictionary words flagged',
      dictionary,
      { atMost: DICTIONARY_GOAL },
      `, ${unlisted.length} of them not forms of a listed word`,
    ),
    evaluateTexts('Innocent phrases flagged', withoutListed(texts.innocents()), { atMost: INNOCENTS_GOAL }),
    evaluateTexts('Innocent fragments flagged', withoutListed(texts.fragments())),
    evaluateTexts('Known evasions flagged (most use words that are not in the list)', evasions),
  ]
}

import { Parley, shareFlagged } from './engine.ts'
import { recogniseForms, recogniseListed } from './listed.ts'
import { listPeers, type Part } from './part.ts'
import { percent, percentOf, toMeasurement } from './rows.ts'

const DICTIONARY_GOAL = 0.15
const INNOCENTS_GOAL = 2

/** Innocent words and phrases that hold a profane one; and, to set against them, words that are hidden. */
export const judgeScunthorpe: Part = async ({ texts, details, englishPeers }) => {
  const list = texts.english()
  const parley = new Parley(list)
  const peers = await englishPeers(list)
  const judgeTexts = (what: string, all: readonly string[], goal?: { atMost: number }, remark = '') => {
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

  /** The list forbids some of these phrases as they stand: no engine can pass them. */
  const holdsListed = recogniseListed(list.expressions)
  const withoutListed = (phrases: readonly string[]) => phrases.filter((phrase) => !holdsListed(phrase))

  const dictionary = texts.dictionary()
  const isForm = recogniseForms(list.expressions)
  const unlisted = dictionary.filter((word) => !isForm(word) && parley.has(word))
  details.add('Dictionary: flagged and no form of a listed word', unlisted, parley)
  const evasions = texts.evasions()
  details.add(
    'Known evasions: missed',
    evasions.filter((text) => !parley.has(text)),
    parley,
  )
  return [
    judgeTexts(
      'Dictionary words flagged',
      dictionary,
      { atMost: DICTIONARY_GOAL },
      `, ${unlisted.length} of them no form of a listed word`,
    ),
    judgeTexts('Innocent phrases flagged', withoutListed(texts.innocents()), { atMost: INNOCENTS_GOAL }),
    judgeTexts('Innocent fragments flagged', withoutListed(texts.fragments())),
    judgeTexts('Known evasions flagged, most of them with words that the list does not have', evasions),
  ]
}

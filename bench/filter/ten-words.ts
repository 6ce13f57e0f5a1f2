import { type Figures, Parley, score } from './engine.ts'
import type { Part } from './evaluation.ts'
import { findFlaggedWords } from './flagged-words.ts'
import { type Goal, percent, toMeasurement } from './rows.ts'

const WORDS = ['fuck', 'shit', 'ass', 'bitch', 'cunt', 'dick', 'nigger', 'faggot', 'whore', 'slut']
const RECALL_GOAL = 42
const CLEAN_GOAL = 0.3
const INNOCENT_GOAL = 10

/** What an operator gets who writes ten words and nothing else. */
export const evaluateTenWords: Part = async ({ texts, details, englishPeers }) => {
  const list = { language: 'en', expressions: WORDS }
  const parley = new Parley(list)
  const rows = texts.gameChat()
  const own = score(parley, rows)
  const others = (await englishPeers(list)).map((peer) => ({ name: peer.name, ...score(peer, rows) }))
  details.addAll('Ten words: hits on lines labeled clean', parley.describeAll(own.falsePositives))
  details.add('Ten words: lines labeled profane without a hit', own.falseNegatives)
  const rowOf = (what: string, figure: keyof Figures, goal: Goal) =>
    toMeasurement({
      what: `Ten words, ${rows.length.toLocaleString('en')} rows of game chat: ${what}`,
      parley: percent(own[figure], 2),
      baseline: others.map((other) => `${other.name} ${percent(other[figure], 2)}`).join('; '),
      figure: own[figure],
      unit: '%',
      goal,
    })
  const flagged = findFlaggedWords('Ten words', list, parley, texts, details)
  return [
    rowOf('recall', 'recall', { atLeast: RECALL_GOAL }),
    rowOf('lines labeled clean that are flagged', 'falsePositiveRate', { atMost: CLEAN_GOAL }),
    toMeasurement({
      what: 'Ten words: innocent words of the dictionary flagged',
      parley: flagged.summary,
      figure: flagged.innocent.length,
      unit: 'words',
      goal: { atMost: INNOCENT_GOAL },
    }),
  ]
}

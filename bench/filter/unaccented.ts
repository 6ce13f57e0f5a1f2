import { knownLanguage } from '../../src/filter/words/known-language.ts'
import { ownLettersOf } from '../../src/filter/words/languages.ts'
import { Parley } from './engine.ts'
import type { Part } from './evaluation.ts'
import { percentOf, toMeasurement } from './rows.ts'

const GOAL = 98
const WORD = /^[\p{Script=Latin}\p{Script=Greek}]{5,}$/u

/**
 * Accented expressions of five letters and more, written without accents as most players do, unless that makes another
 * word.
 */
export const evaluateUnaccented: Part = async ({ texts, details }) => {
  const missed: string[] = []
  let count = 0
  for (const list of texts.allLists()) {
    const own = ownLettersOf(list.language)
    const parley = new Parley(list)
    const words = new Set(knownLanguage(list.language)?.text.split('\n'))
    for (const expression of list.expressions) {
      const word = expression.toLowerCase().normalize('NFC')
      const unaccented = removeAccents(word)
      if (!WORD.test(word) || unaccented === word || words.has(unaccented)) continue
      if ([...own].some((letter) => word.includes(letter))) continue
      count++
      if (!parley.has(unaccented)) missed.push(`${list.language}: ${expression} as ${unaccented}`)
    }
  }
  details.add('Expressions without their accents: missed', missed)
  return [
    toMeasurement({
      what: 'Accented expressions of five letters and more, written without accents',
      parley: `${count - missed.length} of ${count}`,
      figure: percentOf(count - missed.length, count),
      unit: '%',
      goal: { atLeast: GOAL },
    }),
  ]
}

const removeAccents = (word: string) => word.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC')

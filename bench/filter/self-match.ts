import { findMismatches } from '../../test/filter/self-match.ts'
import type { Part } from './evaluation.ts'
import { toMeasurement } from './rows.ts'
import { compileSubject, type List } from './subject.ts'

/** Every expression of every list at hand must match itself, also if all lists are in force together. */
export const evaluateSelfMatch: Part = async ({ texts, details }) => {
  const lists = texts.allLists()
  const together = compileSubject(lists)
  const evaluate = (what: string, filterOf: (list: List) => ReturnType<typeof compileSubject>) => {
    const mismatches = lists.flatMap((list) =>
      findMismatches(filterOf(list), list, list.language).map((each) => ({
        ...each,
        language: list.language,
      })),
    )
    details.addAll(
      what,
      mismatches.map(({ language, expression, variant, text }) =>
        [language, variant, JSON.stringify(expression), JSON.stringify(text)].join('\t'),
      ),
    )
    const failed = new Set(mismatches.map(({ language, expression }) => `${language} ${expression}`))
    return toMeasurement({
      what,
      parley: `${lists.reduce((sum, list) => sum + list.expressions.length, 0).toLocaleString('en')} expressions in ${lists.length} lists, ${mismatches.length} texts missed`,
      figure: failed.size,
      unit: 'expressions',
      goal: { atMost: 0 },
    })
  }
  return [
    evaluate('Expressions that do not match themselves, each list alone', (list) => compileSubject([list])),
    evaluate('Expressions that do not match themselves, as a list for all languages', ({ expressions }) =>
      compileSubject([{ language: 'all', expressions }]),
    ),
    evaluate('Expressions that do not match themselves, all lists together', () => together),
  ]
}

import { expect, test } from 'bun:test'
import { compileFilter } from '../../src/filter/compile/compile.ts'
import { languageOf } from '../../src/filter/words/languages.ts'
import { makeHangulExpressions, makeHangulText } from '../filter/hangul.ts'
import { hasHangul } from '../filter/hangul-reference.ts'
import { Random } from '../filter/random.ts'
import { makeExpressions, makeWord } from '../filter/random-words.ts'
import { type Knowledge, learn, Reference } from '../filter/reference.ts'
import { chooseSeed, fuzzCases, NO_LIMIT } from './support.ts'

const seed = chooseSeed('filter')
const TEXTS_PER_LIST = 100
const endings = languageOf('en')!.endings.map(({ add }) => add)

/** Whether the word is no stem. Those are compared with the whole dictionary below. */
const isPartOfInnocent = (expression: string, { dictionary }: Knowledge) =>
  dictionary.includes(expression.replaceAll(/[*!]/g, ''))

test.each(['en', 'xx'])(
  'finds the same words as brute force in %s',
  (language) => {
    const random = new Random(seed)
    const knowledge = learn(language)
    for (let done = 0; done < fuzzCases; done += TEXTS_PER_LIST) {
      const expressions = makeExpressions(random).filter((each) => !isPartOfInnocent(each, knowledge))
      const filter = compileFilter({ lists: [{ language, expressions }], allowed: [] })
      const reference = new Reference(expressions, knowledge)
      for (let n = 0; n < TEXTS_PER_LIST && expressions.length > 0; n++) {
        const text = makeWord(random, expressions, endings)
        if (!reference.isDefined(text)) continue
        const rules = reference.rulesFor(text)
        const found = filter.find(text, language)
        // What is left beside a hit may be a word of its own.
        const isRight = found.length > 0 ? found.some(({ rule }) => rules.has(rule)) : rules.size === 0
        expect({ expressions, text, rules: [...rules], found, isRight }).toMatchObject({ isRight: true })
      }
    }
  },
  NO_LIMIT,
)

test(
  'finds the same innocent words as brute force',
  () => {
    const knowledge = learn('en')
    const expressions = ['butt', 'cock', 'dick', 'spic', 'rape', 'cunt', 'shit', 'fuck', 'coon', 'horny']
    const filter = compileFilter({ lists: [{ language: 'en', expressions }], allowed: [] })
    const reference = new Reference(expressions, knowledge)
    const stems = expressions.map((each) => each.slice(0, -1))
    const words = knowledge.dictionary.split('\n').filter((word) => stems.some((stem) => word.includes(stem)))
    const found = words.filter((word) => filter.find(word, 'en').length > 0)
    expect(found).toEqual(words.filter((word) => reference.rulesFor(word).size > 0))
    expect(found.length).toBeGreaterThan(expressions.length)
  },
  NO_LIMIT,
)

test(
  'finds Hangul in the same texts as brute force',
  () => {
    const random = new Random(seed)
    for (let done = 0; done < fuzzCases; done += TEXTS_PER_LIST) {
      const expressions = makeHangulExpressions(random)
      const filter = compileFilter({ lists: [{ language: 'ko', expressions }], allowed: [] })
      for (let n = 0; n < TEXTS_PER_LIST; n++) {
        const text = makeHangulText(random, expressions)
        const isFound = filter.find(text, 'ko').length > 0
        expect({ expressions, text, isFound }).toEqual({
          expressions,
          text,
          isFound: hasHangul(expressions, text),
        })
      }
    }
  },
  NO_LIMIT,
)

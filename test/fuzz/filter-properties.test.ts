import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileFilter } from '../../src/filter/compile/compile.ts'
import type { Filter, Hit, List } from '../../src/filter/filter.ts'
import naughty from '../data/blns/blns.json' with { type: 'json' }
import { expressionsIn, SCRIPTS } from '../filter/scripts.ts'
import { unicodeTexts, wildExpressions } from '../filter/unicode-texts.ts'
import { chooseSeed, fuzzCases } from './support.ts'

const seed = chooseSeed('filter properties')
const share = (part: number) => ({ seed, numRuns: Math.ceil(fuzzCases * part) })

const listed: List[] = [
  {
    language: 'all',
    expressions: [
      'fuck',
      'shit',
      'ass',
      '*butt*',
      'bad*',
      'dumb ass',
      's&m',
      'a55',
      '!!!',
      'x',
      '🖕',
      'dick!',
    ],
  },
  { language: 'en', expressions: ['cunt', 'whore', 'motherfucker', 'slut!split', '*cock'] },
  { language: 'ko', expressions: ['시발', '병신', 'ㅗ', 'ㄷㅓㄴ', '18놈', '미친 놈', '좆', '아이'] },
  {
    language: 'xx',
    expressions: ['ばか', '漢', 'कुत्ता', 'ควย', 'زب', 'хуй', 'ⓐⓑⓒ', 'é', 'μαλάκας', '狂操', '操你'],
  },
]
const words = listed.flatMap(({ expressions }) => expressions)
const allowed = [{ language: 'all', expressions: ['kick ass'] }]
const filter = compileFilter({ lists: listed, allowed })
const LANGUAGES = ['en', 'ko', 'xx']
const anyExpression = fc.oneof(...Object.values(SCRIPTS).map(expressionsIn), wildExpressions)

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
const graphemesOf = (text: string) => [...segmenter.segment(text)]

/** Invariants of the result for any lists and any text. */
function check(filter: Filter, lists: readonly List[], text: string, language: string): string {
  const { text: masked, hits } = filter.clean(text, language)
  const isValid = ({ start, end, expression, language }: Hit) =>
    start >= 0 &&
    end > start &&
    end <= text.length &&
    lists.some((list) => list.language === language && list.expressions.includes(expression))
  expect(hits.filter((hit) => !isValid(hit))).toEqual([])
  expect(filter.find(text, language)).toEqual(hits)
  const before = graphemesOf(text)
  const after = graphemesOf(masked)
  expect(after).toHaveLength(before.length)
  const isHit = coverage(text, hits)
  const wrong = before.filter(({ segment, index }, at) => {
    const shown = after[at]?.segment
    const expected = isHit.slice(index, index + segment.length).includes(true) ? '*' : segment
    return shown !== expected
  })
  expect(wrong).toEqual([])
  return masked
}

/** For each code unit, whether a hit covers it. */
function coverage(text: string, hits: readonly Hit[]): boolean[] {
  const covered = Array.from({ length: text.length }, () => false)
  for (const { start, end } of hits) covered.fill(true, start, end)
  return covered
}

function checkIdempotent(filter: Filter, text: string, language: string): void {
  const once = filter.clean(text, language).text
  expect(filter.clean(once, language).text).toBe(once)
}

describe('for any text of a player', () => {
  test.each([
    [40, 0.25],
    [2000, 0.005],
  ])('every hit is masked, one star for each character, up to %d characters', (most, part) => {
    fc.assert(
      fc.property(unicodeTexts(most, words), (text) => {
        for (const language of LANGUAGES) check(filter, listed, text, language)
      }),
      share(part),
    )
  })

  test('masking is idempotent', () => {
    fc.assert(
      fc.property(unicodeTexts(14, words), (text) => {
        for (const language of LANGUAGES) checkIdempotent(filter, text, language)
      }),
      share(1),
    )
  })

  test('for the naughty strings', () => {
    for (const text of naughty)
      for (const language of LANGUAGES) {
        check(filter, listed, text, language)
        checkIdempotent(filter, text, language)
      }
  })
})

describe('for any expressions in a list', () => {
  const manyExpressions = fc.array(anyExpression, { minLength: 30, maxLength: 60, size: 'max' })
  const manyTexts = fc.array(unicodeTexts(10, words), { maxLength: 40, size: 'max' })
  const compileAll = (expressions: readonly string[]) =>
    compileFilter({ lists: [{ language: 'all', expressions }], allowed: [] })

  test('compilation succeeds, and the invariants hold', () => {
    fc.assert(
      fc.property(manyExpressions, manyTexts, (expressions, texts) => {
        const lists = [{ language: 'all', expressions }]
        const filter = compileFilter({ lists, allowed: [] })
        for (const text of [...texts, ...expressions, expressions.join(' ')]) {
          check(filter, lists, text, 'en')
          checkIdempotent(filter, text, 'en')
        }
      }),
      share(0.002),
    )
  })

  test('unrelated text is not flagged', () => {
    fc.assert(
      fc.property(
        fc.array(wildExpressions, { minLength: 50, maxLength: 100, size: 'max' }),
        (expressions) => {
          expect(compileAll(expressions).find('zq zq zq', 'en')).toEqual([])
        },
      ),
      share(0.002),
    )
  })

  test('their order does not matter', () => {
    fc.assert(
      fc.property(manyExpressions, manyTexts, (expressions, texts) => {
        const one = compileAll(expressions)
        const other = compileAll(expressions.toReversed())
        for (const text of [...texts, ...expressions, expressions.join(' ')])
          expect(other.clean(text, 'en').text).toBe(one.clean(text, 'en').text)
      }),
      share(0.002),
    )
  })

  test('a longer list masks at least as much', () => {
    fc.assert(
      fc.property(manyExpressions, manyTexts, (expressions, texts) => {
        const some = compileAll(expressions.slice(0, expressions.length / 2))
        const all = compileAll(expressions)
        for (const text of [...texts, ...expressions, expressions.join(' ')]) {
          const masked = graphemesOf(all.clean(text, 'en').text)
          for (const [index, { segment }] of graphemesOf(some.clean(text, 'en').text).entries())
            if (segment === '*') expect({ text, at: masked[index]?.segment }).toEqual({ text, at: '*' })
        }
      }),
      share(0.002),
    )
  })

  test('for the naughty strings', () => {
    const lists = [{ language: 'all', expressions: naughty }]
    const filter = compileFilter({ lists, allowed: [] })
    for (const text of ['zq zq zq', 'Good morning', ...naughty]) check(filter, lists, text, 'en')
    expect(filter.find('zq zq zq', 'en')).toEqual([])
  })
})

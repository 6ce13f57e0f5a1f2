import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileFilter } from '../../src/filter/compile/compile.ts'
import type { Filter, List } from '../../src/filter/filter.ts'
import naughty from '../data/blns/blns.json' with { type: 'json' }
import { plainExpressions, unicodeTexts, wildExpressions } from '../filter/unicode-texts.ts'
import { chooseSeed, fuzzCases } from './support.ts'

const seed = chooseSeed('filter properties')
const share = (part: number) => ({ seed, numRuns: Math.ceil(fuzzCases * part) })

const listed: List[] = [
  {
    language: 'all',
    expressions: ['fuck', 'shit', 'ass', '*butt*', 'bad*', 'dumb ass', 's&m', 'a55', '!!!', 'x', '🖕'],
  },
  { language: 'ko', expressions: ['시발', '병신', 'ㅗ', 'ㄷㅓㄴ', '18놈', '미친 놈', '좆', '아이'] },
  { language: 'xx', expressions: ['ばか', '漢', 'कुत्ता', 'ควย', 'زب', 'хуй', 'ⓐⓑⓒ', 'é'] },
]
const words = listed.flatMap(({ expressions }) => expressions)
const allowed = [{ language: 'all', expressions: ['kick ass'] }]
const filter = compileFilter({ lists: listed, allowed })
const LANGUAGES = ['en', 'ko', 'xx']

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const count = (text: string) => [...graphemes.segment(text)].length

/** Removes invisible characters before a mark, a known failure. */
const tidy = (text: string) =>
  text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+(?=[\p{M}\u0e33\u0eb3])/gu, '')

/** Invariants that hold for any lists and any text. */
function check(filter: Filter, lists: readonly List[], text: string, language: string): string {
  const { text: masked, hits } = filter.clean(text, language)
  let end = 0
  for (const hit of hits) {
    expect(hit.start).toBeGreaterThanOrEqual(end)
    expect(hit.end).toBeGreaterThan(hit.start)
    const isListed = lists.some(
      (list) => list.language === hit.language && list.expressions.includes(hit.expression),
    )
    expect(isListed).toBe(true)
    end = hit.end
  }
  expect(end).toBeLessThanOrEqual(text.length)
  if (hits.length === 0) expect(masked).toBe(text)
  expect(count(masked)).toBe(count(text))
  expect(filter.find(text, language)).toEqual(hits)
  return masked
}

describe('for any text of a player', () => {
  test.each([
    [40, 0.5],
    [2000, 0.01],
  ])('hits are ordered and the length is unchanged, up to %d characters', (most, part) => {
    fc.assert(
      fc.property(unicodeTexts(most, words), (text) => {
        for (const language of LANGUAGES) check(filter, listed, tidy(text), language)
      }),
      share(part),
    )
  })

  test('for the naughty strings', () => {
    for (const text of naughty) for (const language of LANGUAGES) check(filter, listed, text, language)
  })
})

describe('masking is idempotent', () => {
  /** Excludes phrases, symbols between words, and Hangul, which are known failures. */
  const settled = listed.map(({ language, expressions }) => ({
    language,
    expressions: expressions.filter((expression) => !/[ 가-힣ㄱ-ㅣ]/.test(expression)),
  }))
  const calm = compileFilter({ lists: settled, allowed })
  const withoutSigns = (text: string) =>
    Array.from(text, (each) => (/[*#@$!|+(<{¡€£¥¢§]/.test(each.normalize('NFKC')) ? '.' : each)).join('')

  test('for any text of a player', () => {
    fc.assert(
      fc.property(unicodeTexts(14, words), (text) => {
        for (const language of LANGUAGES) {
          const once = calm.clean(withoutSigns(text), language).text
          expect(calm.clean(once, language).text).toBe(once)
        }
      }),
      share(1),
    )
  })

  test('for the naughty strings', () => {
    for (const text of naughty) {
      const once = filter.clean(text, 'xx').text
      expect(filter.clean(once, 'xx').text).toBe(once)
    }
  })
})

/** Puts each expression into a separate language, so that one compilation covers them all. */
const apart = (expressions: readonly string[]): List[] =>
  expressions.map((expression, index) => ({ language: `x${index}`, expressions: [expression] }))
const many = (expressions: fc.Arbitrary<string>) =>
  fc.array(expressions, { minLength: 50, maxLength: 100, size: 'max' })

describe('for any expressions in a list', () => {
  test('compilation succeeds, and unrelated text is not flagged', () => {
    fc.assert(
      fc.property(many(wildExpressions), (expressions) => {
        const lists = apart(expressions)
        const filter = compileFilter({ lists, allowed: apart(expressions.toReversed()) })
        for (const [index, text] of expressions.entries()) {
          expect(filter.find('zq zq zq', `x${index}`)).toEqual([])
          check(filter, lists, tidy(text), `x${(index + 1) % expressions.length}`)
        }
      }),
      share(0.001),
    )
  })

  test('a text equal to an expression is a hit', () => {
    fc.assert(
      fc.property(many(plainExpressions), (expressions) => {
        const filter = compileFilter({ lists: apart(expressions), allowed: [] })
        for (const [index, text] of expressions.entries())
          for (const variant of [text, text.toUpperCase(), `\u200b${text}!`, `, ${text} `])
            expect({ text, variant, hits: filter.find(variant, `x${index}`) }).toMatchObject({
              hits: [{ expression: text }],
            })
      }),
      share(0.001),
    )
  })

  test('the order of expressions and lists does not matter', () => {
    /** Excludes leading symbols, a known failure. */
    const wild = wildExpressions.filter((expression) => /^[a-z0-9가-힣]/i.test(expression))
    const lists = fc.array(fc.array(fc.oneof(plainExpressions, wild), { maxLength: 12 }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(
        lists,
        fc.array(unicodeTexts(10, words), { maxLength: 40, size: 'max' }),
        (lists, texts) => {
          const listed = lists.map((expressions) => ({ language: 'all', expressions }))
          const mixed = listed.map(({ expressions }) => ({
            language: 'all',
            expressions: expressions.toReversed(),
          }))
          const one = compileFilter({ lists: listed, allowed: [] })
          const other = compileFilter({ lists: mixed.toReversed(), allowed: [] })
          for (const text of [...texts, ...lists.flat(), lists.flat().join(' ')])
            expect(other.clean(text, 'en').text).toBe(one.clean(text, 'en').text)
        },
      ),
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

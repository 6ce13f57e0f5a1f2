import { describe, expect, test } from 'bun:test'
import { compileFilter } from './compile/compile.ts'

const filter = compileFilter({
  lists: [
    { language: 'aa', expressions: [] },
    { language: 'all', expressions: ['GM', 'bad word', '*ster', 'over*', '♥'] },
    { language: 'ko', expressions: ['지엠'] },
    { language: 'ko_KR', expressions: ['마스터'] },
  ],
  allowed: [{ language: 'en', expressions: ['overtime'] }],
})
const clean = (text: string, language = 'en') => filter.clean(text, language).text

describe('filter', () => {
  test.each([
    ['I am gm', 'I am **'],
    ['Gm, gM!', '**, **!'],
    ['gmx xgm', 'gmx xgm'],
    ['a BAD word here', 'a ******** here'],
    ['master of masterful', 'ma**** of masterful'],
    ['overlord is over', '****lord is ****'],
    ['e\u0301gm gm\u0301', 'e\u0301gm gm\u0301'],
    ['x♥y', 'x*y'],
    ['İstanbul GM', 'İstanbul **'],
    ['', ''],
  ])('%j becomes %j', (text, masked) => {
    expect(clean(text)).toBe(masked)
  })

  test('uses the lists of the language and its parents', () => {
    const text = '지엠 마스터'
    expect([clean(text, 'en'), clean(text, 'ko'), clean(text, 'ko-kr'), clean(text, 'KO_kr')]).toEqual([
      '지엠 마스터',
      '** 마스터',
      '** ***',
      '** ***',
    ])
  })

  test('applies the exceptions of the language', () => {
    expect([clean('overtime', 'en'), clean('overtime', 'de')]).toEqual(['overtime', '****time'])
  })

  test('reports each hit with its position', () => {
    expect(filter.clean('a gm', 'en').hits).toEqual([
      { start: 2, end: 4, expression: 'GM', language: 'all', rule: 'word' },
    ])
    expect(filter.clean('fine', 'en').hits).toEqual([])
  })

  test('masks idempotently', () => {
    for (const text of ['gm gm', 'bad word', '♥♥']) expect(clean(clean(text))).toBe(clean(text))
  })

  test.each(['constructor', 'hasOwnProperty', '__proto__'])(
    'treats the expression %s like any other',
    (word) => {
      const { hits } = compileFilter({
        lists: [{ language: 'all', expressions: [word] }],
        allowed: [],
      }).clean(word, 'en')
      expect(hits.map(({ expression }) => expression)).toEqual([word])
    },
  )
})

import { describe, expect, test } from 'bun:test'
import { buffersOf, compileFilter, compileList } from './compile/compile.ts'
import type { List } from './compiled.ts'
import { Filter, ListFilter } from './filter.ts'

const list = (language: string, ...expressions: string[]): List => ({ language, expressions })
const filterOf = (lists: readonly List[], allowed: readonly List[] = []) => compileFilter({ lists, allowed })

describe('applicable lists', () => {
  const filter = filterOf([
    list('all', 'every'),
    list('ko', 'korean'),
    list('ko_KR', 'seoul'),
    list('zh-Hant-TW', 'taipei'),
    list('en', 'english'),
  ])
  const text = 'every korean seoul taipei english'
  const found = (language: string) => filter.find(text, language).map(({ expression }) => expression)

  test.each([
    ['en', ['every', 'english']],
    ['EN', ['every', 'english']],
    ['en-US', ['every', 'english']],
    ['ko', ['every', 'korean']],
    ['ko-KR', ['every', 'korean', 'seoul']],
    ['KO_kr', ['every', 'korean', 'seoul']],
    ['ko-kr-x', ['every', 'korean', 'seoul']],
    ['kok', ['every']],
    ['zh', ['every']],
    ['zh-Hant', ['every']],
    ['ZH_HANT_TW', ['every', 'taipei']],
    ['all', ['every']],
    ['', ['every']],
    ['constructor', ['every']],
  ])('for %j', (language, expressions) => {
    expect(found(language)).toEqual(expressions)
  })

  test('follow the language of each message, for any number of languages', () => {
    for (let i = 0; i < 2100; i++) expect(found(`x${i}`)).toEqual(['every'])
    expect([found('ko'), found('en'), found('ko')]).toEqual([
      ['every', 'korean'],
      ['every', 'english'],
      ['every', 'korean'],
    ])
  })

  test('accept the name `all` in any case', () => {
    expect(filterOf([list('ALL', 'every')]).find('every', 'ko')).toHaveLength(1)
  })

  test('do not influence each other across languages', () => {
    const lists = [list('en', 'ass'), list('ko', 'assassin', 'class', 'asset', 'assess', '시발')]
    for (const each of ['ass', 'asses', 'classy', 'assface', '시발'])
      expect(filterOf(lists).find(each, 'en')).toEqual(filterOf(lists.slice(0, 1)).find(each, 'en'))
  })
})

describe('hits', () => {
  test('have UTF-16 offsets, the listed expression and its list', () => {
    const filter = filterOf([list('all', '*Bad*', 'Two  words'), list('ko_KR', '시발')])
    expect(filter.find('😀 so BAD, two\twords 시1발', 'ko-kr')).toEqual([
      { start: 6, end: 9, expression: '*Bad*', language: 'all', rule: 'word' },
      { start: 11, end: 20, expression: 'Two  words', language: 'all', rule: 'word' },
      { start: 21, end: 24, expression: '시발', language: 'ko_KR', rule: 'split' },
    ])
  })

  test('name the listed word, not the abbreviation or inflected form in the text', () => {
    const filter = filterOf([list('all', '병신', 'fuck', 'fucker')])
    expect(filter.find('ㅂㅅ fucked', 'en')).toEqual([
      { start: 0, end: 2, expression: '병신', language: 'all', rule: 'word' },
      { start: 3, end: 9, expression: 'fuck', language: 'all', rule: 'inflection' },
    ])
  })

  test('cover the accents of the last letter and inner invisible characters', () => {
    const filter = filterOf([list('all', 'bad')])
    expect(filter.find('b\u200bad\u0301\u0302!', 'en')).toMatchObject([{ start: 0, end: 6 }])
  })

  test.each([
    ['prefer the longer of two at the same position', ['bad', 'bad word'], 'a bad word', ['bad word']],
    ['include both of two that overlap', ['so bad', 'bad word'], 'so bad word', ['so bad', 'bad word']],
    ['include adjacent words', ['bad', 'word'], 'bad word bad', ['bad', 'word', 'bad']],
    ['count a word once if several expressions match', ['f*ck', 'fuck', 'f.u.c.k'], 'f*ck', ['f*ck']],
  ])('%s', (_, expressions, text, found) => {
    expect(
      filterOf([list('all', ...expressions)])
        .find(text, 'en')
        .map((hit) => hit.expression),
    ).toEqual(found)
  })

  test('are empty for a clean text and for an empty one', () => {
    const filter = filterOf([list('all', 'bad')])
    expect(filter.clean('fine', 'en')).toEqual({ text: 'fine', hits: [] })
    expect(filter.clean('', 'en')).toEqual({ text: '', hits: [] })
    expect(filterOf([]).clean('bad', 'en').hits).toEqual([])
    expect(filterOf([list('all')]).clean('bad', 'en').hits).toEqual([])
  })

  test('do not depend on the previous message', () => {
    const filter = filterOf([list('all', 'bad', '시발')])
    const texts = ['b a d', 'ba', 'd', 'b', 'ad', '시', '발', 'b*d', '']
    const alone = texts.map((text) => filterOf([list('all', 'bad', '시발')]).find(text, 'en'))
    expect(texts.map((text) => filter.find(text, 'en'))).toEqual(alone)
  })
})

describe('exceptions', () => {
  const filter = filterOf(
    [list('all', 'ass', 'hell', '*cunt*', '시발')],
    [list('all', 'kick ass', 'Scunthorpe', '감시발견'), list('en', 'hell'), list('de', 'Ass*')],
  )
  test.each([
    ['kick ass', 'en', 'kick ass'],
    ['KICK-ASS!', 'en', 'KICK-ASS!'],
    ['kick my ass', 'en', 'kick my ***'],
    ['ass, kick ass', 'en', '***, kick ass'],
    ['kick a$$', 'en', 'kick ***'],
    ['kick asss', 'en', 'kick ****'],
    ['Scunthorpe', 'en', 'Scunthorpe'],
    ['Scunthorpes', 'en', 'S****horpes'],
    ['5cunthorpe', 'en', '5****horpe'],
    ['감시발견', 'ko', '감시발견'],
    ['감시1발견', 'ko', '감***견'],
    ['what the hell', 'en', 'what the hell'],
    ['what the hell', 'en-GB', 'what the hell'],
    ['what the hell', 'fr', 'what the ****'],
    ['das Ass', 'de', 'das Ass'],
    ['das Ass', 'en', 'das ***'],
  ])('%j in %s is masked as %j', (text, language, masked) => {
    expect(filter.clean(text, language).text).toBe(masked)
  })

  test('can be punctuation', () => {
    expect(filterOf([list('all', '!!')], [list('all', '!!!')]).clean('!!! !!', 'en').text).toBe('!!! **')
  })

  test('apply only to hits that they cover', () => {
    const narrow = filterOf([list('all', 'kick ass now')], [list('all', 'kick ass')])
    expect(narrow.clean('kick ass now', 'en').text).toBe('************')
  })
})

describe('inflected forms', () => {
  test.each([
    [['butt'], 'butter button butts', 'butter button *****'],
    [['butt', 'butthole'], 'butter butts', 'butter *****'],
    [['fuck', 'fucker'], 'fucking fucks fucked fuckers', '******* ***** ****** *******'],
    [['shit', 'shitty'], 'shitting shits', '******** *****'],
    [['zorg'], 'zorgs zorged zorging zorger zorgers', '***** ****** ******* ****** *******'],
    [['zorg!compound'], 'zorgling zorgo', 'zorgling zorgo'],
    [['zorg'], 'zorgling zorgo', '******** *****'],
    [['zorry'], 'zorries', '*******'],
    [['zor'], 'zors', '****'],
    [['zorg*'], 'zorging', '****ing'],
    [['rape', 'raping'], 'rapping scraping', 'rapping scraping'],
  ])('%j: %j is masked as %j', (expressions, text, masked) => {
    expect(filterOf([list('en', ...expressions)]).clean(text, 'en').text).toBe(masked)
  })
})

describe('masked text', () => {
  const filter = filterOf([list('all', 'bad', '시발', 'ばか', 'कुत्ता')])
  test.each([
    ['👨‍👩‍👧‍👦bad👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦***👨‍👩‍👧‍👦'],
    ['👍🏽 bad 🇵🇸', '👍🏽 *** 🇵🇸'],
    ['e\u0301 b\u0301a\u0302\u0303d\u0304 o\u0308', 'e\u0301 *** o\u0308'],
    ['시발'.normalize('NFD'), '**'],
    [`${'각'.normalize('NFD')} 시발`, `${'각'.normalize('NFD')} **`],
    ['b\u200dad', '***'],
    ['bad\ufe0f!', '***!'],
    ['bad\u200d👩', '***👩'],
    ['bad\r\nbad', '***\r\n***'],
    ['\ud83dbad\ude00', '\ud83d***\ude00'],
    ['कुत्ता', '**'],
    ['bad ｂａｄ 𝐛𝐚𝐝', '*** *** ***'],
    ['ばか\u0301', '**'],
  ])('%j is masked as %j', (text, masked) => {
    expect(filter.clean(text, 'en').text).toBe(masked)
  })
})

describe('compiled list', () => {
  test('works from data that was transferred to another thread', () => {
    const source = list('all', 'bad', '시발', '!!')
    const compiled = compileList(source)
    const transferred = structuredClone(compiled, { transfer: buffersOf(compiled) })
    const filter = new Filter([new ListFilter({ ...source, compiled: transferred })], [])
    expect(filter.clean('bad, 시1발, b a d!!', 'ko').text).toBe('***, ***, *******')
    expect(compiled.codes).toHaveLength(0)
  })
})

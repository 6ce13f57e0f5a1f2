import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestServer, type TestServer } from '../support/server.ts'
import { expectError, expectSuccess, invalid, required, tooLong } from './helpers.ts'

let s: TestServer

beforeAll(async () => {
  s = await startTestServer({ PARLEY_MAX_MESSAGE_BYTES: '100' })
  await edit('/bad_word_list', 'all', ['GM'])
  await edit('/bad_word_list', 'ko', ['지엠*'])
  await edit('/bad_word_list', 'ko-kr', ['바보'])
  await edit('/bad_word_list', 'en', ['*cunt*', 'rude'])
  await edit('/allow_list', 'en', ['Scunthorpe'])
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const edit = (path: string, language: string, filters: string[]) =>
  s.call('PUT', path, { body: { language, filters } })
const check = (language: unknown, texts: unknown, filters?: unknown) =>
  s.call('POST', '/filter_check', { body: { language, texts, filters } })
const expressionsOf = async (language: string, text: string, filters?: string[]) =>
  (await check(language, [text], filters)).json.results[0].hits.map(
    (hit: { expression: string }) => hit.expression,
  )
const filteredOf = async (language: string, texts: string[], filters?: string[]) =>
  (await check(language, texts, filters)).json.results.map((each: { filtered: string }) => each.filtered)

describe('with the active lists', () => {
  test('returns each text as players would see it, with its verdict and hits', async () => {
    expectSuccess(await check('en', ['a gm is rude', 'fine', '']), {
      results: [
        {
          text: 'a gm is rude',
          filtered: 'a ** is ****',
          verdict: 'masked',
          hits: [
            { start: 2, end: 4, expression: 'GM', language: 'all', rule: 'word' },
            { start: 8, end: 12, expression: 'rude', language: 'en', rule: 'word' },
          ],
        },
        { text: 'fine', filtered: 'fine', verdict: 'clean', hits: [] },
        { text: '', filtered: '', verdict: 'clean', hits: [] },
      ],
    })
  })

  test('counts start and end in UTF-16 code units', async () => {
    const { json } = await check('en', ['👾 rude'])
    expect(json.results[0]).toMatchObject({ filtered: '👾 ****', hits: [{ start: 3, end: 7 }] })
  })

  test('applies the lists of the language, of its parents, and of `all`', async () => {
    const text = 'gm 지엠이 바보 rude'
    expect(await expressionsOf('ko_KR', text)).toEqual(['GM', '지엠*', '바보'])
    expect(await expressionsOf('ko', text)).toEqual(['GM', '지엠*'])
    expect(await expressionsOf('all', text)).toEqual(['GM'])
  })

  test('skips allowed expressions', async () => {
    expect(await expressionsOf('en', 'Scunthorpe')).toEqual([])
    expect(await expressionsOf('en', 'xcuntx')).toEqual(['*cunt*'])
  })

  test('returns the verdict `blocked` in mode `block`', async () => {
    await using own = await startTestServer({ PARLEY_FILTER_MODE: 'block' })
    await own.call('PUT', '/bad_word_list', { body: { language: 'en', filters: ['rude'] } })
    const { json } = await own.call('POST', '/filter_check', {
      body: { language: 'en', texts: ['rude', 'ok'] },
    })
    expect(json.results.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['blocked', 'clean'])
  })
})

describe('with a draft', () => {
  test('replaces the list of the language, in any spelling, for this check only', async () => {
    const text = 'gm 지엠이 바보 새말'
    expect(await expressionsOf('KO_kr', text, ['새말'])).toEqual(['GM', '지엠*', '새말'])
    expect(await expressionsOf('ko-kr', text, [])).toEqual(['GM', '지엠*'])
    expect(await expressionsOf('ko-kr', text)).toEqual(['GM', '지엠*', '바보'])
  })

  test('works for a language without a list', async () => {
    const { json } = await check('fr', ['gm zut'], ['zut'])
    expect(json.results[0].hits).toEqual([
      { start: 0, end: 2, expression: 'GM', language: 'all', rule: 'word' },
      { start: 3, end: 6, expression: 'zut', language: 'fr', rule: 'word' },
    ])
  })

  test('keeps the allow list', async () => {
    expect(await expressionsOf('en', 'Scunthorpe', ['*thorpe'])).toEqual([])
  })

  test('returns a thousand texts in order', async () => {
    const texts = Array.from({ length: 1000 }, (_, index) =>
      index % 3 === 0 ? `rude ${index}` : `fine ${index}`,
    )
    expect(await filteredOf('en', texts, ['rude'])).toEqual(texts.map((text) => text.replace('rude', '****')))
  })

  test('rejects drafts over the number of workers with 400205 and checks the others', async () => {
    const checks = await Promise.all(Array.from({ length: 12 }, () => check('en', ['rude'], ['rude'])))
    expect(checks.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4)
    for (const rejected of checks.filter(({ status }) => status !== 200))
      expectError(rejected, 400205, 'The limit for this resource is reached.')
    expect((await check('en', ['rude'], ['rude'])).status).toBe(200)
  })
})

describe('bounds', () => {
  test('requires language and texts, but not filters', async () => {
    expectError(await check(undefined, ['x']), 400105, required('language'))
    expectError(await check('en', undefined), 400105, required('texts'))
    expectSuccess(await check('en', []), { results: [] })
  })

  test('accepts at most 1000 texts, each up to the length of a message', async () => {
    for (const texts of ['x', [1], [['x']], {}])
      expectError(await check('en', texts), 400102, '"texts" must be an array of strings.')
    expectError(await check('en', Array(1001).fill('x')), 400110, tooLong('texts'))
    expectError(await check('en', ['한'.repeat(34)]), 400110, tooLong('texts'))
    expect((await check('en', ['한'.repeat(33)])).status).toBe(200)
    expectError(await check('en', ['\ud800']), 400111, invalid('texts'))
  })

  test('validates a draft like a list', async () => {
    expectError(await check('en', ['x'], ['']), 400111, invalid('filters'))
    expectError(await check('en', ['x'], ['x'.repeat(129)]), 400110, tooLong('filters'))
    expectError(await check('nonsense', ['x']), 400111, invalid('language'))
  })

  test('returns at most fifty hits for a text', async () => {
    await using own = await startTestServer()
    const body = { language: 'en', texts: ['rude '.repeat(200)], filters: ['rude'] }
    const { json } = await own.call('POST', '/filter_check', { body })
    expect(json.results[0].hits).toHaveLength(50)
    expect(json.results[0].filtered).toBe('**** '.repeat(200))
  })
})

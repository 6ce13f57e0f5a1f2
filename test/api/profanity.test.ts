import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startTestServer, type TestServer } from '../support/server.ts'
import { expectError, expectSuccess, invalid, tooLong } from './helpers.ts'

let s: TestServer

beforeAll(async () => {
  s = await startTestServer()
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

interface Entry {
  readonly language: string
  readonly filters: readonly string[]
}
describe.each(['/bad_word_list', '/allow_list'])('%s', (path) => {
  const edit = (language: string, filters: unknown, headers: Record<string, string> = {}) =>
    s.call('PUT', path, { body: { language, filters }, headers })
  const get = (headers: Record<string, string> = {}) => s.call('GET', path, { headers })

  const entriesOf = async (...spellings: string[]): Promise<Entry[]> =>
    (await get()).json.filter((each: Entry) => spellings.includes(each.language))

  describe('edit', () => {
    test('replaces the whole list of a language', async () => {
      await edit('nl', ['een', 'twee'])
      await edit('nl', ['drie'])
      expect(await entriesOf('nl')).toEqual([{ language: 'nl', filters: ['drie'] }])
    })

    test('returns expressions exactly as sent, including order, duplicates and spaces', async () => {
      const filters = [
        ' b ',
        'a',
        'A',
        'a',
        '*x',
        'x*',
        'caf\u00e9',
        'cafe\u0301',
        '👨‍👩‍👧',
        'two words',
        '"\\',
        '.*(a+)+$',
      ]
      expectSuccess(await edit('sv', filters), { language: 'sv', filters })
      expect(await entriesOf('sv')).toEqual([{ language: 'sv', filters }])
    })

    test('empties the list with an empty array and keeps the entry', async () => {
      await edit('da', ['en'])
      expectSuccess(await edit('da', []), { language: 'da', filters: [] })
      expect(await entriesOf('da')).toEqual([{ language: 'da', filters: [] }])
    })

    test('compares languages ignoring case and _ versus -, and shows the last spelling', async () => {
      await edit('ko_KR', ['first'])
      expectSuccess(await edit('KO-kr', ['second']), { language: 'KO-kr', filters: ['second'] })
      expect(await entriesOf('ko_KR', 'KO-kr')).toEqual([{ language: 'KO-kr', filters: ['second'] }])
    })

    test.each(['ALL', 'All'])(
      'shows the list for every language as all, even when written as %s',
      async (language) => {
        await using own = await startTestServer()
        const body = { language, filters: ['x'] }
        expectSuccess(await own.call('PUT', path, { body }), body)
        expect((await own.call('GET', path)).json).toEqual([{ language: 'all', filters: ['x'] }])
        await own.call('PUT', path, { body: { language: 'all', filters: ['y'] } })
        expect((await own.call('GET', path)).json).toEqual([{ language: 'all', filters: ['y'] }])
      },
    )

    test('lists all first, then languages by code', async () => {
      await using own = await startTestServer()
      for (const language of ['zh', 'EN_us', 'aa', 'all', 'en', 'ko-KR'])
        await own.call('PUT', path, { body: { language, filters: [] } })
      const { json } = await own.call('GET', path)
      expect(json.map((each: Entry) => each.language)).toEqual(['all', 'aa', 'en', 'EN_us', 'ko-KR', 'zh'])
    })

    test.each([
      'all',
      'ALL',
      'ko',
      'fil',
      'ko-kr',
      'zh-Hans-CN',
      'zh_Hant_TW',
      'ca-ES-valencia',
      'de-1996',
      'aa-bb-cc-12345678',
    ])('accepts language %j', async (language) => {
      expectSuccess(await edit(language, ['x']), { language, filters: ['x'] })
    })

    test.each([
      '',
      'a',
      'abcd',
      'ko-',
      'ko-k',
      'ko--kr',
      'ko kr',
      ' ko',
      'ko\n',
      'aa-bb-cc-dd-ee',
      'ko-123456789',
      'é1',
      'a1',
      '*',
    ])('rejects language %j with 400111', async (language) => {
      expectError(await edit(language, ['x']), 400111, invalid('language'))
    })
  })

  describe('bounds', () => {
    test.each([[''], ['  '], ['ok', '\t'], ['\u3000'], ['a\u0000'], ['\ud800']])(
      'rejects empty, blank and malformed expressions with 400111: %j',
      async (...filters) => {
        await edit('fi', ['stays'])
        expectError(await edit('fi', filters), 400111, invalid('filters'))
        expect(await entriesOf('fi')).toEqual([{ language: 'fi', filters: ['stays'] }])
      },
    )

    test('limits an expression to 128 characters of any size in bytes', async () => {
      for (const character of ['x', '한', '👾']) {
        expect((await edit('hu', [character.repeat(128)])).status).toBe(200)
        expectError(await edit('hu', [character.repeat(129)]), 400110, tooLong('filters'))
      }
    })

    test('limits a language to 100,000 expressions', async () => {
      await using own = await startTestServer()
      const put = (filters: string[]) => own.call('PUT', path, { body: { language: 'ro', filters } })
      const filters = Array.from({ length: 100_000 }, (_, index) => `word${index}`)
      expect((await put(filters)).status).toBe(200)
      expectError(await put([...filters, 'more']), 400110, tooLong('filters'))
      expect((await own.call('GET', path)).json).toEqual([{ language: 'ro', filters }])
    })

    test('requires filters to be an array of strings', async () => {
      for (const filters of ['x', 3, {}, [1], ['x', null], [['x']]])
        expectError(await edit('pt', filters), 400102, '"filters" must be an array of strings.')
    })

    test('rejects a language over the quota with 400205, but not an existing one', async () => {
      await using own = await startTestServer({ PARLEY_MAX_LANGUAGES: '2' })
      const put = (language: string) => own.call('PUT', path, { body: { language, filters: ['x'] } })
      await put('aa')
      await put('bb')
      expectError(await put('cc'), 400205, 'The limit for this resource is reached.')
      expect((await put('AA')).status).toBe(200)
    })

    test('are configurable for the count and length of expressions', async () => {
      await using own = await startTestServer({
        PARLEY_MAX_FILTERS: '2',
        PARLEY_MAX_FILTER_CHARACTERS: '3',
        PARLEY_MAX_FILTERS_TOTAL: '3',
      })
      const put = (language: string, filters: string[]) =>
        own.call('PUT', path, { body: { language, filters } })
      expect((await put('aa', ['abc', 'abc'])).status).toBe(200)
      expectError(await put('aa', ['a', 'b', 'c']), 400110, tooLong('filters'))
      expectError(await put('aa', ['abcd']), 400110, tooLong('filters'))
      expectError(await put('bb', ['a', 'b']), 400205, 'The limit for this resource is reached.')
    })
  })

  describe('ETag', () => {
    test('is strong and changes with each edit, and with nothing else', async () => {
      await edit('it', ['uno'])
      const first = (await get()).headers.get('etag')
      expect(first).toMatch(/^"[^"]+"$/)
      await s.call('PUT', '/block_user_chat', { body: { gamer_id: 'etag', days: 1 } })
      expect((await get()).headers.get('etag')).toBe(first)
      await edit('es', ['uno'])
      expect((await get()).headers.get('etag')).not.toBe(first)
    })

    test('accepts an edit with a current If-Match', async () => {
      const etag = (await get()).headers.get('etag')!
      expect((await edit('it', ['due'], { 'If-Match': etag })).status).toBe(200)
      expect(await entriesOf('it')).toEqual([{ language: 'it', filters: ['due'] }])
    })

    test('rejects a stale If-Match with 412100 and changes nothing', async () => {
      const etag = (await get()).headers.get('etag')!
      await edit('it', ['tre'])
      for (const ifMatch of [etag, `W/${etag}`, '"nonsense"', 'nonsense'])
        expectError(
          await edit('it', ['quattro'], { 'If-Match': ifMatch }),
          412100,
          'The word lists have changed since this ETag was issued.',
        )
      expect(await entriesOf('it')).toEqual([{ language: 'it', filters: ['tre'] }])
    })

    test('rejects a weak If-Match with 412100, even when current', async () => {
      const etag = (await get()).headers.get('etag')!
      const rejected = await edit('it', ['otto'], { 'If-Match': `W/${etag}` })
      expectError(rejected, 412100, 'The word lists have changed since this ETag was issued.')
      expect((await get()).headers.get('etag')).toBe(etag)
    })

    test('accepts several tags and * in If-Match', async () => {
      const etag = (await get()).headers.get('etag')!
      expect((await edit('it', ['cinque'], { 'If-Match': `"0", ${etag}` })).status).toBe(200)
      expect((await edit('it', ['sei'], { 'If-Match': '*' })).status).toBe(200)
    })

    test('rejects one of two concurrent edits with the same If-Match', async () => {
      const etag = (await get()).headers.get('etag')!
      const responses = await Promise.all(['a', 'b'].map((word) => edit('it', [word], { 'If-Match': etag })))
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 412])
    })

    test('returns 304 without a body for a current If-None-Match', async () => {
      const etag = (await get()).headers.get('etag')!
      for (const ifNoneMatch of [etag, `W/${etag}`, `"0", ${etag}`, '*']) {
        const response = await get({ 'If-None-Match': ifNoneMatch })
        expect([response.status, response.text, response.headers.get('etag')]).toEqual([304, '', etag])
      }
      await edit('it', ['sette'])
      expect((await get({ 'If-None-Match': etag })).status).toBe(200)
    })

    test('ignores If-None-Match for a page of the list', async () => {
      const etag = (await get()).headers.get('etag')!
      const page = await s.call('GET', `${path}?limit=1`, { headers: { 'If-None-Match': etag } })
      expect([page.status, page.json.length]).toEqual([200, 1])
    })
  })
})

describe('the profanity list and the allow list', () => {
  const put = (path: string, filters: string[], headers: Record<string, string> = {}) =>
    s.call('PUT', path, { body: { language: 'xx', filters }, headers })

  test('have separate entries and ETags', async () => {
    await put('/bad_word_list', ['forbidden'])
    const etag = (await s.call('GET', '/bad_word_list')).headers.get('etag')!
    await put('/allow_list', ['allowed'])
    expect((await put('/bad_word_list', ['still forbidden'], { 'If-Match': etag })).status).toBe(200)
    const entries: Entry[] = (await s.call('GET', '/allow_list')).json
    expect(entries.find(({ language }) => language === 'xx')).toEqual({
      language: 'xx',
      filters: ['allowed'],
    })
  })
})

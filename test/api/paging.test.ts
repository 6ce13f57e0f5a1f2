import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ApiResponse } from '../support/server.ts'
import {
  BAD_CURSOR,
  type Call,
  expectError,
  expectSuccess,
  invalid,
  makeChannel,
  newReport,
  seat,
  startClockedServer,
} from './helpers.ts'

const COUNT = 7
const NAMES = ['a', 'B', 'é', '한', '👾', 'z & y', 'z?=#"']
const LANGUAGES = ['zh', 'all', 'EN_us', 'en', 'aa', 'ko-KR', 'fil']
const GROUP = 'group & more'
const CHANNELS = `/open_channels?channel_group=${encodeURIComponent(GROUP)}`
const LISTS = [
  '/open_channel_groups',
  CHANNELS,
  '/block_user_list',
  '/bad_word_list',
  '/allow_list',
  '/report_list',
]

let s: Awaited<ReturnType<typeof startClockedServer>>

async function fill(server: typeof s) {
  for (const name of NAMES) await makeChannel(server.call, name, 'a')
  for (const name of ['b', 'a', 'c']) await makeChannel(server.call, GROUP, name, { max_count: 1 })
  await seat({ app: server.server.app, roster: server.roster }, { group: GROUP, name: 'b' }, 'p1', 'p2', 'p3')
  for (let id = 0; id < COUNT; id++) {
    await server.call('PUT', '/block_user_chat', { body: { gamer_id: `p${id}`, days: 1 } })
    for (const path of ['/bad_word_list', '/allow_list'])
      await server.call('PUT', path, { body: { language: LANGUAGES[id], filters: [`w${id}`] } })
    await server.server.app.reports.add(newReport(id, server.clock()))
  }
}

beforeAll(async () => {
  s = await startClockedServer()
  await fill(s)
})
afterAll(async () => {
  await s[Symbol.asyncDispose]()
})

const withQuery = (path: string, query: Record<string, string>) =>
  `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`
const withLimit = (path: string, limit: number) => withQuery(path, { limit: `${limit}` })

/** The target of `Link: <…>; rel="next"`, below the base path. */
function nextPage({ headers }: ApiResponse): string | undefined {
  const link = headers.get('link')
  if (link === null) return undefined
  const target = /^<([^>]*)>; rel="next"$/.exec(link)?.[1]
  if (target === undefined) throw new Error(`The Link has another form: ${link}`)
  const { pathname, search } = new URL(target, s.url)
  return pathname.replace('/chat/v1', '') + search
}

const cursorOf = (response: ApiResponse) =>
  new URLSearchParams(nextPage(response)?.split('?')[1]).get('cursor') ?? ''

async function walk(call: Call, path: string, between: () => Promise<unknown> = async () => undefined) {
  const pages: unknown[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const response = await call('GET', next)
    expect(response.status).toBe(200)
    expect(response.json).toBeArray()
    pages.push(response.json)
    next = nextPage(response)
    await between()
  }
  return pages
}

describe.each(LISTS)('%s', (path) => {
  test('returns the whole array without a Link when no parameter is given', async () => {
    const response = await s.call('GET', path)
    expect(response.json.length).toBeGreaterThanOrEqual(5)
    expect(response.headers.has('link')).toBe(false)
  })

  test.each([1, 2, 3, 1000])(
    'returns the whole list in order by following Link in pages of %d',
    async (limit) => {
      const whole = (await s.call('GET', path)).json
      const pages = await walk(s.call, withLimit(path, limit))
      expect(pages.flat()).toEqual(whole)
      expect(pages).toHaveLength(Math.ceil(whole.length / limit))
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit)
    },
  )

  test('omits Link on the last page, even when it is full', async () => {
    const { length } = (await s.call('GET', path)).json
    const response = await s.call('GET', withLimit(path, length))
    expect([response.json.length, response.headers.has('link')]).toEqual([length, false])
    expect((await s.call('GET', withLimit(path, length - 1))).headers.has('link')).toBe(true)
  })

  test('continues after a cursor without a limit', async () => {
    const whole = (await s.call('GET', path)).json
    const cursor = cursorOf(await s.call('GET', withLimit(path, 2)))
    expectSuccess(await s.call('GET', withQuery(path, { cursor })), whole.slice(2))
  })

  test.each(['0', '1001', '-1', '1.5', '1e2', 'ten', '', ' 1', '10000'])(
    'rejects limit "%s" with 400111',
    async (limit) => {
      expectError(await s.call('GET', withQuery(path, { limit })), 400111, invalid('limit'))
    },
  )

  test.each([
    '',
    'x',
    'bm9uc2Vuc2U',
    'W10',
    'e30',
    'bnVsbA',
    'WzFlOTk5XQ',
    'W251bGxd',
    'W1sxXV0',
    'WzEsMiwzXQ',
  ])('rejects cursor "%s" with 400109', async (cursor) => {
    expectError(await s.call('GET', withQuery(path, { cursor })), 400109, BAD_CURSOR)
  })

  test('sends Link in response to HEAD', async () => {
    const head = await s.call('HEAD', withLimit(path, 2))
    const get = await s.call('GET', withLimit(path, 2))
    expect(head.headers.get('link')).toBe(get.headers.get('link'))
  })
})

test.each([
  ['/open_channel_groups', '/block_user_list'],
  ['/open_channel_groups', CHANNELS],
  [CHANNELS, '/open_channel_groups'],
  [CHANNELS, '/report_list'],
  ['/block_user_list', '/bad_word_list'],
  ['/bad_word_list', '/allow_list'],
  ['/report_list', '/open_channel_groups'],
])('the cursor of %s is rejected with 400109 by %s', async (from, to) => {
  const cursor = cursorOf(await s.call('GET', withLimit(from, 1)))
  expectError(await s.call('GET', withQuery(to, { cursor })), 400109, BAD_CURSOR)
})

test('credentials are checked before limit and cursor', async () => {
  const response = await s.call('GET', '/block_user_list?limit=0', { token: null })
  expect(response.json.code).toBe(400701)
})

test('a page has a hundred entries by default', async () => {
  await using own = await startClockedServer()
  for (let id = 0; id < 103; id++) await own.server.app.reports.add(newReport(id, own.clock()))
  const first = await own.call('GET', '/report_list?limit=1')
  const second = await own.call('GET', `/report_list?cursor=${cursorOf(first)}`)
  expect(second.json).toHaveLength(100)
  expect(await walk(own.call, nextPage(second)!)).toHaveLength(1)
})

test('a list of more than a thousand channels contains each number once, whole and in pages', async () => {
  await using large = await startClockedServer()
  const { app } = large.server
  const names = Array.from({ length: 1100 }, (_, index) => `channel-${1000 + index}`)
  const settings = { maxMembers: 1, isFallback: false, isAutoscaling: true }
  await Promise.all(names.map((name) => app.channels.create({ group: 'g', name }, settings)))
  for (const index of [0, 498, 499, 500, 1099])
    await seat({ app, roster: large.roster }, { group: 'g', name: names[index]! }, `p${index}`, `q${index}`)
  const numbers = (entries: readonly unknown[]) =>
    (entries as readonly { channel_name: string; channel_id: number }[]).map(
      ({ channel_name, channel_id }) => `${channel_name} ${channel_id}`,
    )
  const all = numbers((await large.call('GET', '/open_channels?channel_group=g')).json)
  expect(all).toHaveLength(1105)
  expect(all).toEqual([...new Set(all)].sort())
  for (const limit of [100, 501, 1000]) {
    const pages = await walk(large.call, `/open_channels?channel_group=g&limit=${limit}`)
    expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true)
    expect(numbers(pages.flat())).toEqual(all)
  }
})

describe('paging during changes returns each remaining entry once, with', () => {
  let own: typeof s
  beforeAll(async () => {
    own = await startClockedServer()
    await fill(own)
  })
  afterAll(async () => {
    await own[Symbol.asyncDispose]()
  })

  test('bans lifted before and after the cursor', async () => {
    const before = (await own.call('GET', '/block_user_list')).json
    const [first, second, third, ...rest] = before
    const gone = [second, third]
    const pages = await walk(own.call, '/block_user_list?limit=2', async () => {
      for (const { gamer_id } of gone.splice(0))
        await own.call('DELETE', '/block_user_chat', { body: { gamer_id } })
    })
    expect(pages.flat()).toEqual([first, second, ...rest])
  })

  test('new bans, which are not on later pages', async () => {
    const before = (await own.call('GET', '/block_user_list')).json
    let round = 0
    const pages = await walk(own.call, '/block_user_list?limit=2', () =>
      own.call('PUT', '/block_user_chat', { body: { gamer_id: `new-${round++}`, days: 1 } }),
    )
    expect(pages.flat()).toEqual(before)
  })

  test('deleted channels and groups', async () => {
    const channels = await walk(own.call, `${CHANNELS}&limit=1`, () =>
      own.call('DELETE', '/open_channels', { body: { channel_group: GROUP, channel_name: 'a' } }),
    )
    expect(channels.flat().map((each) => (each as { channel_name: string }).channel_name)).toEqual([
      'a',
      'b',
      'b',
      'b',
      'c',
    ])

    const groups = (await own.call('GET', '/open_channel_groups')).json
    const [first, second] = groups
    const walked = await walk(own.call, '/open_channel_groups?limit=2', async () => {
      for (const channel_group of [first, second])
        await own.call('DELETE', '/open_channels', { body: { channel_group, channel_name: 'a' } })
    })
    expect(walked.flat()).toEqual(groups)
  })

  test('new reports, which are not on later pages', async () => {
    const before = (await own.call('GET', '/report_list')).json
    const pages = await walk(own.call, '/report_list?limit=3', () =>
      own.server.app.reports.add(newReport(99, own.clock())),
    )
    expect(pages.flat()).toEqual(before)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ChatError } from '../../src/core/errors.ts'
import type { SequencedMessage } from '../../src/core/model.ts'
import type { FilterCompiler, FilterInput } from '../../src/core/ports/filter-compiler.ts'
import { compileInProcess } from '../support/filters.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import {
  type Call,
  createTestClock,
  DAY,
  expectError,
  HOUR,
  invalid,
  required,
  startClockedServer,
} from './helpers.ts'

const LIMIT = 'The limit for this resource is reached.'
const UNKNOWN = 'The back-test was not found.'

let written = 0

function said(original: string, at: number, changes: Partial<SequencedMessage> = {}): SequencedMessage {
  const seq = ++written
  return {
    id: Bun.randomUUIDv7('hex', at),
    shard: { group: 'main', name: 'lobby', incarnation: 1, number: 1 },
    player: { id: 'mina', name: 'Mina' },
    text: original,
    original,
    language: 'ko-KR',
    hits: [],
    at,
    seq,
    epoch: 'e',
    ...changes,
  }
}

const start = (call: Call, body: object, headers: Record<string, string> = {}) =>
  call('POST', '/filter_backtest', { body, headers })

async function finished(call: Call, id: string) {
  for (;;) {
    const { json } = await call('GET', `/filter_backtest?backtest_id=${id}`)
    if (json.state !== 'running') return json
  }
}

async function run(call: Call, body: object) {
  return finished(call, (await start(call, body)).json.backtest_id)
}

const textsOf = ({ count, samples }: { count: number; samples: { text: string }[] }) => ({
  count,
  texts: samples.map(({ text }) => text),
})

describe('a back-test', () => {
  let s: Awaited<ReturnType<typeof startClockedServer>>

  beforeAll(async () => {
    s = await startClockedServer()
    const put = (path: string, language: string, filters: string[]) =>
      s.call('PUT', path, { body: { language, filters } })
    await put('/bad_word_list', 'all', ['GM'])
    await put('/bad_word_list', 'ko', ['옛말', '공통'])
    await put('/bad_word_list', 'ko-kr', ['바보'])
    await put('/allow_list', 'ko', ['새말 사전'])
    const now = s.clock()
    for (const message of [
      said('새말 하나', now - 6 * DAY),
      said('옛말', now - 5 * DAY),
      said('공통', now - 4 * DAY, { language: 'ko' }),
      said('gm 새말', now - 3 * DAY, { language: 'KO_kr', player: { id: 'joon', name: 'Joon' } }),
      said('바보 새말', now - 3 * DAY, { language: 'ko' }),
      said('새말 사전', now - 2 * DAY),
      said('새말', now - 8 * DAY),
      said('새말', now - HOUR, { language: 'en' }),
      said('새말', now - HOUR, { language: undefined }),
      said('새말', now - HOUR, { player: undefined, language: undefined }),
      said('아무것도', now - HOUR),
    ])
      s.server.app.messages.add(message)
  })
  afterAll(async () => {
    await s[Symbol.asyncDispose]()
  })

  test('returns counts and samples of the messages that the list applies to', async () => {
    const result = await run(s.call, { language: 'ko', filters: ['새말', '공통'] })
    expect(result).toMatchObject({
      state: 'done',
      language: 'ko',
      days: 7,
      scanned: 10,
      total: 10,
      judged: 7,
    })
    expect(textsOf(result.newly_caught)).toEqual({ count: 2, texts: ['바보 새말', '새말 하나'] })
    expect(textsOf(result.no_longer_caught)).toEqual({ count: 1, texts: ['옛말'] })
    expect(textsOf(result.still_caught)).toEqual({ count: 2, texts: ['gm 새말', '공통'] })
  })

  test('returns samples with sender, time and hits', async () => {
    const result = await run(s.call, { language: 'ko', filters: ['새말', '공통'] })
    expect(result.still_caught.samples[0]).toEqual({
      message_id: expect.any(String),
      gamer_id: 'joon',
      time: '2026-11-12T03:00:00Z',
      text: 'gm 새말',
      hits: [
        { start: 0, end: 2, expression: 'GM', language: 'all', rule: 'word' },
        { start: 3, end: 5, expression: '새말', language: 'ko', rule: 'word' },
      ],
    })
    expect(result.no_longer_caught.samples[0].hits).toEqual([
      { start: 0, end: 2, expression: '옛말', language: 'ko', rule: 'word' },
    ])
  })

  test('of a regional language keeps the lists of its parents active', async () => {
    const result = await run(s.call, { language: 'ko-KR', filters: ['새말'] })
    expect(result.judged).toBe(5)
    expect(textsOf(result.newly_caught)).toEqual({ count: 1, texts: ['새말 하나'] })
    expect(textsOf(result.still_caught)).toEqual({ count: 2, texts: ['gm 새말', '옛말'] })
  })

  test('of `all` covers every player, including messages logged without a language', async () => {
    const result = await run(s.call, { language: 'all', filters: ['새말'] })
    expect(result.judged).toBe(9)
    expect(textsOf(result.newly_caught).texts.toSorted()).toEqual(['바보 새말', '새말', '새말', '새말 하나'])
    expect(textsOf(result.no_longer_caught)).toEqual({ count: 0, texts: [] })
  })

  test('covers the requested number of days', async () => {
    expect((await run(s.call, { language: 'ko', filters: ['새말'], days: 0.5 })).total).toBe(4)
    expect((await run(s.call, { language: 'ko', filters: ['새말'], days: 30 })).total).toBe(11)
  })

  test('does not change the list', async () => {
    const before = (await s.call('GET', '/bad_word_list')).text
    await run(s.call, { language: 'ko', filters: ['새말'] })
    expect((await s.call('GET', '/bad_word_list')).text).toBe(before)
  })
})

test('a back-test counts all messages and returns the newest twenty as samples', async () => {
  const { clock } = createTestClock()
  await using s = await startTestServer({}, { clock })
  const messages = Array.from({ length: 1500 }, (_, index) =>
    said(index % 3 === 0 ? `rude ${index}` : `fine ${index}`, clock() - index, { language: 'en' }),
  )
  for (const message of messages) s.server.app.messages.add(message)
  const result = await run(s.call, { language: 'en', filters: ['rude'] })
  expect(result).toMatchObject({ state: 'done', scanned: 1500, total: 1500, judged: 1500 })
  expect(textsOf(result.newly_caught)).toEqual({
    count: 500,
    texts: Array.from({ length: 20 }, (_, index) => `rude ${index * 3}`),
  })
})

/** Blocks trials until `resume` is called. */
class PausedCompiler implements FilterCompiler {
  readonly asked: FilterInput[][] = []
  closed = 0
  failure: Error | undefined
  #next = Promise.withResolvers<void>()

  async compile(source: Parameters<FilterCompiler['compile']>[0]) {
    return compileInProcess(source)
  }

  async openTrial(sources: Parameters<FilterCompiler['openTrial']>[0]) {
    if (this.failure !== undefined) throw this.failure
    const filters = sources.map((source) => compileInProcess(source))
    return {
      clean: async (texts: readonly FilterInput[]) => {
        this.asked.push([...texts])
        await this.#next.promise
        if (this.failure !== undefined) throw this.failure
        return texts.map(({ text, language }) => filters.map((filter) => filter.clean(text, language)))
      },
      close: () => {
        this.closed++
      },
    }
  }

  resume(): void {
    this.#next.resolve()
  }

  async close(): Promise<void> {}
}

async function startPaused(): Promise<TestServer & { compiler: PausedCompiler }> {
  const { clock } = createTestClock()
  const compiler = new PausedCompiler()
  const s = await startTestServer({}, { clock, compiler })
  for (let index = 0; index < 500; index++)
    s.server.app.messages.add(said('rude', clock() - index, { language: 'en' }))
  return { ...s, compiler }
}

const DRAFT = { language: 'en', filters: ['rude'] }

/** Waits until the first page of messages is being checked. */
async function untilScanning(s: TestServer & { compiler: PausedCompiler }): Promise<void> {
  while (s.compiler.asked.length === 0) await s.call('GET', '/filter_backtest')
}

describe('a running back-test', () => {
  test('reports progress, is found without an id, and closes its worker when done', async () => {
    await using s = await startPaused()
    const { json: begun } = await start(s.call, DRAFT)
    expect(begun).toMatchObject({ state: 'running', scanned: 0 })
    await untilScanning(s)
    expect((await s.call('GET', '/filter_backtest')).json).toMatchObject({
      backtest_id: begun.backtest_id,
      state: 'running',
      scanned: 0,
      total: 500,
    })
    s.compiler.resume()
    expect(await finished(s.call, begun.backtest_id)).toMatchObject({ state: 'done', scanned: 500 })
    expect(s.compiler.closed).toBe(1)
  })

  test('blocks a second one with 400205 until it is done', async () => {
    await using s = await startPaused()
    const { json: first } = await start(s.call, DRAFT)
    expectError(await start(s.call, DRAFT), 400205, LIMIT)
    s.compiler.resume()
    await finished(s.call, first.backtest_id)
    expect((await start(s.call, DRAFT)).status).toBe(200)
  })

  test('is not recorded when it cannot start', async () => {
    await using s = await startPaused()
    s.compiler.failure = new ChatError('unavailable')
    expect((await start(s.call, DRAFT)).status).toBe(503)
    expectError(await s.call('GET', '/filter_backtest'), 400303, UNKNOWN)
    s.compiler.failure = undefined
    expect((await start(s.call, DRAFT)).json.state).toBe('running')
    s.compiler.resume()
  })

  test('reports a failure and lets another one start', async () => {
    await using s = await startPaused()
    const { json } = await start(s.call, DRAFT)
    await untilScanning(s)
    s.compiler.failure = new Error('broken')
    s.compiler.resume()
    expect(await finished(s.call, json.backtest_id)).toMatchObject({
      state: 'failed',
      scanned: 0,
      total: 500,
    })
    s.compiler.failure = undefined
    expect((await start(s.call, DRAFT)).status).toBe(200)
  })

  test('is canceled when the server stops', async () => {
    const s = await startPaused()
    await start(s.call, DRAFT)
    await untilScanning(s)
    const stopped = s[Symbol.asyncDispose]()
    s.compiler.resume()
    await stopped
    expect(s.compiler.closed).toBe(1)
  })
})

describe('bounds', () => {
  test('keeps the last 16 back-tests', async () => {
    await using s = await startTestServer()
    const ids: string[] = []
    for (let count = 0; count < 18; count++) ids.push((await run(s.call, DRAFT)).backtest_id)
    for (const [index, id] of ids.entries()) {
      const response = await s.call('GET', `/filter_backtest?backtest_id=${id}`)
      if (index < 2) expectError(response, 400303, UNKNOWN)
      else expect(response.json).toMatchObject({ backtest_id: id, state: 'done', total: 0 })
    }
  }, 60_000)

  test('requires language and filters, and limits days to the retention of the log', async () => {
    await using s = await startTestServer({ PARLEY_MESSAGE_DAYS: '3' })
    expectError(await start(s.call, { filters: [] }), 400105, required('language'))
    expectError(await start(s.call, { language: 'en' }), 400105, required('filters'))
    for (const days of [0, -1, 3.1])
      expectError(await start(s.call, { ...DRAFT, days }), 400111, invalid('days'))
    expectError(await start(s.call, { ...DRAFT, days: '3' }), 400101, '"days" must be a number.')
    expect((await run(s.call, DRAFT)).days).toBe(3)
    expectError(await s.call('GET', '/filter_backtest?backtest_id='), 400111, invalid('backtest_id'))
    expectError(await s.call('GET', '/filter_backtest?backtest_id=none'), 400303, UNKNOWN)
  })
})

import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { makeFolder, startServerOn, type TestServer } from '../support/server.ts'
import { Model, type Step } from './model.ts'
import { chooseSeed, fuzzCases, NO_LIMIT } from './support.ts'

const SEQUENCES = Math.max(25, fuzzCases / 500)
const STEPS = 30
const RESTART_EVERY = 4
const START = Date.UTC(2026, 10, 15, 3)
const PAGE = 2

const groups = fc.constantFrom('global', 'Global', 'ko', '\u{1d11e}', '\uff5e', '__proto__')
const names = fc.constantFrom('a', 'A', 'b', 'server-1', 'server-10', 'server-2', 'é', 'e\u0301')
const players = fc.constantFrom('1', '2', '3', 'constructor')
const languages = fc.constantFrom('all', 'ALL', 'ko', 'ko-kr', 'ko_KR', 'KO-KR', 'en', 'zh-Hant')
const key = { channel_group: groups, channel_name: names }
const settings = {
  max_count: fc.constantFrom(1, 50, 100_000),
  is_default: fc.boolean(),
  is_autoscaling: fc.boolean(),
}
/** Whole seconds, so that rounding does not matter. */
const days = fc.oneof(
  fc.integer({ min: 1, max: 200_000 }).map((seconds) => seconds / 86_400),
  fc.constantFrom(1, 0.5, 7, 36_500),
)

const step = (
  method: string,
  path: string,
  model: Record<string, fc.Arbitrary<unknown>>,
  optional: readonly string[] = [],
): fc.Arbitrary<Step> =>
  fc.record(
    {
      method: fc.constant(method),
      path: fc.constant(path),
      body: fc.record(model, { requiredKeys: Object.keys(model).filter((name) => !optional.includes(name)) }),
      key: fc.constantFrom('k1', 'k2', 'k3'),
      ifMatch: fc.constantFrom('newest' as const, 'older' as const),
    },
    { requiredKeys: ['method', 'path', 'body'] },
  )

const steps = fc.oneof(
  { weight: 5, arbitrary: step('PUT', '/open_channels', { ...key, ...settings }, Object.keys(settings)) },
  { weight: 2, arbitrary: step('PATCH', '/open_channels', { ...key, ...settings }, Object.keys(settings)) },
  { weight: 2, arbitrary: step('DELETE', '/open_channels', key) },
  { weight: 3, arbitrary: step('PUT', '/block_user_chat', { gamer_id: players, days }) },
  { weight: 1, arbitrary: step('DELETE', '/block_user_chat', { gamer_id: players }) },
  {
    weight: 3,
    arbitrary: step('PUT', '/bad_word_list', {
      language: languages,
      filters: fc.array(fc.constantFrom('GM', 'gm', '*x*', '지엠', '\u{1f469}\u200d\u{1f467}'), {
        maxLength: 4,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: step(
      'POST',
      '/system_message',
      { channel_type: fc.constant(1), ...key, channel_id: fc.nat(2), message: fc.constant('hi') },
      ['channel_id'],
    ),
  },
)
/** Mostly short, so that steps hit bans and keys both before and after they expire. */
const pauses = fc.oneof(
  { weight: 6, arbitrary: fc.nat(1500) },
  { weight: 3, arbitrary: fc.nat(200_000) },
  { weight: 1, arbitrary: fc.nat(86_400_000) },
)
const sequences = fc.array(fc.tuple(pauses, steps), { minLength: 1, maxLength: STEPS, size: 'max' })

class Session {
  readonly #folder = makeFolder()
  readonly #model = new Model(START)
  readonly #etags = ['"0"', '"0"']
  #server: TestServer | undefined

  async start(): Promise<void> {
    this.#server = await startServerOn(this.#folder, {}, { clock: () => this.#model.now })
  }

  async end(): Promise<void> {
    await this.#server?.server.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async restart(): Promise<void> {
    await this.#server?.server.stop()
    await this.start()
    const [etag] = this.#etags
    await this.compare()
    expect(this.#etags[0]).toBe(etag)
  }

  async take(pause: number, { ifMatch, ...sent }: Step): Promise<void> {
    this.#model.now += pause
    const isConditional = ifMatch !== undefined && sent.path === '/bad_word_list'
    const [newest = '', older = ''] = this.#etags
    const etag = ifMatch === 'older' ? older : newest
    const expected = this.#model.take(sent, isConditional && etag !== newest)
    const response = await this.#call(sent.method, sent.path, {
      body: sent.body,
      headers: {
        ...(sent.key !== undefined && { 'Idempotency-Key': sent.key }),
        ...(isConditional && { 'If-Match': etag }),
      },
    })
    expect({ status: response.status, json: response.json }).toEqual(expected)
    await this.compare()
  }

  /** Compares every complete list with the model. */
  async compare(): Promise<void> {
    const { lists, groupNames } = this.#model
    const wholes = Object.entries(lists).map(async ([path, expected]) => {
      const response = await this.#call('GET', path)
      expect(response.json).toEqual(expected)
      const etag = response.headers.get('etag')
      if (etag !== null && etag !== this.#etags[0]) this.#etags.unshift(etag)
    })
    const channels = [...groupNames, 'nobody'].map(async (group) => {
      const path = `/open_channels?channel_group=${encodeURIComponent(group)}`
      expect((await this.#call('GET', path)).json).toEqual(this.#model.channels(group))
    })
    await Promise.all([...wholes, ...channels])
  }

  async comparePages(): Promise<void> {
    for (const [path, expected] of Object.entries(this.#model.lists)) await this.#walk(`${path}?`, expected)
    for (const group of this.#model.groupNames) {
      const path = `/open_channels?channel_group=${encodeURIComponent(group)}&`
      await this.#walk(path, this.#model.channels(group))
    }
  }

  async #walk(path: string, expected: unknown): Promise<void> {
    const walked: unknown[] = []
    let next: string | undefined = `${path}limit=${PAGE}`
    while (next !== undefined) {
      const response = await this.#call('GET', next)
      walked.push(...response.json)
      next = /^<\/chat\/v1(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
    }
    expect(walked).toEqual(expected as unknown[])
  }

  get #call(): TestServer['call'] {
    if (this.#server === undefined) throw new Error('The session has not started.')
    return this.#server.call
  }
}

test(
  'any sequence of operations leaves the same state as the reference model',
  async () => {
    const seed = chooseSeed('model')
    let ran = 0
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        const session = new Session()
        const restartAt = ran++ % RESTART_EVERY === 0 ? sequence.length >> 1 : -1
        try {
          await session.start()
          for (const [index, [pause, each]] of sequence.entries()) {
            await session.take(pause, each)
            if (index === restartAt) await session.restart()
          }
          await session.comparePages()
        } finally {
          await session.end()
        }
      }),
      { seed, numRuns: SEQUENCES },
    )
  },
  NO_LIMIT,
)

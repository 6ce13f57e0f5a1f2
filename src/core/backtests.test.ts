import { expect, test } from 'bun:test'
import { Backtests } from './backtests.ts'
import { packExpressions } from './expressions.ts'
import type { LoggedMessage } from './model.ts'
import { State } from './state/state.ts'

const MESSAGES = 1_000_000

const message: LoggedMessage = {
  id: 'm',
  shard: { group: 'g', name: 'a', incarnation: 1, number: 1 },
  player: undefined,
  text: 'text',
  original: 'text',
  language: undefined,
  hits: [],
  at: 0,
  seq: 1,
  epoch: 'e',
  deletedAt: undefined,
}

test('a running back-test ends when the server stops, and no other starts', async () => {
  const started = Promise.withResolvers<void>()
  const errors: unknown[] = []
  const backtests = new Backtests({
    store: {
      countMessages: async () => MESSAGES,
      listMessages: async ({ limit }) => {
        started.resolve()
        return Array<LoggedMessage>(limit).fill(message)
      },
    },
    messages: { flush: async () => undefined },
    state: new State(),
    compiler: { openTrial: async () => ({ clean: async () => [], close: () => undefined }) },
    clock: () => 0,
    onBackgroundError: (error) => errors.push(error),
  })
  const request = { language: 'en', expressions: packExpressions(['word']), days: 1 }
  const run = await backtests.start(request)
  await started.promise
  await backtests.stop()
  expect([run.state, run.scanned < MESSAGES, errors]).toEqual(['failed', true, []])
  expect(await backtests.start(request).catch((thrown) => thrown.kind)).toBe('limit-reached')
})

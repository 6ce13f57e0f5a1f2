import { type Operation, type OperationDependencies, operation } from '../operation.ts'
import { renderArray } from '../render.ts'
import { backtest, createFilterInputs, filterCheck } from './schemas.ts'
import { renderBacktest, renderCheckResult } from './wire.ts'

const EXAMPLE_HIT = { start: 0, end: 2, expression: '지엠', language: 'ko-kr', rule: 'word' as const }

const EXAMPLE_BACKTEST = {
  backtest_id: '3f0c9a52-8f5e-4c1b-9d7a-5b1f0e6f2a11',
  state: 'done',
  language: 'ko-kr',
  days: 7,
  scanned: 91_204,
  total: 91_204,
  judged: 38_110,
  newly_caught: {
    count: 1,
    samples: [
      {
        message_id: 'b7d4c1f0-2a3e-4f65-8a90-1c2d3e4f5a6b',
        gamer_id: '1234',
        time: '2026-11-15T03:12:45Z',
        text: '지엠 있어요?',
        hits: [EXAMPLE_HIT],
      },
    ],
  },
  no_longer_caught: { count: 0, samples: [] },
  still_caught: { count: 0, samples: [] },
}

export function draftOperations({ limits }: OperationDependencies): readonly Operation[] {
  const inputs = createFilterInputs(limits)
  return [
    operation({
      id: 'checkFilter',
      method: 'POST',
      path: '/filter_check',
      tag: 'Profanity',
      summary: 'Try the filter',
      description:
        'Shows what the filter would do with texts of a player with this language, and which expressions of which lists ' +
        'match. `filters`, if given, replaces the stored list of the language for this request only.',
      role: 'moderator',
      input: inputs.check,
      output: { schema: filterCheck, isList: false },
      ignoresKey: true,
      errors: ['limit-reached'],
      example: {
        input: { language: 'ko-kr', texts: ['지엠 있어요?', '안녕'] },
        output: {
          results: [
            {
              text: '지엠 있어요?',
              filtered: '** 있어요?',
              verdict: 'masked',
              hits: [EXAMPLE_HIT],
            },
            { text: '안녕', filtered: '안녕', verdict: 'clean', hits: [] },
          ],
        },
      },
      handle: async ({ app, input: { language, texts, filters } }) => {
        const checks = await app.filters.checkAll(texts, language, filters)
        const results = await renderArray([...checks.entries()], ([index, check]) => [
          JSON.stringify(renderCheckResult(texts[index] ?? '', check)),
        ])
        return { body: `{"results":${results}}`, next: undefined }
      },
    }),
    operation({
      id: 'startBacktest',
      method: 'POST',
      path: '/filter_backtest',
      tag: 'Profanity',
      summary: 'Back-test a list',
      description:
        'Runs a draft list over the message log, to find messages that it would catch and the current lists do not, and vice ' +
        'versa. Only messages that the list applies to count. Responds as soon as the back-test has started; GET shows its ' +
        'progress. One back-test runs at a time, and the last 16 are kept until the node restarts.',
      role: 'operator',
      input: inputs.backtest,
      output: { schema: backtest, isList: false },
      ignoresKey: true,
      errors: ['limit-reached'],
      example: {
        input: { language: 'ko-kr', filters: ['지엠'], days: 7 },
        output: {
          ...EXAMPLE_BACKTEST,
          state: 'running',
          scanned: 0,
          total: 0,
          judged: 0,
          newly_caught: { count: 0, samples: [] },
        },
      },
      handle: async ({ app, input: { language, filters, days } }) => ({
        value: renderBacktest(await app.backtests.start({ language, expressions: filters, days })),
      }),
    }),
    operation({
      id: 'showBacktest',
      method: 'GET',
      path: '/filter_backtest',
      tag: 'Profanity',
      summary: 'Show a back-test',
      description: 'Shows the progress of a back-test and its results so far.',
      role: 'operator',
      input: inputs.backtestKey,
      output: { schema: backtest, isList: false },
      errors: ['backtest-not-found'],
      example: { input: {}, output: EXAMPLE_BACKTEST },
      handle: ({ app, input }) => ({ value: renderBacktest(app.backtests.find(input.backtest_id)) }),
    }),
  ]
}

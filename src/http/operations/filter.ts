import { answers } from '../answers.ts'
import { renderArray } from '../lists.ts'
import { type Ingredients, type Operation, operation } from '../operation.ts'
import { renderJudgement } from '../wire.ts'

export const filterOperations = ({ inputs }: Ingredients): readonly Operation[] => [
  operation({
    id: 'checkFilter',
    method: 'POST',
    path: '/filter_check',
    tag: 'Profanity',
    summary: 'Try the filter',
    description:
      'What would become of texts that a player of the language says, and which expression of which list is the ' +
      'reason. With `filters`, that draft stands in for the profanity list of the language; nothing is stored.',
    role: 'moderator',
    input: inputs.filterCheck,
    output: { schema: answers.FilterCheck, list: false },
    refuses: ['limit-reached'],
    example: {
      input: { language: 'ko-kr', texts: ['지엠 있어요?', '안녕'] },
      output: {
        results: [
          {
            text: '지엠 있어요?',
            filtered: '** 있어요?',
            verdict: 'masked',
            hits: [{ start: 0, end: 2, expression: '지엠', language: 'ko-kr' }],
          },
          { text: '안녕', filtered: '안녕', verdict: 'clean', hits: [] },
        ],
      },
    },
    handle: async ({ app, input: { language, texts, filters } }) => {
      const judgements = await app.filters.check(texts, language, filters)
      const results = await renderArray([...judgements.entries()], ([index, judgement]) => [
        JSON.stringify(renderJudgement(texts[index] ?? '', judgement)),
      ])
      return { body: `{"results":${results}}`, next: undefined }
    },
  }),
]

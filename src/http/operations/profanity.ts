import type { App } from '../../core/app.ts'
import { answers } from '../answers.ts'
import type { KeptLists, Page } from '../lists.ts'
import { type Answer, type Ingredients, type Operation, operation } from '../operation.ts'
import { filterListList, readIfMatch, renderEtag } from '../wire.ts'

export const profanityOperations = ({ inputs, kept }: Ingredients): readonly Operation[] => [
  operation({
    id: 'listProfanity',
    method: 'GET',
    path: '/bad_word_list',
    tag: 'Profanity',
    summary: 'List profanity',
    description:
      'An entry for each language, `all` first. Carries an `ETag` for `If-Match` and `If-None-Match`.',
    role: 'viewer',
    input: inputs.nothing,
    output: { schema: answers.ProfanityEntry, list: true },
    hasEtag: true,
    refuses: [],
    example: {
      input: {},
      output: [
        { language: 'all', filters: ['GM', 'MASTER'] },
        { language: 'ko-kr', filters: ['지엠', '마스터'] },
      ],
    },
    handle: ({ app, page, header }) => answerFilters(app, kept, page, header('if-none-match')),
  }),
  operation({
    id: 'editProfanityList',
    method: 'PUT',
    path: '/bad_word_list',
    tag: 'Profanity',
    summary: 'Edit profanity list',
    description:
      "Replaces one language's list whole. With `If-Match` the edit is refused when someone else wrote first.",
    role: 'operator',
    input: inputs.filterList,
    output: { schema: inputs.filterList, list: false },
    refuses: ['filters-changed', 'limit-reached'],
    example: {
      input: { language: 'ko-kr', filters: ['지엠', '마스터'] },
      output: { language: 'ko-kr', filters: ['지엠', '마스터'] },
    },
    handle: async ({ app, input, once, header }) => {
      const list = { language: input.language, expressions: input.filters }
      await app.filters.replace(list, readIfMatch(header('if-match')), once)
      return { value: input }
    },
  }),
]

async function answerFilters(
  app: App,
  kept: KeptLists,
  page: Page | undefined,
  ifNoneMatch: string | null,
): Promise<Answer> {
  const etag = renderEtag(app.filters.version)
  if (page === undefined && (ifNoneMatch === '*' || ifNoneMatch?.includes(etag)))
    return { status: 304, headers: { ETag: etag } }
  return { ...(await kept.render(filterListList, app.filters.list(), page)), headers: { ETag: etag } }
}

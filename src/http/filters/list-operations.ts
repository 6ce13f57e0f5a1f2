import type { App } from '../../core/app.ts'
import type { FilterListKind } from '../../core/model.ts'
import { findMatchingTag, readIfMatch, renderEtag } from '../etag.ts'
import { NO_INPUT } from '../input-fields.ts'
import { type Operation, type OperationDependencies, type OperationResult, operation } from '../operation.ts'
import type { Page } from '../paging.ts'
import { joinPieces } from '../render.ts'
import type { RenderCache } from '../render-cache.ts'
import { createFilterInputs, filterListEntry } from './schemas.ts'
import { filterListList, renderFilterList } from './wire.ts'

/** What distinguishes the operations of the profanity lists from those of the allow lists. */
interface Wording {
  readonly kind: FilterListKind
  readonly path: string
  readonly list: { readonly id: string; readonly summary: string; readonly about: string }
  readonly edit: { readonly id: string; readonly summary: string; readonly about: string }
  readonly example: readonly { readonly language: string; readonly filters: readonly string[] }[]
}

export const profanityOperations = (dependencies: OperationDependencies): readonly Operation[] =>
  filterListOperations(dependencies, {
    kind: 'forbidden',
    path: '/bad_word_list',
    list: { id: 'listProfanity', summary: 'List profanity', about: '' },
    edit: { id: 'editProfanityList', summary: 'Edit profanity list', about: '' },
    example: [
      { language: 'all', filters: ['GM', 'MASTER'] },
      { language: 'ko-kr', filters: ['지엠', '마스터'] },
    ],
  })

export const allowListOperations = (dependencies: OperationDependencies): readonly Operation[] =>
  filterListOperations(dependencies, {
    kind: 'allowed',
    path: '/allow_list',
    list: {
      id: 'listAllowed',
      summary: 'List allowed expressions',
      about: 'Words and phrases that are never masked, even if a profanity list contains them. ',
    },
    edit: {
      id: 'editAllowList',
      summary: 'Edit allow list',
      about: 'Exempts words that only look like profanity, such as `Scunthorpe`. ',
    },
    example: [{ language: 'en', filters: ['Scunthorpe', 'Penistone'] }],
  })

function filterListOperations(
  { limits, cache }: OperationDependencies,
  { kind, path, list, edit, example }: Wording,
): readonly Operation[] {
  const inputs = createFilterInputs(limits)
  return [
    operation({
      id: list.id,
      method: 'GET',
      path,
      tag: 'Profanity',
      summary: list.summary,
      description: `${list.about}Returns one entry for each language, \`all\` first. Use the \`ETag\` in \`If-Match\` and \`If-None-Match\`: it covers the lists of all languages.`,
      role: 'viewer',
      input: NO_INPUT,
      output: { schema: filterListEntry, isList: true },
      hasEtag: true,
      errors: [],
      example: { input: {}, output: example },
      handle: ({ app, page, header }) => showLists(app, cache, { kind, page }, header('if-none-match')),
    }),
    operation({
      id: edit.id,
      method: 'PUT',
      path,
      tag: 'Profanity',
      summary: edit.summary,
      description:
        `${edit.about}Replaces the whole list of one language, active on every node before the response is sent. \`"filters": []\` ` +
        'empties the list; its entry stays. With `If-Match`, the edit is rejected if the list of any language has changed.',
      role: 'operator',
      input: inputs.list,
      output: { schema: inputs.list, isList: false },
      errors: ['filters-changed', 'limit-reached'],
      example: { input: { ...example.at(-1) }, output: example.at(-1) },
      handle: async ({ app, input, context, header }) => {
        const edited = { kind, language: input.language, expressions: input.filters }
        const version = await app.filters.replace(edited, readIfMatch(header('if-match')), context)
        const body = await joinPieces(renderFilterList(edited))
        return { body, next: undefined, headers: { ETag: renderEtag(version) } }
      },
    }),
  ]
}

async function showLists(
  { filters }: App,
  cache: RenderCache,
  { kind, page }: { readonly kind: FilterListKind; readonly page: Page | undefined },
  ifNoneMatch: string | null,
): Promise<OperationResult> {
  const version = filters.version(kind)
  const tag = page === undefined ? findMatchingTag(ifNoneMatch, version) : undefined
  if (tag !== undefined) return { status: 304, headers: { ETag: tag, Vary: 'Accept-Encoding' } }
  const rendered = await cache.render(filterListList(kind), filters.list(kind), page)
  return { ...rendered, headers: { ETag: renderEtag(version) } }
}

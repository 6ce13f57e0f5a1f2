import { ERRORS, type ErrorKind } from '../errors.ts'
import { BASE_PATH, exampleRequest, type Operation } from '../operation.ts'
import { EVERY_HEADER, HEADERS, headersOf, PARAMETERS, SCHEME, TAGS } from './components.ts'
import { GUIDE } from './guide.ts'
import {
  errorSchema,
  type Json,
  nameOf,
  propertiesOf,
  reference,
  schemaOf,
  toJsonSchema,
} from './json-schema.ts'
import { pathParameters, queryParameters, unroutedInput } from './parameters.ts'

export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
}

export interface OperationObject extends Json {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
}

/** Errors of every operation. */
const COMMON_ERRORS: readonly ErrorKind[] = ['credentials', 'too-many-requests', 'unavailable', 'internal']
const INPUT_ERRORS: readonly ErrorKind[] = ['too-long', 'invalid']
const BODY_ERRORS: readonly ErrorKind[] = ['not-object', 'too-large', 'encoding-unsupported']
const PAGE_ERRORS: readonly ErrorKind[] = ['invalid', 'bad-cursor']
const TYPE_ERRORS: Readonly<Record<string, ErrorKind>> = {
  string: 'not-string',
  number: 'not-number',
  integer: 'not-number',
  boolean: 'not-boolean',
  array: 'not-strings',
}

/** Generates the OpenAPI 3.1 document of a table of operations. */
export function createOpenApi(operations: readonly Operation[], version: string): OpenApiDocument {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley management API',
      version,
      summary: 'Channels, chat bans, profanity lists and reports of a game chat server.',
      description: GUIDE,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: BASE_PATH }],
    security: [{ masterToken: [] }],
    tags: Array.from(byTag.keys(), (name) => ({ name, description: TAGS[name] })),
    paths: Object.fromEntries(
      Array.from(byPath, ([path, rows]) => [
        path,
        Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), describeOperation(row)])),
      ]),
    ),
    components: {
      securitySchemes: { masterToken: { type: 'http', scheme: 'bearer', description: SCHEME } },
      headers: HEADERS,
      schemas: namedSchemas([...byTag.values()].flat()),
      parameters: PARAMETERS,
    },
  }
}

const namedSchemas = (operations: readonly Operation[]): Json =>
  Object.fromEntries(
    [...operations.map(({ output }) => output.schema), errorSchema].flatMap((schema) => {
      const name = nameOf(schema)
      return name === undefined ? [] : [[name, toJsonSchema(schema, 'output')]]
    }),
  )

function describeOperation(row: Operation): OperationObject {
  return {
    operationId: row.id,
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    'x-role': row.role,
    parameters: [
      ...pathParameters(row),
      ...queryParameters(row),
      ...(isPaged(row) ? [reference('parameters', 'limit'), reference('parameters', 'cursor')] : []),
      ...(takesKey(row) ? [reference('parameters', 'idempotencyKey')] : []),
      ...(row.errors.includes('filters-changed') ? [reference('parameters', 'ifMatch')] : []),
      ...(row.hasEtag ? [reference('parameters', 'ifNoneMatch')] : []),
    ],
    ...requestBody(row),
    responses: { 200: success(row), ...(row.hasEtag && { 304: NOT_MODIFIED }), ...errorResponses(row) },
  }
}

function requestBody(row: Operation): Json {
  const input = unroutedInput(row)
  if (row.method === 'GET' || Object.keys(input.shape).length === 0) return {}
  const schema = toJsonSchema(input, 'input')
  return {
    requestBody: {
      required: row.method !== 'DELETE',
      description:
        '`Content-Type: application/json; charset=utf8` is recommended; `utf-8`, another type or none work too.',
      content: { 'application/json': { schema, example: exampleRequest(row).properties } },
    },
  }
}

function success(row: Operation): Json {
  const schema = schemaOf(row.output.schema)
  return {
    description: 'Success.',
    headers: headersOf(...EVERY_HEADER, ...(isPaged(row) ? ['Link'] : []), ...(hasEtag(row) ? ['ETag'] : [])),
    content: {
      'application/json': {
        schema: row.output.isList ? { type: 'array', items: schema } : schema,
        example: row.example.output,
      },
    },
  }
}

const takesKey = ({ method, ignoresKey }: Operation) => method !== 'GET' && !ignoresKey
const isPaged = ({ method, output }: Operation) => method === 'GET' && output.isList

const NOT_MODIFIED = {
  description: 'The lists have not changed since the `ETag` in `If-None-Match`.',
  headers: headersOf(...EVERY_HEADER, 'ETag'),
}

/** Lists with an `ETag`, and the edits that return the new one. */
const hasEtag = ({ hasEtag, errors }: Operation) => hasEtag || errors.includes('filters-changed')

function errorResponses(row: Operation): Json {
  const types = Object.values(propertiesOf(unroutedInput(row)))
  const kinds = new Set<ErrorKind>([
    ...COMMON_ERRORS,
    ...(types.length > 0 ? (['missing'] as const) : []),
    ...(Object.keys(row.input.shape).length > 0 ? INPUT_ERRORS : []),
    ...types.flatMap(({ type }) => TYPE_ERRORS[String(type)] ?? []),
    ...(isPaged(row) ? PAGE_ERRORS : []),
    ...(row.method === 'GET' ? [] : BODY_ERRORS),
    ...(takesKey(row) ? (['key-reused'] as const) : []),
    ...row.errors,
  ])
  const byStatus = Map.groupBy(kinds, (kind) => Math.floor(ERRORS[kind].code / 1000))
  return Object.fromEntries(Array.from(byStatus, ([status, group]) => [status, describeErrors(group)]))
}

function describeErrors(kinds: readonly ErrorKind[]): Json {
  const examples = kinds.map((kind) => [kind, { value: { ...ERRORS[kind], error: true } }])
  const isTemporary = kinds.some((kind) => kind === 'too-many-requests' || kind === 'unavailable')
  return {
    headers: headersOf(...EVERY_HEADER, ...(isTemporary ? ['Retry-After'] : [])),
    description: kinds.map((kind) => `${ERRORS[kind].code}: ${ERRORS[kind].message}`).join('  \n'),
    content: {
      'application/json': { schema: schemaOf(errorSchema), examples: Object.fromEntries(examples) },
    },
  }
}

import { z } from 'zod'
import { answers } from './answers.ts'
import { BASE_PATH } from './dispatcher.ts'
import { ERRORS, type ErrorKind } from './errors.ts'
import { GUIDE } from './guide.ts'
import { EVERY_HEADER, HEADERS, headersOf, PARAMETERS, SCHEME, TAGS } from './openapi-parts.ts'
import { exampleRequest, type Operation, pathProperties } from './operation.ts'

type Json = { readonly [key: string]: unknown }

export interface OpenApiDocument extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
}

export interface OperationObject extends Json {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
}

/** What every operation may refuse, whatever it does. */
const REFUSALS: readonly ErrorKind[] = ['credentials', 'too-many-requests', 'unavailable', 'internal']
const INPUT_REFUSALS: readonly ErrorKind[] = ['too-long', 'invalid']
const BODY_REFUSALS: readonly ErrorKind[] = ['not-object', 'too-large', 'encoding-unsupported']
const PAGE_REFUSALS: readonly ErrorKind[] = ['invalid', 'bad-cursor']
const TYPE_REFUSALS: Readonly<Record<string, ErrorKind>> = {
  string: 'not-string',
  number: 'not-number',
  integer: 'not-number',
  boolean: 'not-boolean',
  array: 'not-strings',
}

/** The OpenAPI 3.1 document of a table of operations. */
export function createOpenApi(operations: readonly Operation[], version: string): OpenApiDocument {
  const byPath = Map.groupBy(operations, ({ path }) => path)
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
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths: Object.fromEntries(
      Array.from(byPath, ([path, rows]) => [
        path,
        Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), describeOperation(row)])),
      ]),
    ),
    components: {
      securitySchemes: { masterToken: { type: 'http', scheme: 'bearer', description: SCHEME } },
      headers: HEADERS,
      schemas: Object.fromEntries(
        Object.entries(answers).map(([name, schema]) => [name, toJsonSchema(schema, 'output')]),
      ),
      parameters: PARAMETERS,
    },
  }
}

function describeOperation(row: Operation): OperationObject {
  const isRead = row.method === 'GET'
  const sent = restOfInput(row)
  return {
    operationId: row.id,
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    'x-role': row.role,
    parameters: [
      ...pathParameters(row),
      ...(isRead || row.method === 'DELETE' ? queryParameters(row) : []),
      ...(isPaged(row) ? [reference('parameters', 'limit'), reference('parameters', 'cursor')] : []),
      ...(takesKey(row) ? [reference('parameters', 'idempotencyKey')] : []),
      ...(row.errors.includes('filters-changed') ? [reference('parameters', 'ifMatch')] : []),
      ...(row.hasEtag ? [reference('parameters', 'ifNoneMatch')] : []),
    ],
    ...(!isRead &&
      Object.keys(sent.shape).length > 0 && {
        requestBody: {
          required: row.method !== 'DELETE',
          description:
            '`Content-Type: application/json; charset=utf8` is recommended; `utf-8`, another type or none work too.',
          content: {
            'application/json': {
              schema: toJsonSchema(sent, 'input'),
              example: exampleRequest(row).properties,
            },
          },
        },
      }),
    responses: { 200: success(row), ...(row.hasEtag && { 304: NOT_MODIFIED }), ...refusals(row) },
  }
}

/** What of the input does not stand in the path. */
function restOfInput(row: Operation): z.ZodObject {
  const inPath = pathProperties(row)
  return z.object(
    Object.fromEntries(Object.entries(row.input.shape).filter(([name]) => !inPath.includes(name))),
  )
}

const pathParameters = (row: Operation): Json[] =>
  pathProperties(row).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: propertiesOf(row.input)[name],
  }))

function queryParameters(row: Operation): Json[] {
  const sent = restOfInput(row)
  const { required = [] } = toJsonSchema(sent, 'input')
  return Object.entries(propertiesOf(sent)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: row.method === 'GET' && (required as string[]).includes(name),
    ...(row.method === 'DELETE' && {
      description: 'Instead of the body, for clients whose proxies drop it.',
    }),
    schema,
  }))
}

const propertiesOf = (schema: z.ZodObject) =>
  (toJsonSchema(schema, 'input')['properties'] ?? {}) as Readonly<Record<string, Json>>

function success(row: Operation): Json {
  const schema = schemaOf(row.output.schema)
  return {
    description: 'Success.',
    headers: headersOf(
      ...EVERY_HEADER,
      ...(isPaged(row) ? ['Link'] : []),
      ...(isTagged(row) ? ['ETag'] : []),
    ),
    content: {
      'application/json': {
        schema: row.output.list ? { type: 'array', items: schema } : schema,
        example: row.example.output,
      },
    },
  }
}

const takesKey = ({ method, ignoresKey }: Operation) => method !== 'GET' && !ignoresKey
const isPaged = ({ method, output }: Operation) => method === 'GET' && output.list

const NOT_MODIFIED = {
  description: 'The list is as `If-None-Match` knows it.',
  headers: headersOf(...EVERY_HEADER, 'ETag'),
}

/** The lists that have a tag, and the edits that answer with the new one. */
const isTagged = ({ hasEtag, errors }: Operation) => hasEtag || errors.includes('filters-changed')

function refusals(row: Operation): Json {
  const types = Object.values(propertiesOf(restOfInput(row)))
  const kinds = new Set<ErrorKind>([
    ...REFUSALS,
    ...(types.length > 0 ? (['missing'] as const) : []),
    ...(Object.keys(row.input.shape).length > 0 ? INPUT_REFUSALS : []),
    ...types.flatMap(({ type }) => TYPE_REFUSALS[String(type)] ?? []),
    ...(isPaged(row) ? PAGE_REFUSALS : []),
    ...(row.method === 'GET' ? [] : BODY_REFUSALS),
    ...(takesKey(row) ? (['key-reused'] as const) : []),
    ...row.errors,
  ])
  const byStatus = Map.groupBy(kinds, (kind) => Math.floor(ERRORS[kind].code / 1000))
  return Object.fromEntries(Array.from(byStatus, ([status, group]) => [status, refusal(group)]))
}

function refusal(kinds: readonly ErrorKind[]): Json {
  const examples = kinds.map((kind) => [kind, { value: { ...ERRORS[kind], error: true } }])
  const isTemporary = kinds.some((kind) => kind === 'too-many-requests' || kind === 'unavailable')
  return {
    headers: headersOf(...EVERY_HEADER, ...(isTemporary ? ['Retry-After'] : [])),
    description: kinds.map((kind) => `${ERRORS[kind].code}: ${ERRORS[kind].message}`).join('  \n'),
    content: {
      'application/json': { schema: reference('schemas', 'Error'), examples: Object.fromEntries(examples) },
    },
  }
}

const reference = (kind: 'schemas' | 'parameters' | 'headers', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/** A reference where the schema has a name, else the schema itself. */
function schemaOf(schema: z.ZodType): Json {
  const name = Object.entries(answers).find(([, each]) => each === schema)?.[0]
  return name === undefined ? toJsonSchema(schema, 'input') : reference('schemas', name)
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, additionalProperties: __, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}

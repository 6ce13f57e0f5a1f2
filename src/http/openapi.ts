import { z } from 'zod'
import { answers } from './answers.ts'
import { BASE_PATH } from './api.ts'
import { ERRORS, type ErrorKind } from './errors.ts'
import { GUIDE } from './guide.ts'
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
const PAGE_REFUSALS: readonly ErrorKind[] = ['bad-cursor']
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
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(
      Array.from(byPath, ([path, rows]) => [
        path,
        Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), describeOperation(row)])),
      ]),
    ),
    components: {
      securitySchemes: { masterToken: { type: 'http', scheme: 'bearer' } },
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
      ...(row.refuses.includes('filters-changed') ? [reference('parameters', 'ifMatch')] : []),
      ...(row.hasEtag ? [reference('parameters', 'ifNoneMatch')] : []),
    ],
    ...(!isRead &&
      Object.keys(sent.shape).length > 0 && {
        requestBody: {
          required: row.method !== 'DELETE',
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
    headers: {
      'X-Request-Id': { schema: { type: 'string' } },
      ...(isPaged(row) && { Link: LINK_HEADER }),
      ...(row.hasEtag && { ETag: ETAG_HEADER }),
    },
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

const NOT_MODIFIED = { description: 'The list is as `If-None-Match` knows it.' }
const ETAG_HEADER = { schema: { type: 'string' }, description: 'The version of the list.' }

const LINK_HEADER = {
  schema: { type: 'string' },
  description: 'rel="next", when `limit` left something out.',
}

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
    ...row.refuses,
  ])
  const byStatus = Map.groupBy(kinds, (kind) => Math.floor(ERRORS[kind].code / 1000))
  return Object.fromEntries(Array.from(byStatus, ([status, group]) => [status, refusal(group)]))
}

function refusal(kinds: readonly ErrorKind[]): Json {
  const examples = kinds.map((kind) => [kind, { value: { ...ERRORS[kind], error: true } }])
  return {
    description: kinds.map((kind) => `${ERRORS[kind].code}: ${ERRORS[kind].message}`).join('  \n'),
    content: {
      'application/json': { schema: reference('schemas', 'Error'), examples: Object.fromEntries(examples) },
    },
  }
}

const reference = (kind: 'schemas' | 'parameters', name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** A reference where the schema has a name, else the schema itself. */
function schemaOf(schema: z.ZodType): Json {
  const name = Object.entries(answers).find(([, each]) => each === schema)?.[0]
  return name === undefined ? toJsonSchema(schema, 'input') : reference('schemas', name)
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, additionalProperties: __, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}

const PARAMETERS = {
  limit: {
    name: 'limit',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
    description: 'Entries of one page. Without `limit` and `cursor` the answer is the whole list.',
  },
  cursor: {
    name: 'cursor',
    in: 'query',
    schema: { type: 'string' },
    description: 'Where the page begins: the cursor of the `Link` that came with the page before.',
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'Makes a retry safe: the first answer to a key is given again, by default for 24 hours.',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'The `ETag` of the list that the edit was made from.',
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'An `ETag`: the answer is 304 while the list is the same.',
  },
}

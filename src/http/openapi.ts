import { z } from 'zod'
import { answers } from './answers.ts'
import { BASE_PATH } from './api.ts'
import { ERRORS, type ErrorKind } from './errors.ts'
import type { Operation } from './operation.ts'

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
const READ_REFUSALS: readonly ErrorKind[] = ['credentials', 'too-many-requests', 'unavailable', 'internal']
const INPUT_REFUSALS: readonly ErrorKind[] = ['missing', 'not-string', 'too-long', 'invalid']
const BODY_REFUSALS: readonly ErrorKind[] = ['not-object', 'too-large']

/** The OpenAPI 3.1 document of a table of operations. */
export function createOpenApi(operations: readonly Operation[], version: string): OpenApiDocument {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley management API',
      version,
      summary: 'Channels, chat bans, profanity lists and reports of a game chat server.',
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
  const isPaged = isRead && row.output.list
  return {
    operationId: row.id,
    tags: [row.tag],
    summary: row.summary,
    description: row.description,
    'x-role': row.role,
    parameters: [
      ...(isRead || row.method === 'DELETE' ? queryParameters(row) : []),
      ...(isPaged ? [reference('parameters', 'limit'), reference('parameters', 'cursor')] : []),
      ...(isRead ? [] : [reference('parameters', 'idempotencyKey')]),
      ...(row.refuses.includes('filters-changed') ? [reference('parameters', 'ifMatch')] : []),
    ],
    ...(!isRead && {
      requestBody: {
        required: row.method !== 'DELETE',
        content: {
          'application/json': { schema: toJsonSchema(row.input, 'input'), example: row.example.input },
        },
      },
    }),
    responses: { 200: success(row), ...refusals(row) },
  }
}

function queryParameters({ input, method }: Operation): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(input, 'input')
  return Object.entries(properties as Json).map(([name, schema]) => ({
    name,
    in: 'query',
    required: method === 'GET' && (required as string[]).includes(name),
    ...(method === 'DELETE' && { description: 'Instead of the body, for clients whose proxies drop it.' }),
    schema,
  }))
}

function success({ output, example }: Operation): Json {
  const schema = schemaOf(output.schema)
  return {
    description: 'Success.',
    headers: { 'X-Request-Id': { schema: { type: 'string' } }, ...(output.list && { Link: LINK_HEADER }) },
    content: {
      'application/json': {
        schema: output.list ? { type: 'array', items: schema } : schema,
        example: example.output,
      },
    },
  }
}

const LINK_HEADER = {
  schema: { type: 'string' },
  description: 'rel="next", when `limit` left something out.',
}

function refusals(row: Operation): Json {
  const hasInput = Object.keys(row.input.shape).length > 0
  const kinds: ErrorKind[] = [
    ...READ_REFUSALS,
    ...(hasInput ? INPUT_REFUSALS : []),
    ...(row.method === 'GET' ? (['bad-cursor'] as const) : BODY_REFUSALS),
    ...row.refuses,
  ]
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
    description: 'Makes a retry safe: the first answer to a key is given again for 24 hours.',
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    schema: { type: 'string' },
    description: 'The `ETag` of the list that the edit was made from.',
  },
}

import { ERRORS } from '../../src/http/errors.ts'
import type { OpenApiDocument } from '../../src/http/openapi/document.ts'
import { BASE_PATH, exampleRequest, type Operation, PATH_PROPERTY } from '../../src/http/operation.ts'
import { type Input, renderInputs, renderOutput, type Schema } from './fields.ts'

/** The order of docs/api.md, in which the examples can be run one after the other. */
const ORDER = [
  'createOpenChannel',
  'listOpenChannelGroups',
  'listOpenChannels',
  'changeOpenChannel',
  'mintPlayerToken',
  'sendSystemMessage',
  'deleteMessage',
  'listReports',
  'applyChatBan',
  'listRestrictedUsers',
  'liftChatBan',
  'editProfanityList',
  'listProfanity',
  'editAllowList',
  'listAllowed',
  'checkFilter',
  'startBacktest',
  'showBacktest',
  'deleteOpenChannel',
]

export function renderOperations(operations: readonly Operation[], document: OpenApiDocument): string {
  const forgotten = operations.filter(({ id }) => !ORDER.includes(id)).map(({ id }) => id)
  if (forgotten.length > 0)
    throw new Error(`Say in scripts/docs/operations.ts where these stand: ${forgotten.join(', ')}`)
  const sorted = operations.toSorted((a, b) => ORDER.indexOf(a.id) - ORDER.indexOf(b.id))
  return sorted.map((row) => renderOperation(row, document)).join('\n\n')
}

function renderOperation(row: Operation, document: OpenApiDocument): string {
  const described: Schema = document.paths[row.path]?.[row.method.toLowerCase()] ?? {}
  const inputs = inputsOf(described, document)
  const output = resolve(contentOf(described['responses'][200]), document)
  const isList = output['type'] === 'array'
  const entry = isList ? resolve(output['items'], document) : output
  const errors = row.errors.map((kind) => `| ${ERRORS[kind].code} | ${ERRORS[kind].message} |`)
  return [
    `### ${row.summary}`,
    '',
    `\`${row.method} ${BASE_PATH}${row.path}\` · role ${row.role} or above`,
    '',
    row.description,
    '',
    ...(inputs.length === 0 ? [] : [renderInputs(inputs), '']),
    '```sh',
    renderCurl(row),
    '```',
    '',
    ...describeAnswer(entry, isList),
    '```json',
    JSON.stringify(row.example.output, undefined, 2),
    '```',
    ...(errors.length === 0 ? [] : ['', '| Code | Error |', '|---|---|', ...errors]),
  ].join('\n')
}

function describeAnswer(entry: Schema, isList: boolean): string[] {
  if (entry['properties'] === undefined) return [`Returns an array of ${entry['title']}s.`, '']
  return [isList ? 'Returns an array of objects:' : 'Returns an object:', '', renderOutput(entry), '']
}

/** Parameters and body properties. A DELETE accepts its inputs in either place; they are listed once. */
function inputsOf(described: Schema, document: OpenApiDocument): Input[] {
  const body = described['requestBody'] === undefined ? {} : contentOf(described['requestBody'])
  const required: readonly string[] = body['required'] ?? []
  const properties = Object.entries<Schema>(body['properties'] ?? {})
  const parameters = (described['parameters'] as readonly Schema[])
    .map((parameter) => resolve(parameter, document))
    .filter(({ name }) => !properties.some(([property]) => property === name))
  return [
    ...properties.map(([name, schema]) => ({
      name,
      place: 'body',
      isRequired: required.includes(name),
      schema: resolve(schema, document),
    })),
    ...parameters.map((parameter) => ({
      name: parameter['name'],
      place: parameter['in'],
      isRequired: parameter['required'] === true,
      schema: resolve(parameter['schema'], document),
      ...(parameter['description'] !== undefined && { description: parameter['description'] }),
    })),
  ]
}

const contentOf = ({ content }: Schema): Schema => content['application/json'].schema

function resolve(schema: Schema, document: Schema): Schema {
  const reference: string | undefined = schema['$ref']
  if (reference === undefined) return schema
  return reference
    .slice('#/'.length)
    .split('/')
    .reduce((within, key) => within[key], document)
}

/** A command to copy, given the variables CHAT_URL and CHAT_TOKEN. Path parameters are variables too. */
function renderCurl(row: Operation): string {
  const { properties } = exampleRequest(row)
  const path = row.path.replace(PATH_PROPERTY, (_, name: string) => `$${name.toUpperCase()}`)
  const url = `"$CHAT_URL${BASE_PATH}${path}`
  const headers = `-H "Authorization: Bearer $CHAT_TOKEN"`
  if (row.method === 'GET') {
    const query = new URLSearchParams(properties as Record<string, string>).toString()
    return `curl ${url}${query && `?${query}`}" \\\n  ${headers}`
  }
  const start = `curl -X ${row.method} ${url}" \\\n  ${headers}`
  if (Object.keys(properties).length === 0) return start
  return `${start} -H "Content-Type: application/json; charset=utf8" \\\n  -d '${JSON.stringify(properties)}'`
}

import { z } from 'zod'
import { type Operation, pathProperties } from '../operation.ts'
import { type Json, propertiesOf, toJsonSchema } from './json-schema.ts'

/** The properties of the input that are not part of the path. */
export function unroutedInput(row: Operation): z.ZodObject {
  const inPath = pathProperties(row)
  return z.object(
    Object.fromEntries(Object.entries(row.input.shape).filter(([name]) => !inPath.includes(name))),
  )
}

export const pathParameters = (row: Operation): Json[] =>
  pathProperties(row).map((name) => ({
    name,
    in: 'path',
    required: true,
    ...describe(row, name, propertiesOf(row.input)[name]),
  }))

/** The query of a GET, and of a DELETE without a body. */
export function queryParameters(row: Operation): Json[] {
  if (row.method !== 'GET' && row.method !== 'DELETE') return []
  const input = unroutedInput(row)
  const { required } = toJsonSchema(input, 'input')
  return Object.entries(propertiesOf(input)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: row.method === 'GET' && Array.isArray(required) && required.includes(name),
    ...describe(row, name, schema),
  }))
}

function describe(row: Operation, name: string, { description, ...schema }: Json = {}): Json {
  const isQueryOfDelete = row.method === 'DELETE' && !pathProperties(row).includes(name)
  const example = row.example.input[name]
  return {
    description: isQueryOfDelete ? `${description} Use the query if a proxy drops the body.` : description,
    ...(example !== undefined && { example }),
    schema,
  }
}

import { z } from 'zod'
import { integer, text } from '../output-fields.ts'

export type Json = { readonly [key: string]: unknown }

/** The body of every error response. */
export const errorSchema = z
  .object({
    message: text('Describes the error for people.'),
    code: integer('Error code. The first three digits are the HTTP status.'),
    error: z.literal(true),
  })
  .meta({ id: 'Error' })

/** The component name of a schema, if it has one. */
export const nameOf = (schema: z.ZodType) => schema.meta()?.id

export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const generated = z.toJSONSchema(schema, { io })
  const name = nameOf(schema)
  // A schema that has an id comes as a reference to its definition.
  const definition = name === undefined ? generated : generated.$defs?.[name]
  const { $schema: _, additionalProperties: __, ...rest } = definition ?? generated
  return rest
}

export const reference = (kind: 'schemas' | 'parameters' | 'headers', name: string) => ({
  $ref: `#/components/${kind}/${name}`,
})

/** A reference to a named schema, or the schema itself. */
export function schemaOf(schema: z.ZodType): Json {
  const name = nameOf(schema)
  return name === undefined ? toJsonSchema(schema, 'input') : reference('schemas', name)
}

export const propertiesOf = (schema: z.ZodObject) =>
  (toJsonSchema(schema, 'input')['properties'] ?? {}) as Readonly<Record<string, Json>>

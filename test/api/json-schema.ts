export interface Schema {
  readonly $ref?: string
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Schema
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly 'x-max-bytes'?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly description?: string
}

const KNOWN = new Set([
  'x-max-bytes',
  ...['$ref', 'type', 'const', 'enum', 'properties', 'required', 'additionalProperties', 'items', 'pattern'],
  ...[
    'minLength',
    'maxLength',
    'maxItems',
    'minimum',
    'exclusiveMinimum',
    'maximum',
    'default',
    'description',
    'title',
  ],
])

type Schemas = Readonly<Record<string, Schema>>

/** Returns the paths at which a value violates its schema. Unknown properties are violations too. */
export function findProblems(value: unknown, schema: Schema, schemas: Schemas, at = '$'): string[] {
  const unknown = Object.keys(schema).filter((key) => !KNOWN.has(key))
  if (unknown.length > 0) throw new Error(`Unsupported keywords: ${unknown.join(', ')}.`)
  if (schema.$ref !== undefined) return findProblems(value, resolve(schema.$ref, schemas), schemas, at)
  if ('const' in schema && value !== schema.const) return [`${at}: const`]
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: enum`]
  if (!hasType(value, schema.type)) return [`${at}: ${schema.type}`]
  if (typeof value === 'string') return failedRules(at, stringRules(value, schema))
  if (typeof value === 'number') return failedRules(at, numberRules(value, schema))
  if (Array.isArray(value)) {
    const { items = {}, maxItems = Number.POSITIVE_INFINITY } = schema
    return [
      ...failedRules(at, { maxItems: value.length <= maxItems }),
      ...value.flatMap((item, index) => findProblems(item, items, schemas, `${at}[${index}]`)),
    ]
  }
  return typeof value === 'object' && value !== null ? propertyProblems(value, schema, schemas, at) : []
}

function propertyProblems(value: object, schema: Schema, schemas: Schemas, at: string): string[] {
  const { properties = {}, required = [] } = schema
  return [
    ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => `${at}.${name}: required`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined
      return own ? findProblems(inner, own, schemas, `${at}.${name}`) : [`${at}.${name}: not in the schema`]
    }),
  ]
}

function hasType(value: unknown, type: Schema['type']): boolean {
  if (type === undefined) return true
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

const stringRules = (value: string, { pattern, minLength, maxLength }: Schema) => ({
  pattern: pattern === undefined || new RegExp(pattern, 'u').test(value),
  minLength: [...value].length >= (minLength ?? 0),
  maxLength: [...value].length <= (maxLength ?? Number.POSITIVE_INFINITY),
})

const numberRules = (value: number, { minimum, exclusiveMinimum, maximum }: Schema) => ({
  minimum: value >= (minimum ?? Number.NEGATIVE_INFINITY),
  exclusiveMinimum: value > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY),
  maximum: value <= (maximum ?? Number.POSITIVE_INFINITY),
})

const failedRules = (at: string, rules: Readonly<Record<string, boolean>>) =>
  Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`${at}: ${rule}`]))

function resolve(reference: string, schemas: Schemas): Schema {
  const schema = schemas[reference.replace('#/components/schemas/', '')]
  if (schema === undefined) throw new Error(`${reference} does not exist.`)
  return schema
}

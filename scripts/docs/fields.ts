/** Renders tables of fields from the JSON Schemas of the OpenAPI document. */

// biome-ignore lint/suspicious/noExplicitAny: schemas have every shape that JSON Schema allows
export type Schema = Record<string, any>

export const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
const count = (value: number) => value.toLocaleString('en')

const row = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
const table = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(header), `|${header.map(() => '---').join('|')}|`, ...rows.map(row)].join('\n')

/** Renders the inputs of an operation, without empty columns. */
export function renderInputs(inputs: readonly Input[]): string {
  const columns: readonly [string, (input: Input) => string][] = [
    ['Name', ({ name }) => code(name)],
    ['In', ({ place }) => place],
    ['Type', ({ schema }) => typeOf(schema)],
    ['Required', ({ isRequired }) => (isRequired ? 'yes' : '')],
    ['Default', ({ schema }) => ('default' in schema ? code(schema['default']) : '')],
    ['Bounds', ({ schema }) => boundsOf(schema)],
    ['Meaning', ({ schema, description }) => description ?? schema['description'] ?? ''],
  ]
  const used = columns.filter(([, render]) => inputs.some((input) => render(input) !== ''))
  const rows = inputs.map((input) => used.map(([, render]) => render(input)))
  return table(
    used.map(([title]) => title),
    rows,
  )
}

export interface Input {
  readonly name: string
  readonly place: string
  readonly isRequired: boolean
  readonly schema: Schema
  readonly description?: string
}

/** Renders the fields of a response, including those of nested objects. */
export function renderOutput(schema: Schema): string {
  return table(['Field', 'Type', 'Meaning'], fieldsOf(schema, ''))
}

function fieldsOf(schema: Schema, prefix: string): string[][] {
  return Object.entries<Schema>(schema['properties'] ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const bounds = boundsOf(field)
    const meaning = [field['description'] ?? '', field['enum'] === undefined ? '' : `One of ${bounds}.`]
    return [
      [code(path), typeOf(field), meaning.filter(Boolean).join(' ')],
      ...fieldsOf(field, `${path}.`),
      ...fieldsOf(field['items'] ?? {}, `${path}[].`),
    ]
  })
}

function typeOf(schema: Schema): string {
  if ('const' in schema) return typeof schema['const']
  return schema['type'] === 'array' ? `array of ${typeOf(schema['items'])}s` : String(schema['type'])
}

/** Patterns that words describe better. */
const PATTERNS: Readonly<Record<string, string>> = { '\\S': 'not blank' }

/** Describes the constraints on a value besides its type. */
function boundsOf(schema: Schema): string {
  if ('const' in schema) return code(schema['const'])
  if ('enum' in schema) return schema['enum'].map(code).join(', ')
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, maxItems, pattern, items } = schema
  const isInBytes = schema['x-max-bytes'] !== undefined
  const parts = [
    exclusiveMinimum === undefined ? '' : `greater than ${count(exclusiveMinimum)}`,
    range(minimum, maximum, ''),
    isInBytes ? '' : range(minLength, maxLength, 'characters'),
    isInBytes ? range(minLength, schema['x-max-bytes'], 'bytes of UTF-8') : '',
    range(undefined, maxItems, 'items'),
    // The pattern of a length in bytes only repeats it in characters.
    pattern === undefined || isInBytes ? '' : (PATTERNS[pattern] ?? code(pattern)),
    items === undefined || boundsOf(items) === '' ? '' : `each ${boundsOf(items)}`,
  ]
  return parts.filter(Boolean).join(', ')
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const isUnbounded = max === undefined || max >= Number.MAX_SAFE_INTEGER
  if (min === undefined && isUnbounded) return ''
  const text = isUnbounded
    ? `at least ${count(min ?? 0)}`
    : min === undefined
      ? `up to ${count(max)}`
      : `${count(min)} to ${count(max)}`
  return `${text} ${unit}`.trim()
}

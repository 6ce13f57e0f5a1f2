import type { z } from 'zod'
import { RequestError, type RequestErrorKind } from '../errors.ts'

/** Reads what was sent by a schema. Unknown properties are dropped, `null` counts as missing. */
export function parse<T>(schema: z.ZodType<T>, sent: Readonly<Record<string, unknown>>): T {
  const input = withoutNulls(sent)
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const refusals = result.error.issues.map((issue) => readIssue(issue, input))
  throw refusals.find(isAboutType) ?? refusals[0] ?? new RequestError('internal')
}

function withoutNulls(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(sent)
  return entries.some(([, value]) => value === null)
    ? Object.fromEntries(entries.filter(([, v]) => v !== null))
    : sent
}

/** Types are judged before values, whatever the order of the properties. */
const isAboutType = ({ kind }: RequestError) => kind !== 'too-long' && kind !== 'invalid'

function readIssue(issue: z.core.$ZodIssue, input: Readonly<Record<string, unknown>>): RequestError {
  const property = String(issue.path[0] ?? '')
  const value = input[property]
  if (value === undefined) return new RequestError('missing', property)
  if (issue.code === 'custom') return new RequestError(issue.params?.['kind'] ?? 'invalid', property)
  if (issue.code !== 'invalid_type') return new RequestError('invalid', property)
  // Numbers that JSON can write but that are none, such as 1e400.
  if (issue.expected === 'number' && typeof value === 'number') return new RequestError('invalid', property)
  return new RequestError(TYPE_REFUSALS[issue.expected] ?? 'invalid', property)
}

const TYPE_REFUSALS: Readonly<Record<string, RequestErrorKind>> = {
  string: 'not-string',
  number: 'not-number',
  boolean: 'not-boolean',
}

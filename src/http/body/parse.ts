import type { z } from 'zod'
import { RequestError, type RequestErrorKind } from '../errors.ts'

/** Validates input against a schema. Unknown properties are dropped, `null` counts as missing. */
export function parse<T>(schema: z.ZodType<T>, input: Readonly<Record<string, unknown>>): T {
  const present = withoutNulls(input)
  const result = schema.safeParse(present)
  if (result.success) return result.data
  const errors = result.error.issues.map((issue) => toError(issue, present))
  throw errors.find(isAboutType) ?? errors[0] ?? new RequestError('internal')
}

function withoutNulls(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(input)
  return entries.some(([, value]) => value === null)
    ? Object.fromEntries(entries.filter(([, v]) => v !== null))
    : input
}

/** Errors of types are reported before errors of values, whatever the order of the properties. */
const isAboutType = ({ kind }: RequestError) => kind !== 'too-long' && kind !== 'invalid'

function toError(issue: z.core.$ZodIssue, input: Readonly<Record<string, unknown>>): RequestError {
  const property = String(issue.path[0] ?? '')
  const value = input[property]
  if (value === undefined) return new RequestError('missing', property)
  if (issue.code === 'custom') return new RequestError(issue.params?.['kind'] ?? 'invalid', property)
  if (issue.code !== 'invalid_type') return new RequestError('invalid', property)
  // JSON can express numbers that overflow, such as 1e400.
  if (issue.expected === 'number' && typeof value === 'number') return new RequestError('invalid', property)
  return new RequestError(TYPE_ERRORS[issue.expected] ?? 'invalid', property)
}

const TYPE_ERRORS: Readonly<Record<string, RequestErrorKind>> = {
  string: 'not-string',
  number: 'not-number',
  boolean: 'not-boolean',
}

import { z } from 'zod'
import { isLanguageCode, isName, LANGUAGE_CODE, normalizeName } from '../core/text.ts'
import type { RequestErrorKind } from './errors.ts'

/** Limits on the input of an operation. */
export interface InputLimits {
  readonly nameBytes: number
  readonly strictNames: boolean
  readonly gamerIdBytes: number
  readonly nicknameBytes: number
  readonly defaultMaxCount: number
  readonly maxCount: number
  readonly banDays: number
  readonly expressionsPerLanguage: number
  readonly expressionCharacters: number
  readonly messageBytes: number
  readonly messageDays: number
  readonly bodyBytes: number
}

/** The input of an operation without parameters. */
export const NO_INPUT = z.object({})

const fail = (kind: RequestErrorKind) => ({ code: 'custom', params: { kind } }) as const

/** Rejects a string that is over `maxBytes` before it checks anything else. */
export const checkText =
  (maxBytes: number, isValid: (text: string) => boolean) =>
  (value: string, context: z.core.$RefinementCtx<string>) => {
    if (Buffer.byteLength(value) > maxBytes) context.addIssue(fail('too-long'))
    else if (!isValid(value)) context.addIssue(fail('invalid'))
  }

export const textField = (maxBytes: number, isValid: (text: string) => boolean) =>
  z.string().superRefine(checkText(maxBytes, isValid))

/** Normalized on input, so that two spellings of a name are the same name. */
export function nameField(maxBytes: number, isValid: (text: string) => boolean = isName) {
  return z
    .string()
    .overwrite((value) => normalizeName(value, maxBytes))
    .superRefine(checkText(maxBytes, isValid))
}

export function numberField(isValid: (value: number) => boolean) {
  return z.number().superRefine((value, context) => {
    if (!isValid(value)) context.addIssue(fail('invalid'))
  })
}

export const integerField = (min: number, max: number) =>
  numberField((value) => Number.isInteger(value) && value >= min && value <= max).meta({
    type: 'integer',
    minimum: min,
    maximum: max,
  })

export const gamerIdField = ({ gamerIdBytes }: InputLimits) =>
  nameField(gamerIdBytes).meta({ ...upToBytes(gamerIdBytes), description: "The player's unique id." })

export const languageField = (description: string) =>
  textField(Number.POSITIVE_INFINITY, isLanguageCode).meta({ pattern: LANGUAGE_CODE.source, description })

/**
 * JSON Schema of a string of at most `max` bytes. JSON Schema counts characters, so the pattern lists what fits by the
 * widest character: `max` ASCII characters, half as many of up to two bytes, a third of up to three, a quarter of any.
 */
export function upToBytes(max: number, min = 1) {
  const characters = ['[\\u0000-\\u007f]', '[\\u0000-\\u07ff]', '[\\u0000-\\uffff]', '[\\s\\S]']
  const tiers = characters.flatMap((each, index) => {
    const fitting = Math.floor(max / (index + 1))
    return fitting < min ? [] : `${each}{${min},${fitting}}`
  })
  return { minLength: min, maxLength: max, 'x-max-bytes': max, pattern: `^(?:${tiers.join('|')})$` }
}

/** Limits of an array of strings. `check` returns what is wrong with one element. */
interface StringsOptions {
  readonly maxItems: number
  readonly check: (text: string) => RequestErrorKind | undefined
}

/**
 * An array of strings, checked by hand: a schema for the elements would report every invalid one, and a body has room for
 * millions. Stops at the first invalid element, and never reads more than `maxItems + 1` of them.
 */
export function stringsField<T>(options: StringsOptions, convert: (list: readonly string[]) => T) {
  return z.unknown().transform((value, context): T => {
    const list = isStrings(value, options.maxItems) ? value : undefined
    const problem = list === undefined ? 'not-strings' : findProblem(list, options)
    if (list !== undefined && problem === undefined) return convert(list)
    context.addIssue(fail(problem ?? 'not-strings'))
    return z.NEVER
  })
}

function isStrings(value: unknown, maxItems: number): value is readonly string[] {
  if (!Array.isArray(value)) return false
  const checked = Math.min(value.length, maxItems + 1)
  for (let index = 0; index < checked; index++) if (typeof value[index] !== 'string') return false
  return true
}

function findProblem(
  list: readonly string[],
  { maxItems, check }: StringsOptions,
): RequestErrorKind | undefined {
  if (list.length > maxItems) return 'too-long'
  for (const each of list) {
    const problem = check(each)
    if (problem !== undefined) return problem
  }
  return undefined
}

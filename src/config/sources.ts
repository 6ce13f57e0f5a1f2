import { readFileSync } from 'node:fs'
import { flagOf, type SettingName, settingNames, settingOf, variableOf } from '../settings.ts'
import { describeJsonError } from './json-error.ts'
import { suggest } from './suggest.ts'

export interface Sources {
  readonly flags: Readonly<Partial<Record<SettingName, string>>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The text of a setting and its source: `--port`, `PARLEY_PORT`, a file, or undefined for the default. */
export interface SettingValue {
  readonly text: string
  readonly source: string | undefined
}

export type SettingValues = Readonly<Record<SettingName, SettingValue>>

const CONFIG_VARIABLE = 'PARLEY_CONFIG'

export const SEE_HELP = '"parley help settings" lists the settings.'

/** Flags override variables, variables override the file, the file overrides defaults. Adds every problem to `problems`. */
export function collectSettings({ flags, env }: Sources, problems: string[]): SettingValues {
  problems.push(...unknownVariables(env))
  const file = readConfigFile(env[CONFIG_VARIABLE], problems)
  const entries = settingNames.map((name) => [
    name,
    fromFlag(name, flags) ??
      fromSecretFile(name, env, problems) ??
      fromVariable(name, env) ??
      file[name] ?? { text: settingOf(name).fallback, source: undefined },
  ])
  return Object.fromEntries(entries)
}

const given = (text: string | undefined, source: string): SettingValue | undefined =>
  text === undefined ? undefined : { text, source }

const fromFlag = (name: SettingName, flags: Sources['flags']) => given(flags[name], `--${flagOf(name)}`)

const fromVariable = (name: SettingName, env: Sources['env']) =>
  given(env[variableOf(name)], variableOf(name))

function fromSecretFile(name: SettingName, env: Sources['env'], problems: string[]) {
  const variable = `${variableOf(name)}_FILE`
  const file = env[variable]
  if (file === undefined || !settingOf(name).secret) return undefined
  if (env[variableOf(name)])
    problems.push(`${variableOf(name)}: conflicts with ${variable}. Set only one of the two.`)
  const secret = readText(variable, file, problems)?.trim()
  if (secret === '') problems.push(`${variable}: ${file} is empty`)
  return given(secret, `${file} (${variable})`)
}

function unknownVariables(env: Sources['env']): string[] {
  const secretFiles = settingNames
    .filter((name) => settingOf(name).secret)
    .map((name) => `${variableOf(name)}_FILE`)
  const known = [CONFIG_VARIABLE, ...settingNames.map(variableOf), ...secretFiles]
  return Object.keys(env)
    .filter((variable) => variable.startsWith('PARLEY_') && !known.includes(variable))
    .map((variable) => `${variable}: unknown setting.${suggest(variable, known, '')} ${SEE_HELP}`)
}

function readText(variable: string, file: string, problems: string[]): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (thrown) {
    problems.push(`${variable}: cannot read ${file}: ${thrown instanceof Error ? thrown.message : thrown}`)
    return undefined
  }
}

/** Reads a JSON object whose keys are the names of flags. */
function readConfigFile(
  file: string | undefined,
  problems: string[],
): Partial<Record<SettingName, SettingValue>> {
  if (file === undefined) return {}
  const problem = (what: string) => problems.push(`${CONFIG_VARIABLE}: ${file}: ${what}`)
  const content = parseObject(readText(CONFIG_VARIABLE, file, problems) ?? '{}', problem)
  const found: Partial<Record<SettingName, SettingValue>> = {}
  for (const [key, value] of Object.entries(content)) {
    const name = settingNames.find((each) => flagOf(each) === key)
    const text = textOf(value)
    if (name === undefined)
      problem(`unknown setting "${key}".${suggest(key, settingNames.map(flagOf))} ${SEE_HELP}`)
    else if (text === undefined)
      problem(`"${key}" must be a string, a number, true or false, or a list of strings`)
    else found[name] = { text, source: `"${key}" in ${file}` }
  }
  return found
}

/** Converts a JSON value to the text that a variable would have. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string')
  return isList ? value.join(',') : undefined
}

function parseObject(text: string, problem: (what: string) => void): object {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
    problem('must contain a JSON object')
  } catch {
    problem(describeJsonError(text))
  }
  return {}
}

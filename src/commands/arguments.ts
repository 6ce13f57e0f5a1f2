import { parseArgs } from 'node:util'
import { SEE_HELP } from '../config/sources.ts'
import { suggest } from '../config/suggest.ts'
import { flagOf, type SettingName, settingNames, settingOf, variableOf } from '../settings.ts'

export type Options = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly about: string }>
>

/** A parsed command line. */
export interface Arguments {
  /** Positional arguments. */
  readonly words: readonly string[]
  /** Settings given as flags. */
  readonly flags: Readonly<Partial<Record<SettingName, string>>>
  /** Flags that are not settings. */
  readonly options: Readonly<Record<string, string | boolean>>
  /** One line for each flag that is unknown or has a wrong value. */
  readonly problems: readonly string[]
}

const COMMON: Options = {
  help: { type: 'boolean', about: 'Show what a command does.' },
  version: { type: 'boolean', about: 'Show the version.' },
}

/** `own` are the flags of the commands. */
export function readArguments(argv: readonly string[], own: Options): Arguments {
  const settings = new Map(
    settingNames.filter((name) => !settingOf(name).secret).map((name) => [flagOf(name), name]),
  )
  const types = Object.fromEntries(
    [...settings.keys()].map((flag) => [flag, { type: 'string', about: '' } as const]),
  )
  const known: Options = { ...types, ...own, ...COMMON }
  const { tokens } = parseArgs({ args: [...argv], options: known, strict: false, tokens: true })
  const flags: Partial<Record<SettingName, string>> = {}
  const options: Record<string, string | boolean> = {}
  const problems: string[] = []
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const problem = findProblem(token, known)
    const setting = settings.get(token.name)
    if (problem !== undefined) problems.push(problem)
    else if (setting === undefined) options[token.name] = token.value ?? true
    else flags[setting] = token.value ?? ''
  }
  // The word after an unknown flag is probably its value, and not worth a second complaint.
  const isValue = (index: number) => {
    const previous = tokens[index - 1]
    return previous?.kind === 'option' && !previous.inlineValue && !Object.hasOwn(known, previous.name)
  }
  const words = tokens.flatMap((token, index) =>
    token.kind === 'positional' && !isValue(index) ? [token.value] : [],
  )
  return { words, flags, options, problems }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

/** Quotes the name of the flag only: its value may be a secret. */
function findProblem({ name, rawName, value, inlineValue }: OptionToken, known: Options): string | undefined {
  const option = Object.hasOwn(known, name) ? known[name] : undefined
  if (option === undefined) return describeUnknown(name, rawName, Object.keys(known))
  if (option.type === 'boolean') return value === undefined ? undefined : `${rawName}: takes no value`
  const isMissing = value === undefined || (!inlineValue && value.startsWith('-'))
  return isMissing ? `${rawName}: needs a value` : undefined
}

function describeUnknown(name: string, rawName: string, known: readonly string[]): string {
  const secret = settingNames.find((each) => settingOf(each).secret && flagOf(each) === name)
  if (secret !== undefined)
    return `${rawName}: a secret cannot be a flag. Set ${variableOf(secret)} or ${variableOf(secret)}_FILE.`
  const flags = known.map((each) => `--${each}`)
  return `${rawName}: unknown flag.${suggest(rawName, flags, '')} ${SEE_HELP}`
}

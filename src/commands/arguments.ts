import { parseArgs } from 'node:util'
import { suggest } from '../config/suggest.ts'
import { flagOf, type SettingName, settingNames, settingOf, variableOf } from '../settings.ts'

export type Options = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly about: string }>
>

/** A command line, taken apart. */
export interface Arguments {
  /** The words that are no flags. */
  readonly words: readonly string[]
  /** Settings given as flags. */
  readonly flags: Readonly<Partial<Record<SettingName, string>>>
  /** Flags that are no settings. */
  readonly options: Readonly<Record<string, string | boolean>>
}

const COMMON: Options = {
  help: { type: 'boolean', about: 'Show what a command does.' },
  version: { type: 'boolean', about: 'Show the version.' },
}

/** Throws an error for people where a flag is unknown or lacks its value. `own` are the flags of the commands. */
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
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const value = readValue(token, known)
    const setting = settings.get(token.name)
    if (setting === undefined) options[token.name] = value
    else flags[setting] = String(value)
  }
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  return { words, flags, options }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

/** Only the flag's name is ever quoted: what follows it may be a secret. */
function readValue({ name, rawName, value, inlineValue }: OptionToken, known: Options): string | boolean {
  const option = Object.hasOwn(known, name) ? known[name] : undefined
  if (option === undefined) throw new Error(describeUnknown(name, rawName, Object.keys(known)))
  if (option.type === 'boolean') {
    if (value !== undefined) throw new Error(`${rawName} takes no value.`)
    return true
  }
  if (value === undefined || (!inlineValue && value.startsWith('-')))
    throw new Error(`${rawName} needs a value.`)
  return value
}

function describeUnknown(name: string, rawName: string, known: readonly string[]): string {
  const secret = settingNames.find((each) => settingOf(each).secret && flagOf(each) === name)
  if (secret !== undefined)
    return `${rawName} is a secret and cannot be a flag. Set ${variableOf(secret)} or ${variableOf(secret)}_FILE.`
  const flags = known.map((each) => `--${each}`)
  return `There is no flag ${rawName}.${suggest(rawName, flags, '')} "parley help settings" lists the settings.`
}

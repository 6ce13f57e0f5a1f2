import { version } from '../../package.json' with { type: 'json' }
import { flagOf, settingNames, settingOf, variableOf } from '../settings.ts'
import type { Options } from './arguments.ts'

interface CommandHelp {
  readonly usage: readonly string[]
  readonly about: string
  readonly options?: Options
}

/** `parley help` */
export function describeCommands(commands: Readonly<Record<string, CommandHelp>>): string {
  return [
    `Parley ${version}, a chat server for games with a management API.`,
    '',
    ...table([
      ...Object.values(commands).map(({ usage: [usage = ''], about }) => [`parley ${usage}`, about]),
      ['parley help COMMAND', 'Show the flags of a command.'],
      ['parley help settings', 'List all settings: flags, variables and defaults.'],
    ]),
  ].join('\n')
}

/** `parley help COMMAND` */
export function describeCommand({ usage, about, options = {} }: CommandHelp): string {
  const flags = Object.entries(options).map(([name, { type, about }]) => [
    `--${name}${type === 'string' ? ' VALUE' : ''}`,
    about,
  ])
  return [
    ...usage.map((each) => `parley ${each}`),
    '',
    about,
    ...(flags.length > 0 ? ['', ...table(flags)] : []),
    '',
    'Settings can be given as flags too: "parley help settings" lists them.',
  ].join('\n')
}

/** `parley help settings` */
export function describeSettings(): string {
  const rows = settingNames.map((name) => {
    const { fallback, about, secret } = settingOf(name)
    const shown = fallback === '' ? '' : ` [${fallback}]`
    return [secret ? variableOf(name) : `--${flagOf(name)}`, `${about}${shown}`]
  })
  return [
    'Settings and their defaults. Set each with a flag (--max-groups), a variable (PARLEY_MAX_GROUPS) or a key',
    '("max-groups") in the JSON file named by PARLEY_CONFIG. Flags override variables, variables override the file.',
    'Secrets cannot be flags: set the variable, or name a file with PARLEY_MASTER_TOKEN_FILE.',
    '',
    ...table(rows),
  ].join('\n')
}

function table(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([first = '']) => first.length))
  return rows.map(([first = '', ...rest]) => `  ${first.padEnd(width)}  ${rest.join('  ')}`)
}

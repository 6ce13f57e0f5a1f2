import { parseArgs } from 'node:util'
import { version } from '../package.json' with { type: 'json' }
import { backupFolder } from './adapters/sqlite/backup.ts'
import { readSecret, secretPath } from './adapters/sqlite/data-folder.ts'
import { importLists, listStarters } from './commands/filters.ts'
import { Management } from './commands/management.ts'
import { type Config, readConfig, type Sources } from './config.ts'
import { createLogger } from './log.ts'
import { startServer } from './server.ts'
import { flagOf, settingNames, settingOf } from './settings.ts'

/** What a command needs of the process. */
export interface Terminal {
  readonly env: Sources['env']
  readonly print: (line: string) => void
  /** Resolves at the first request to stop. */
  readonly stopRequested: Promise<string>
  readonly fail: (error: Error) => void
}

/** What stands behind the name of a command. */
interface Arguments {
  readonly args: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

interface Command {
  readonly usage: string
  readonly about: string
  /** Flags that only this command has. */
  readonly options?: Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly about: string }>>
  readonly run: (config: Config, given: Arguments, terminal: Terminal) => Promise<void> | void
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { usage: 'start', about: 'run the server', run: start },
  token: { usage: 'token', about: 'show the master token', run: showToken },
  'check-config': {
    usage: 'check-config',
    about: 'tell what the configuration is, or what is wrong with it',
    run: checkConfig,
  },
  backup: { usage: 'backup FOLDER', about: 'copy the data folder, also while the server runs', run: backup },
  filters: {
    usage: 'filters import',
    about:
      'add a list to those of the running server; "filters starters" names the lists that come with Parley',
    options: {
      starter: {
        type: 'string',
        about: 'a list that comes with Parley: its language, several with commas, or all',
      },
      file: { type: 'string', about: 'a list of your own: text in UTF-8, one expression a line' },
      language: { type: 'string', about: 'the language of the file, or all' },
      replace: { type: 'boolean', about: 'put the list in place of what is there' },
      'dry-run': { type: 'boolean', about: 'tell what would happen, and change nothing' },
      server: { type: 'string', about: 'address of the server, when it is not that of the settings' },
    },
    run: filters,
  },
}

/** Runs `parley ARGS`. Throws an error with a message for people. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<void> {
  const { positionals, flags, options, wants } = readArguments(argv)
  const [name, ...args] = positionals
  if (wants.version) return terminal.print(version)
  if (name === undefined || wants.help) return terminal.print(usage())
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new Error(`There is no command "${name}".\n\n${usage()}`)
  const foreign = Object.keys(options).find((option) => !Object.hasOwn(command.options ?? {}, option))
  if (foreign !== undefined) throw new Error(`"parley ${name}" has no --${foreign}.\n\n${usage()}`)
  await command.run(readConfig({ flags, env: terminal.env }), { args, options }, terminal)
}

async function start(config: Config, _: Arguments, terminal: Terminal): Promise<void> {
  const log = createLogger(config.logLevel).child({ node: config.nodeName })
  const server = await startServer(config, { log, onFailure: terminal.fail })
  const { href } = server.url
  if (server.newMasterToken !== undefined) {
    log.info(
      `Parley ${version} listens on ${href} The master token was made now: ${server.newMasterToken} ("parley token" shows it again)`,
    )
  } else log.info(`Parley ${version} listens on ${href} ${tokenHint(config)}`)
  const signal = await terminal.stopRequested
  log.info(`${signal}: stopping`)
  await server.stop()
  log.info('stopped')
}

const tokenHint = ({ masterTokens, dataDir }: Config) =>
  masterTokens.length > 0
    ? 'The master token is the configured one'
    : `The master token is in ${secretPath(dataDir, 'master-token')} ("parley token" shows it)`

function showToken(config: Config, _: Arguments, { print }: Terminal): void {
  print(requireToken(config))
}

function requireToken({ masterTokens, dataDir }: Config): string {
  const token = masterTokens[0] ?? readSecret(dataDir, 'master-token')
  if (token === undefined)
    throw new Error(`There is no master token in ${dataDir} yet: the first start makes it.`)
  return token
}

function checkConfig(config: Config, _: Arguments, { print }: Terminal): void {
  const hidden = {
    masterTokens: config.masterTokens.map(() => '(hidden)'),
    playerSecret: config.playerSecret && '(hidden)',
  }
  print(JSON.stringify({ ...config, ...hidden }, undefined, 2))
}

function backup({ dataDir }: Config, { args: [folder] }: Arguments, { print }: Terminal): void {
  if (folder === undefined) throw new Error('Name the folder that the copy goes to: parley backup FOLDER')
  backupFolder(dataDir, folder)
  print(`Copied ${dataDir} to ${folder}. To use the copy, start with --data-dir ${folder}`)
}

async function filters(
  config: Config,
  { args: [what], options }: Arguments,
  { print }: Terminal,
): Promise<void> {
  if (what === 'starters') return listStarters(print)
  if (what !== 'import') throw new Error('Say what to do: parley filters import, or parley filters starters')
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined)
  const management = new Management(serverUrl(config, text('server')), requireToken(config))
  const wanted = {
    starter: text('starter'),
    file: text('file'),
    language: text('language'),
    replace: options['replace'] === true,
    dryRun: options['dry-run'] === true,
  }
  await importLists(wanted, management, print)
}

/** Where the server of these settings answers; one that listens on all addresses does on this machine's own. */
function serverUrl({ listen: { host, port } }: Config, given: string | undefined): URL {
  if (given !== undefined) {
    if (!URL.canParse(given))
      throw new Error(`--server ${given}: that is no address, such as http://127.0.0.1:4140`)
    return new URL(given)
  }
  if (port === 0) throw new Error('The settings name no port: name the server with --server URL.')
  const own: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }
  return new URL(`http://${own[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}`)
}

function readArguments(argv: readonly string[]) {
  const names = settingNames.filter((name) => !settingOf(name).secret)
  const settings = Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' }] as const))
  const own = Object.fromEntries(
    Object.values(COMMANDS).flatMap(({ options = {} }) => Object.entries(options)),
  )
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { ...settings, ...own, help: { type: 'boolean' }, version: { type: 'boolean' } },
    allowPositionals: true,
  })
  const given = values as Readonly<Record<string, string | boolean | undefined>>
  const flags = Object.fromEntries(
    names.flatMap((name) => {
      const value = given[flagOf(name)]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  const options = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(own, name)))
  return {
    positionals,
    flags,
    options,
    wants: { help: given['help'] === true, version: given['version'] === true },
  }
}

function usage(): string {
  const commands = Object.values(COMMANDS).map(({ usage, about }) => `  parley ${usage.padEnd(16)} ${about}`)
  const options = Object.values(COMMANDS).flatMap(({ usage, options = {} }) =>
    Object.entries(options).map(([name, { about }]) => `  --${name.padEnd(24)} ${about} (${usage})`),
  )
  const flags = settingNames
    .filter((name) => !settingOf(name).secret)
    .map((name) => `  --${flagOf(name).padEnd(24)} ${settingOf(name).about} (${settingOf(name).fallback})`)
  return [
    `Parley ${version}, a chat server for games with a management API.`,
    '',
    ...commands,
    '',
    ...options,
    '',
    'Settings are flags, or variables (PARLEY_HOST for --host), or keys of the JSON file that PARLEY_CONFIG names:',
    ...flags,
    '',
    'Secrets are variables only: PARLEY_MASTER_TOKEN, PARLEY_PLAYER_SECRET, or files by PARLEY_MASTER_TOKEN_FILE, PARLEY_PLAYER_SECRET_FILE.',
  ].join('\n')
}

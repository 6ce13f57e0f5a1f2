import { setTimeout as sleep } from 'node:timers/promises'
import { version } from '../package.json' with { type: 'json' }
import { backupFolder } from './adapters/sqlite/backup.ts'
import { readSecret, secretPath } from './adapters/sqlite/data-folder.ts'
import { type Arguments, type Options, readArguments } from './commands/arguments.ts'
import { describeSources, renderConfigFile } from './commands/check-config.ts'
import { importLists, listStarters } from './commands/filters.ts'
import { describeCommand, describeCommands, describeSettings } from './commands/help.ts'
import { localUrl } from './commands/local-url.ts'
import { ManagementClient } from './commands/management-client.ts'
import { openFilesWarning } from './commands/open-files.ts'
import type { SettingValues, Sources } from './config/sources.ts'
import { suggest } from './config/suggest.ts'
import { type Config, ConfigError, readSettings } from './config.ts'
import { createLogger, describeError, type Logger } from './log.ts'
import { type Server, type ServerDependencies, startServer } from './server.ts'

/** The process as commands see it. */
export interface Terminal {
  readonly env: Sources['env']
  readonly print: (line: string) => void
  /** Writes to standard error, so that redirected output stays clean. */
  readonly note: (line: string) => void
  /** Resolves with the name of the first signal that requests a stop. */
  readonly stopRequested: Promise<string>
  /** Whether output goes to a terminal, so that a secret may be shown. */
  readonly isInteractive: boolean
  readonly exit: (code: number) => never
  /** Overrides parts of the store. */
  readonly storage?: ServerDependencies['storage']
}

/** Arguments, flags and settings of one run of a command. */
interface Invocation {
  readonly words: readonly string[]
  readonly options: Arguments['options']
  readonly config: Config
  readonly values: SettingValues
  readonly terminal: Terminal
}

interface Command {
  readonly usage: readonly [string, ...string[]]
  readonly about: string
  /** Maximum number of positional arguments; 0 when absent. */
  readonly words?: number
  /** Flags of this command only. */
  readonly options?: Options
  readonly run: (invocation: Invocation) => Promise<void> | void
}

const COMMANDS: Readonly<Record<string, Command>> = {
  start: { usage: ['start'], about: 'Run the server.', run: start },
  token: { usage: ['token'], about: 'Show the master token.', run: showToken },
  'check-config': {
    usage: ['check-config'],
    about:
      'Print the effective settings as a configuration file and the source of each, or every problem found.',
    run: checkConfig,
  },
  backup: {
    usage: ['backup FOLDER'],
    about: 'Copy the data folder, even while the server is running.',
    words: 1,
    run: backup,
  },
  filters: {
    usage: ['filters import', 'filters starters'],
    about: 'Import a word list into the running server, or list the starter lists included with Parley.',
    words: 1,
    options: {
      starter: {
        type: 'string',
        about: 'Starter list to import, by language; several separated by commas, or all.',
      },
      file: { type: 'string', about: 'Word list to import: UTF-8 text with one expression per line.' },
      language: { type: 'string', about: 'Language of the file, or all for every language.' },
      replace: { type: 'boolean', about: 'Replace the list on the server instead of adding to it.' },
      'dry-run': { type: 'boolean', about: 'Show what would change without changing anything.' },
      server: { type: 'string', about: 'Address of the server, if different from the settings.' },
    },
    run: filters,
  },
}

const COMMAND_NAMES = [...Object.keys(COMMANDS), 'help']
const OPTIONS: Options = Object.assign({}, ...Object.values(COMMANDS).map(({ options }) => options))

/** Runs `parley ARGS`. Throws an error with a message for operators. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<void> {
  const { words: all, flags, options, problems } = readArguments(argv, OPTIONS)
  const [name, ...words] = all
  if (options['version'] === true) return terminal.print(version)
  if (name === undefined && problems.length > 0) throw new ConfigError(problems)
  if (name === undefined || name === 'help') return terminal.print(help(words))
  const command = findCommand(name)
  if (options['help'] === true) return terminal.print(describeCommand(command))
  const usageProblems = checkUsage({ name, command, words, options })
  const settings = readSettings({ flags, env: terminal.env }, [...problems, ...usageProblems])
  await command.run({ words, options, terminal, ...settings })
}

function findCommand(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command !== undefined) return command
  throw new Error(
    `Unknown command "${name}".${suggest(name, COMMAND_NAMES)} "parley help" lists the commands.`,
  )
}

/** `words` are `settings`, a command, or one of the usages of a command. */
function help(words: readonly string[]): string {
  const [topic, ...rest] = words
  if (topic === undefined) return describeCommands(COMMANDS)
  if (topic === 'settings') return describeSettings()
  const command = findCommand(topic)
  const asked = words.join(' ')
  if (rest.length > 0 && !command.usage.includes(asked))
    throw new Error(`Unknown command "${asked}". "parley help ${topic}" shows how it is used.`)
  return describeCommand(command)
}

function checkUsage(given: {
  readonly name: string
  readonly command: Command
  readonly words: readonly string[]
  readonly options: Arguments['options']
}): string[] {
  const { name, command, words, options } = given
  const foreign = Object.keys(options).filter((option) => !Object.hasOwn(command.options ?? {}, option))
  const extra = words.slice(command.words ?? 0)
  return [
    ...foreign.map(
      (option) => `--${option}: not a flag of "parley ${name}". "parley help ${name}" lists its flags.`,
    ),
    ...extra.map((word) => `"${word}": unexpected argument. The command is "parley ${command.usage[0]}".`),
  ]
}

const addressesOf = ({ url, adminUrl }: Server) =>
  adminUrl.href === url.href ? url.href : `${url.href} for players and on ${adminUrl.href} for management`

async function start({ config, terminal }: Invocation): Promise<void> {
  const log = createLogger(config.logLevel).child({ node: config.nodeName })
  const failed = Promise.withResolvers<Error>()
  const { storage } = terminal
  const server = await startServer(config, { log, onFailure: failed.resolve, ...(storage && { storage }) })
  const warning = openFilesWarning(config.gateway.maxConnections)
  if (warning !== undefined) log.warn(warning)
  log.info(`Parley ${version} is listening on ${addressesOf(server)}`)
  log.info(`API documentation: ${new URL('/chat/v1/docs', server.adminUrl)}`)
  log.info(describeTokenSource(config, server))
  if (server.newMasterToken !== undefined && terminal.isInteractive)
    terminal.print(introduceToken(server.newMasterToken))
  const ended = await Promise.race([terminal.stopRequested, failed.promise])
  if (typeof ended !== 'string') return stopFailed(ended, { server, log, config, terminal })
  log.info(`${ended}: stopping`)
  await server.stop()
  log.info('stopped')
}

/** Time to close everything after draining. */
const STOP_MS = 10_000

/** Stops gracefully within a bounded time, then exits with 1 so that the supervisor restarts the process. */
async function stopFailed(
  error: Error,
  { server, log, config, terminal }: { server: Server; log: Logger; config: Config; terminal: Terminal },
): Promise<void> {
  log.fatal(describeError(error))
  const stopped = server.stop().catch((err: unknown) => log.error({ err }, 'stop failed'))
  await Promise.race([stopped, sleep(config.drainMs + STOP_MS)])
  terminal.exit(1)
}

function describeTokenSource({ masterTokens, dataDir }: Config, { newMasterToken }: Server): string {
  if (masterTokens.length > 0) return 'master token: taken from the configuration'
  const file = secretPath(dataDir, 'master-token')
  return newMasterToken === undefined
    ? `master token: stored in ${file}; "npx parley token" prints it`
    : `generated a master token in ${file}; "npx parley token" prints it`
}

/** For a terminal only, since logs are stored and shipped. */
const introduceToken = (token: string) => `
Master token: ${token}
To try the API, open the documentation above and enter the token under "Authorize".
`

function showToken({ config, terminal }: Invocation): void {
  terminal.print(requireToken(config))
}

function requireToken({ masterTokens, dataDir }: Config): string {
  const token = masterTokens[0] ?? readSecret(dataDir, 'master-token')
  if (token === undefined) throw new Error(`No master token in ${dataDir} yet. The first start generates it.`)
  return token
}

function checkConfig({ values, terminal }: Invocation): void {
  terminal.print(renderConfigFile(values))
  for (const line of describeSources(values)) terminal.note(line)
}

function backup({ config: { dataDir }, words: [folder], terminal }: Invocation): void {
  if (folder === undefined) throw new Error('Specify the folder to copy to: parley backup FOLDER')
  const problems = backupFolder(dataDir, folder)
  for (const problem of problems) terminal.note(`Left out of the backup: ${problem}`)
  terminal.print(`Copied ${dataDir} to ${folder}. To use the copy, start with --data-dir ${folder}`)
}

async function filters({ config, words: [action], options, terminal }: Invocation): Promise<void> {
  if (action === 'starters') return listStarters(terminal.print)
  if (action !== 'import') throw new Error('Usage: "parley filters import" or "parley filters starters".')
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined)
  const management = new ManagementClient(serverUrl(config, text('server')), requireToken(config))
  const request = {
    starter: text('starter'),
    file: text('file'),
    language: text('language'),
    replace: options['replace'] === true,
    dryRun: options['dry-run'] === true,
  }
  await importLists(request, management, terminal.print)
}

/** The management address of the server; a wildcard address is reached through loopback. */
function serverUrl({ listen }: Config, given: string | undefined): URL {
  if (given !== undefined) {
    if (!URL.canParse(given))
      throw new Error(`--server ${given}: must be a URL such as http://127.0.0.1:4140`)
    return new URL(given)
  }
  const address = listen.admin ?? listen
  if (address.port === 0)
    throw new Error('The configured port is 0, which picks a free one. Specify the server with --server URL.')
  return localUrl(address)
}
